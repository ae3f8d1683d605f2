import { useEffect, useRef, useState } from "preact/hooks";
import type { AgentView, DeliveryView } from "../../protocol/api.ts";
import { call, withQuery } from "../data/api.ts";
import { useResource } from "../data/resource.ts";
import { makeHash, route } from "../data/route.ts";
import { complain } from "../data/toasts.ts";
import { sayCount, sayMoment } from "../data/words.ts";
import { Empty, Trouble, Waiting } from "../parts/empty.tsx";
import { Split } from "../parts/split.tsx";
import { Line, Prose } from "../parts/text.tsx";

const order: Record<AgentView["status"], number> = { waiting: 0, working: 1, idle: 2, gone: 3 };

/** Who is there, what was said to them, and a line to each. */
export function Rooms() {
  const { id } = route.value;
  const { data, error } = useResource<{ agents: AgentView[] }>(
    "/api/agents",
    ({ type }) => type.startsWith("session.") || type.startsWith("delivery.") || type === "turn.ended",
  );
  const agents = data?.agents.toSorted((a, b) => order[a.status] - order[b.status]) ?? [];
  return (
    <Split
      title="Rooms"
      listName="Agents"
      detailName="Conversation"
      isOpen={id !== undefined}
      list={
        <>
          {error && !data && <Trouble error={error} />}
          {!data && !error && <Waiting />}
          {data && agents.length === 0 && (
            <Empty title="Nobody has been here yet">
              <p>Each session is an agent with a name of its own. The first one makes the first name.</p>
            </Empty>
          )}
          <div class="scroll">
            <ul class="results">
              {agents.map((agent) => (
                <li key={agent.id}>
                  <AgentRow agent={agent} isSelected={agent.name === id} />
                </li>
              ))}
            </ul>
          </div>
        </>
      }
      detail={
        id === undefined ? (
          <div class="hint">
            <p>Choose an agent to read what it was sent and to write to it.</p>
            <p>A busy one reads it after its next tool call; an idle one wakes.</p>
          </div>
        ) : (
          <Conversation key={id} agent={id} />
        )
      }
    />
  );
}

function AgentRow({ agent, isSelected }: { agent: AgentView; isSelected: boolean }) {
  const { name, project, status, waiting } = agent;
  return (
    <a data-row class="row" href={makeHash("rooms", name)} aria-current={isSelected ? "true" : undefined}>
      <span class={`dot dot-${status}`} aria-hidden="true" />
      <span class="row-text">
        <Line class="row-title" text={name} />
        <span class="row-meta">
          {status} · <Line text={project} />
          {waiting > 0 && ` · ${sayCount(waiting, "message")} waiting`}
        </span>
      </span>
    </a>
  );
}

const stateWords = { queued: "waiting", injected: "handed over", confirmed: "read" };

function Conversation({ agent }: { agent: string }) {
  const { data, error, reload } = useResource<{ deliveries: DeliveryView[] }>(
    withQuery("/api/deliveries", { agent, limit: 100 }),
    (event) => event.type.startsWith("delivery."),
  );
  const end = useRef<HTMLDivElement>(null);
  const newest = data?.deliveries[0]?.id;
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [newest]);
  return (
    <div class="conversation">
      <a class="back" href={makeHash("rooms")}>
        ← All agents
      </a>
      <h2>
        <Line text={agent} />
      </h2>
      {error && !data && <Trouble error={error} />}
      {data?.deliveries.length === 0 && <p class="faint">Nothing was sent to it yet.</p>}
      <ol class="messages" aria-live="polite">
        {data?.deliveries.toReversed().map((delivery) => (
          <li key={delivery.id} class={delivery.source === "viewer" ? "mine" : ""}>
            <p class="faint">
              <Line text={delivery.from} /> by <Line text={delivery.source} /> ·{" "}
              {sayMoment(delivery.createdAt)} · {stateWords[delivery.state]}
            </p>
            <Prose text={delivery.body} />
          </li>
        ))}
      </ol>
      <div ref={end} />
      <Composer agent={agent} onSent={reload} />
    </div>
  );
}

function Composer({ agent, onSent }: { agent: string; onSent(): void }) {
  const [text, setText] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const send = (event: Event): void => {
    event.preventDefault();
    void deliver().catch(complain);
  };
  async function deliver(): Promise<void> {
    await call("POST", "/api/deliveries", { to: agent, body: text, from: "you", source: "viewer" });
    setText("");
    onSent();
  }
  return (
    <form ref={form} class="composer" onSubmit={send}>
      <textarea
        aria-label={`Message to ${agent}`}
        placeholder="A message to this agent …"
        rows={3}
        maxLength={100_000}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
        }}
      />
      <button type="submit" class="primary" disabled={text.trim() === ""}>
        Send <kbd aria-hidden="true">Ctrl Enter</kbd>
      </button>
    </form>
  );
}
