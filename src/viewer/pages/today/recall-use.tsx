import type { ProjectUse, UsedNote } from "../../../protocol/today.ts";
import { formatCount } from "../../data/format.ts";
import { useResource } from "../../data/resource.ts";
import { makeHash } from "../../data/route.ts";
import { Loading } from "../../parts/empty.tsx";
import { Age, Line } from "../../parts/text.tsx";

const useWords: Record<NonNullable<UsedNote["used"]>, string> = {
  opened: "opened by the agent",
  named: "cited by its id",
  words: "its words are in the reply or an edit",
  no: "no sign of use",
};

/** Per project: the cost of memory, and how many of the recalled notes were used. */
export function RecallUse({ from, to }: { from: number; to: number }) {
  const { data, error } = useResource(
    "GET /api/recall-use",
    { query: { from, to } },
    ({ type }) => type === "turn.ended" || type === "summary.stored",
  );
  return (
    <section aria-labelledby="use-title">
      <h2 id="use-title">Memory, these 7 days</h2>
      {!data && <Loading error={error} />}
      {data?.projects.length === 0 && (
        <p class="faint">
          No notes were recalled yet. That happens when a session starts, at a prompt or at a file.
        </p>
      )}
      {data?.projects.map((use) => (
        <Project key={use.project} use={use} />
      ))}
    </section>
  );
}

function Project({ use }: { use: ProjectUse }) {
  const { project, sessions, tokens, usd, recalled, used, undecided, notes } = use;
  return (
    <details class="panel use">
      <summary>
        <strong>
          <Line text={project} />
        </strong>{" "}
        {describeUse(recalled, used)}
        {undecided > 0 && <span class="faint"> ({undecided} undecided)</span>}
        <svg class="use-bar" aria-hidden="true">
          <rect class="use-all" width="100%" height="6" rx="3" />
          <rect class="use-part" width={`${recalled > 0 ? (100 * used) / recalled : 0}%`} height="6" rx="3" />
        </svg>
        <span class="faint">
          {formatCount(tokens, "token")} in {formatCount(sessions, "session")}
          {usd > 0 && `, $${usd.toFixed(2)} for models`}
        </span>
      </summary>
      <ul class="use-notes">
        {notes.map(({ id, title, agent, session, used: how, at }) => (
          <li key={`${session} ${id}`} class={how === "no" || how === null ? "unused" : ""}>
            <a href={makeHash("memory", id)}>
              <Line text={title || "A deleted note"} />
            </a>{" "}
            <span class="faint">
              {how === null ? "turn not finished" : useWords[how]} ·{" "}
              <a href={makeHash("sessions", session)}>
                <Line text={agent} />
              </a>{" "}
              · <Age at={at} />
            </span>
          </li>
        ))}
      </ul>
      {notes.length === 0 && <p class="faint">Its sessions only got titles, and opened none.</p>}
      {recalled > notes.length && <p class="faint">… {formatCount(recalled - notes.length, "older note")}</p>}
    </details>
  );
}

function describeUse(recalled: number, used: number): string {
  if (recalled === 0) return "no notes recalled";
  return `${formatCount(recalled, "note")} recalled, ${used} used`;
}
