import { makeId } from "../../../src/shared/ids.ts";
import { markUse } from "../../../src/store/note-use.ts";
import type { Store } from "../../../src/store/open-store.ts";

const minute = 60_000;
const hour = 60 * minute;

export interface StagedDay {
  agents: number;
  /** Turns of each agent; every third asks a question, and each leaves a note. */
  turns: number;
  /** The end of the day so far. */
  now: number;
  /** Hours that the agents have worked. */
  hours: number;
}

const projects = ["orders-api", "webshop", "billing", "infra"];
const birds = ["rook", "jay", "crow", "magpie", "raven"];
const prompts = [
  "Add a CSV export of today's orders, in the shop's time zone.",
  "Why does the checkout flash on Safari?",
  "Move the reports to the new shop_day column and drop the old one.",
  "The nightly invoice run takes 40 minutes. Find out why.",
  "Rename the staging buckets and keep the old names for a week.",
];
const questions = [
  "Shall the export keep the old column names?",
  "Which region shall the replica run in?",
  "May I delete the old migration?",
];
const notes = [
  "Reports read created_at by name: keep it as an alias for one release.",
  "font-display: swap is missing, so the checkout flashes.",
  "The invoice run opens one connection per customer.",
];

/** Writes a day of work straight into the tables. The daemon must not run. */
export function stageDay(store: Store, { agents, turns, now, hours }: StagedDay): void {
  store.db.transaction(() => {
    for (let index = 0; index < agents; index++) {
      const projectName = projects[index % projects.length] ?? "";
      const seat = Math.floor(index / projects.length);
      stageAgent(store, { projectName, seat, index, turns, now, from: now - hours * hour });
    }
  });
}

interface StagedLane {
  projectName: string;
  seat: number;
  index: number;
  turns: number;
  now: number;
  from: number;
}

function stageAgent(store: Store, { projectName, seat, index, turns, now, from }: StagedLane): void {
  const path = `/work/${projectName}`;
  const project =
    store.projects.byPath(path) ??
    (() => {
      const row = { fingerprint: null, mode: "on", leases: "warn", createdAt: from } as const;
      const made = { ...row, id: makeId(from), path, name: projectName };
      store.projects.insert(made);
      return made;
    })();
  const name = `${projectName}-${birds[seat] ?? seat}`;
  const known = store.agents.byName(name);
  const agentId = known?.id ?? makeId(from);
  if (!known) store.agents.insert({ id: agentId, name, project: path, projectName, seat, createdAt: from });
  const sessionId = `staged-${index}-${now}`;
  // Every fourth agent has gone home early.
  const end = index % 4 === 3 ? now - 100 * minute : now;
  store.sessions.insert({
    ...{ id: sessionId, agentId, host: "claude-code", project: path, cwd: path, transcriptPath: null },
    ...{ hostPid: null, pidStarted: null, source: "startup", model: "claude-opus-5-5", title: null },
    ...{ branch: "main", status: end === now ? "active" : "ended", statusAt: end, endReason: null },
    ...{ startedAt: from, lastEventAt: end },
  });
  const stepMs = (end - from) / turns;
  for (let n = 0; n < turns; n++) {
    const startedAt = Math.round(from + n * stepMs + (index % 5) * 3 * minute * Math.min(1, stepMs / hour));
    const isLast = n === turns - 1 && index % 4 === 0;
    const endedAt = Math.round(startedAt + stepMs * (0.3 + 0.4 * ((index * 7 + n * 3) % 10) * 0.1));
    const turnId = makeId(startedAt);
    const origin = { originKind: "human", outcome: isLast ? null : "completed" } as const;
    store.turns.insert({
      ...{ id: turnId, sessionId, promptId: null, lastAssistantMessage: "Done.", startedAt },
      ...origin,
      endedAt: isLast ? null : endedAt,
    });
    store.turns.markDistilled(turnId, endedAt);
    const text = prompts[(index + n) % prompts.length] ?? "";
    store.turns.insertPrompt({
      ...{ eventId: makeId(startedAt), sessionId, turnId, promptId: null, text, machine: false },
      occurredAt: startedAt,
    });
    if (n % 3 === 1)
      stageQuestion(store, { agentId, name, projectName, path, sessionId }, startedAt + 2 * minute, n);
    const earlier = store.notes.listRecent([project.id], 1)[0];
    if (earlier && n % 2 === 0) stageRecall(store, sessionId, earlier.id, startedAt, n);
    if (isLast) continue;
    const title = `${notes[(index + n) % notes.length]} (${index}.${n})`;
    const lists = { facts: [], concepts: [], filesRead: [], filesModified: [], sourceEvents: [] };
    store.notes.insert({
      ...lists,
      ...{ id: makeId(endedAt), projectId: project.id, worktree: null, sessionId, turnId, promptNumber: 1 },
      ...{ type: (["decision", "bugfix", "discovery"] as const)[n % 3] ?? "change", title, narrative: title },
      ...{
        tokens: 60,
        provenance: "distil",
        hash: `${sessionId} ${n}`,
        createdAt: endedAt,
        updatedAt: endedAt,
      },
      ...{
        supersededBy: null,
        supersededBecause: null,
        worth: null,
        pinnedAt: null,
        author: null,
        byMachine: false,
      },
    });
  }
}

/** A row of the start context, and a note at the prompt that was used in two of three cases. */
function stageRecall(store: Store, sessionId: string, ref: string, at: number, n: number): void {
  const about = { sessionId, kind: "observation", ref, score: 0.8, eventId: makeId(at), at };
  if (n === 0)
    store.injections.put({ ...about, point: "session.started", reason: "index at startup", tokens: 540 });
  store.injections.put({ ...about, point: "prompt", reason: "prompt: export, column", tokens: 130 });
  markUse(store.db, { sessionId, ref, point: "prompt", used: n % 3 === 0 ? "no" : "words" });
}

interface StagedAsker {
  agentId: string;
  name: string;
  projectName: string;
  path: string;
  sessionId: string;
}

function stageQuestion(store: Store, asker: StagedAsker, at: number, n: number): void {
  const id = makeId(at);
  const text = questions[n % questions.length] ?? "";
  const prompt = { text, header: null, isMulti: false };
  const options = ["Yes", "No"].map((label) => ({ label, description: null }));
  store.questions.insert({
    ...{ id, kind: "choice", hookId: null, project: asker.path, projectName: asker.projectName },
    ...{ agentId: asker.agentId, agent: asker.name, sessionId: asker.sessionId, subagentId: null },
    ...{ subagent: null, hostPid: null, pidStarted: null, toolName: null, toolUseId: null, input: {} },
    ...{ isExact: true, inputHash: id, context: null, prompts: [{ ...prompt, options }], subject: null },
    ...{ sessionRule: null, wording: text, earlier: null, urgency: "normal", createdAt: at },
    expiresAt: at + 24 * hour,
  });
  store.questions.settle(id, {
    ...{ state: "answered", verdict: null, answer: { type: "answers", answers: [["Yes"]] } },
    ...{ answerer: { place: "viewer", by: "the user" }, note: null, at: at + (1 + (n % 4)) * 2 * minute },
  });
  store.questions.markDelivered(id, at + 10 * minute);
}
