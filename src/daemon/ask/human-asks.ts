import { hash, randomBytes } from "node:crypto";
import { formatPerson } from "../../domain/access/person-name.ts";
import { cleanText, joinPrompts } from "../../domain/ask/read-request.ts";
import { describeOutcome } from "../../domain/ask/outcome.ts";
import type { Prompt } from "../../domain/ask/question.ts";
import { redactText } from "../../redact/redact-text.ts";
import { ageMs } from "../../shared/clock.ts";
import { isSameProcess } from "../../shared/processes.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { QuestionRow } from "../../store/questions.ts";
import type { Deliveries } from "../delivery/deliveries.ts";
import { runLogged, repeatWhile } from "../runtime/repeat.ts";
import { makeExpiryCheck } from "./expiry.ts";
import type { QuestionBook } from "./question-book.ts";
import { rememberAnswer } from "./remember-answer.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** The asker, if known. */
export interface Asker {
  project: string;
  projectName: string;
  agentId: string | null;
  agent: string;
  sessionId: string | null;
  /** The process of a session that has sent no event yet, as after a damaged database was set aside. */
  unknownHost?: { pid: number; startMark: string | null } | undefined;
}

interface HumanAsk {
  question: string;
  options: string[];
  multi: boolean;
  context?: string | undefined;
  urgency: "normal" | "now";
  /** Whether the asker waits for the answer. */
  wait: boolean;
}

/**
 * Questions asked by a tool or a command. A waiting asker gets the answer directly; otherwise it goes to the agent's
 * inbox.
 */
export interface HumanAsks {
  ask(party: Asker, ask: HumanAsk): { row: QuestionRow; key: string };
  /** Whether the key proves that the caller asked this question. */
  isAsker(row: QuestionRow, key: string): boolean;
  /** Resolves when the question is settled, the time is up or the caller has disconnected. */
  wait(id: string, ms: number, signal: AbortSignal): Promise<void>;
  /** The asker has received the answer. */
  markReceived(id: string): void;
  start(): void;
  stop(): void;
}

interface HumanAsksDeps extends Pick<DaemonContext, "store" | "bus" | "log" | "clock"> {
  book: QuestionBook;
  deliveries: Deliveries;
  /** The name of the person at this machine. */
  owner: string;
  waitSeconds: number;
}

/** A waiting asker confirms the answer well within this time; after it, the answer goes to the inbox. */
const confirmMs = 3_000;
const checkMs = 1_000;
/** How long an answer waits for the first event of the session that asked. */
const introductionMs = 600_000;
const maxTextLength = 4_000;

export function openHumanAsks({
  store,
  book,
  bus,
  deliveries,
  log,
  clock,
  owner,
  waitSeconds,
}: HumanAsksDeps): HumanAsks {
  const waiting = new Map<string, Set<() => void>>();
  /** Questions whose asker does not wait. */
  const unattended = new Set<string>();
  const care = repeatWhile(checkMs, check, log);
  const listExpired = makeExpiryCheck(clock);

  function onSettled(row: QuestionRow): void {
    if (row.hookId !== null) return;
    care.rouse();
    for (const resolve of waiting.get(row.id) ?? []) resolve();
    runLogged(() => rememberAnswer({ store, bus, clock }, row), log);
    if (unattended.delete(row.id)) deliver(row);
  }

  /** In one commit: an answer that is marked as handed over must be in the inbox. */
  function deliver(row: QuestionRow): void {
    store.db.transaction(() => queueAnswer(row));
  }

  function queueAnswer(row: QuestionRow): void {
    const agent = findAgent(row);
    if (!agent && mayBecomeKnown(row)) return; // `check` tries again.
    if (!store.questions.markDelivered(row.id, clock())) return;
    if (!agent) return; // Asked at a terminal: `rookery questions` shows it.
    const asked = row.prompts.map(({ text }) => text).join(" ");
    deliveries.queue({
      to: agent.name,
      // An unanswered question is reported as a notice, because the user has not said anything.
      kind: row.state === "answered" ? "answer" : "notice",
      sender: formatPerson(row.answeredBy ?? "Rookery", owner),
      source: row.place ?? "questions",
      body: `Your question ${row.id}: ${asked}\n${describeOutcome(row)?.text ?? ""}`,
    });
  }

  function findAgent({ agentId, hostPid, pidStarted }: QuestionRow): AgentRow | undefined {
    if (agentId !== null) return store.agents.byId(agentId);
    const session = hostPid === null ? undefined : store.sessions.latestOfPid(hostPid);
    return session?.pidStarted === pidStarted ? store.agents.byId(session.agentId) : undefined;
  }

  function mayBecomeKnown({ agentId, hostPid, pidStarted, settledAt }: QuestionRow): boolean {
    if (agentId !== null || hostPid === null) return false;
    return ageMs(settledAt ?? 0, clock()) < introductionMs && isSameProcess(hostPid, pidStarted);
  }

  /** Returns false when nothing is open and every answer was delivered. */
  function check(): boolean {
    const nowMs = clock();
    const open = store.questions.listOpen().filter(({ hookId }) => hookId === null);
    for (const id of listExpired(open))
      book.close(id, { state: "expired", verdict: null, answer: null, answerer: null, note: null });
    const undelivered = store.questions.listUndelivered();
    for (const row of undelivered) if (ageMs(row.settledAt ?? 0, nowMs) > confirmMs) deliver(row);
    return open.length + undelivered.length > 0;
  }

  return {
    ask({ unknownHost, ...party }, { question, options, multi, context, urgency, wait }) {
      const prompt: Prompt = {
        text: redactText(cleanText(question, maxTextLength) ?? "").text,
        header: null,
        options: options.map((label) => ({
          label: redactText(cleanText(label, 300) ?? "").text,
          description: null,
        })),
        isMulti: multi,
      };
      const input = { question, options, multi, context: context ?? null };
      const key = randomBytes(32).toString("hex");
      const row = book.add(
        {
          ...party,
          kind: "choice",
          hookId: null,
          subagentId: null,
          subagent: null,
          hostPid: unknownHost?.pid ?? null,
          pidStarted: unknownHost?.startMark ?? null,
          toolName: null,
          toolUseId: null,
          // The question is in `prompts`. Only a hash is stored: read access to the database must not be enough to
          // answer for the asker.
          input: { keyHash: hash("sha256", key) },
          isExact: true,
          subject: null,
          sessionRule: null,
          inputHash: hash("sha256", JSON.stringify(input)),
          context: context === undefined ? null : cleanText(redactText(context).text, maxTextLength),
          prompts: [prompt],
          wording: joinPrompts([prompt]),
          urgency,
          createdAt: clock(),
          expiresAt: clock() + waitSeconds * 1000,
        },
        input,
      );
      if (!wait) unattended.add(row.id);
      care.rouse();
      return { row, key };
    },
    isAsker: (row, key) => row.hookId === null && row.input.keyHash === hash("sha256", key),
    wait(id, ms, signal) {
      if (book.find(id)?.state !== "open" || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const those = waiting.get(id) ?? new Set();
        const done = (): void => {
          clearTimeout(later);
          signal.removeEventListener("abort", done);
          those.delete(done);
          if (those.size === 0) waiting.delete(id);
          resolve();
        };
        const later = setTimeout(done, ms);
        signal.addEventListener("abort", done);
        waiting.set(id, those.add(done));
      });
    },
    markReceived(id) {
      store.questions.markDelivered(id, clock());
    },
    start() {
      book.onSettled(onSettled);
      care.rouse();
    },
    stop: care.stop,
  };
}
