import type { StorySummary, StoryTool, StoryTurn as Turn } from "../../../protocol/viewer.ts";
import { makeHash } from "../../data/route.ts";
import { toneOf } from "../../data/tone.ts";
import { formatTime, formatCount, formatDuration, formatNumber } from "../../data/format.ts";
import { Markdown } from "../../parts/markdown.tsx";
import { Line } from "../../parts/text.tsx";
import { TypeMark } from "../../parts/type-mark.tsx";

export function StoryTurn({ turn }: { turn: Turn }) {
  const { number, kind, outcome, startedAt, endedAt, prompts, received } = turn;
  const { tools, moreTools, said, summary, notes } = turn;
  const took =
    endedAt === null ? "running" : `${outcome ?? "ended"} after ${formatDuration(endedAt - startedAt)}`;
  return (
    <section class="turn" aria-label={`Turn ${number}`}>
      <p class="turn-head">
        <span class="turn-number">{number}</span> {formatTime(startedAt)} · {took}
        {kind === "machine" && " · woken by a message"}
        {kind === "unseen" && " · prompt not captured"}
      </p>
      {prompts.map(({ text, isMachine, at }) => (
        <blockquote key={at} class={isMachine ? "prompt-machine" : "prompt-human"}>
          <Markdown text={text} />
        </blockquote>
      ))}
      {received.map((message) => (
        <ReceivedText key={message.id} message={message} />
      ))}
      {tools.length > 0 && <Tools tools={tools} more={moreTools} />}
      {said && <Markdown class="prose said" text={said} />}
      {summary && <Summary summary={summary} />}
      {notes.length > 0 && (
        <ul class="turn-notes">
          {notes.map(({ id, type, title }) => (
            <li key={id}>
              <a href={makeHash("memory", id)}>
                <TypeMark type={type} /> <Line text={title} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const receivedWords: Record<string, string> = { answer: "Answer", notice: "Notice", task: "Task" };

/** A message that reached the session, in place of the line that woke it. */
function ReceivedText({ message: { kind, from, text, at } }: { message: Turn["received"][number] }) {
  return (
    <blockquote class="prompt-received">
      <p class="turn-head">
        {receivedWords[kind] ?? "Message"} from <Line class={toneOf(from)} text={from} /> · {formatTime(at)}
      </p>
      <Markdown text={text} />
    </blockquote>
  );
}

function Tools({ tools, more }: { tools: StoryTool[]; more: number }) {
  const failed = tools.filter(({ hasFailed }) => hasFailed).length;
  return (
    <details class="tools">
      <summary>
        {formatCount(tools.length + more, "tool use")}
        {failed > 0 && `, ${failed} failed`}
      </summary>
      <ol>
        {tools.map(({ tool, about, hasFailed, bySubagent, at }, index) => (
          <li key={index} class={hasFailed ? "failed" : ""}>
            <span class="faint">{formatTime(at)}</span> <Line class="tool" text={tool} />{" "}
            <Line text={about} />
            {hasFailed && <span class="faint"> failed</span>}
            {bySubagent && <span class="faint"> by a subagent</span>}
          </li>
        ))}
      </ol>
      {more > 0 && <p class="faint">and {formatNumber(more)} more</p>}
    </details>
  );
}

const parts: [keyof StorySummary, string][] = [
  ["investigated", "Investigated"],
  ["learned", "Learned"],
  ["completed", "Completed"],
  ["nextSteps", "Next steps"],
  ["notes", "Notes"],
];

function Summary({ summary }: { summary: StorySummary }) {
  const filled = parts.filter(([part]) => summary[part]);
  if (filled.length === 0) return null;
  return (
    <details class="summary">
      <summary>Summary</summary>
      <dl>
        {filled.map(([part, name]) => (
          <div key={part}>
            <dt>{name}</dt>
            <dd>
              <Markdown text={summary[part]} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
