import { formatPerson } from "../../domain/access/person-name.ts";
import { findDangerOf } from "../../domain/ask/danger.ts";
import { makeHeadline, makeTitle } from "../../domain/ask/make-card.ts";
import { makeApprovedNotice } from "../../domain/ask/notices.ts";
import { describeOutcome } from "../../domain/ask/outcome.ts";
import type { Answer } from "../../domain/ask/question.ts";
import { redactText } from "../../redact/redact-text.ts";
import { formatRule } from "../../domain/ask/format-rule.ts";
import { hostFor } from "../../hosts/hosts.ts";
import type { Handlers } from "../../http/handlers.ts";
import type { Peer } from "../../http/peer.ts";
import { owner as userName, type QuestionView } from "../../protocol/ask.ts";
import type { askEndpoints } from "../../protocol/endpoints/ask.ts";
import { AppError } from "../../shared/errors.ts";
import { isSameProcess, processStartMark } from "../../shared/processes.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { QuestionRow } from "../../store/questions.ts";
import { locateProject } from "../identity/project.ts";
import { describeAnswer } from "./audit.ts";
import { findClaim } from "./find-claim.ts";
import type { Asker, HumanAsks } from "./human-asks.ts";
import type { QuestionBook } from "./question-book.ts";
import type { PersonLink } from "./person-link.ts";
import { findById } from "../runtime/find-by-id.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface AskHandlersDeps extends Pick<DaemonContext, "store" | "clock"> {
  book: QuestionBook;
  asks: HumanAsks;
  person: Pick<PersonLink, "reach" | "presence" | "audit" | "requirePerson" | "caller">;
  /** The name of the person at this machine. */
  owner: string;
}

/** The asker, as the request names it. */
interface NamedAsker {
  pid?: number | undefined;
  agent?: string | undefined;
  cwd?: string | undefined;
}

/** Handlers of the endpoints for questions and notifications. */
export function makeAskHandlers({
  store,
  book,
  asks,
  clock,
  person,
  owner,
}: AskHandlersDeps): Handlers<typeof askEndpoints> {
  const { reach, presence, audit, requirePerson, caller } = person;

  const find = (id: string): QuestionRow =>
    findById(store.questions, id, { noun: "question", missing: "question_not_found", minLength: 6 });

  /**
   * The session of a host process, an agent by name, or a person in a folder. The answer goes to the agent as its user's
   * own words, so the caller must belong to the session that it names.
   */
  async function findAsker({ pid, agent: name, cwd }: NamedAsker, peer: Peer): Promise<Asker> {
    const named = name === undefined ? undefined : store.agents.byName(name);
    if (name !== undefined && !named) throw new AppError("agent_not_found", `There is no agent ${name}.`);
    const session =
      pid === undefined ? named && store.sessions.latestOfAgent(named.id) : store.sessions.latestOfPid(pid);
    const agent = session ? store.agents.byId(session.agentId) : named;
    if (agent) {
      await requireSession(agent, session, peer);
      return toAsker(agent, session?.id ?? null);
    }
    const project = locateProject(cwd ?? "/");
    return {
      project: project.key,
      projectName: project.name,
      agentId: null,
      agent: "someone at the terminal",
      sessionId: null,
      unknownHost: pid === undefined ? undefined : await findUnknownHost(pid, peer),
    };
  }

  async function findUnknownHost(pid: number, peer: Peer): Promise<Asker["unknownHost"]> {
    const { may } = await caller.maySpeakFor(pid, peer);
    return may ? { pid, startMark: processStartMark(pid) } : undefined;
  }

  async function requireSession(
    { name }: AgentRow,
    session: { hostPid: number | null; pidStarted: string | null } | undefined,
    peer: Peer,
  ): Promise<void> {
    const hostPid = session?.hostPid ?? undefined;
    const isRunning = hostPid !== undefined && isSameProcess(hostPid, session?.pidStarted ?? null);
    const verdict = isRunning
      ? await caller.maySpeakFor(hostPid, peer)
      : { may: false as const, why: "its session does not run" };
    if (!verdict.may)
      throw new AppError(
        "not_your_session",
        `Could not verify that ${name} made this request: ${verdict.why}.`,
      );
  }

  function hostOf({ sessionId }: QuestionRow): string | undefined {
    return sessionId === null ? undefined : store.sessions.byId(sessionId)?.host;
  }

  function view(row: QuestionRow): QuestionView {
    const { id, kind, state, verdict, agent, subagent, context, prompts, subject, earlier, urgency } = row;
    const { createdAt, expiresAt, settledAt, answer, place, answeredBy } = row;
    return {
      id,
      kind,
      state,
      verdict,
      headline: makeHeadline(row),
      title: makeTitle(row, hostFor(hostOf(row)).requests.labelTool),
      danger: findDangerOf(subject),
      claimedBy: findClaim(store, clock, row),
      project: row.projectName,
      agent,
      subagent,
      session: row.sessionId,
      context,
      prompts,
      subject,
      earlier,
      urgency,
      createdAt,
      expiresAt,
      settledAt,
      sessionRule: row.sessionRule && formatRule(row.sessionRule),
      answer: answer && viewAnswer(answer),
      answerer: place && { place, by: formatPerson(answeredBy ?? "", owner) },
      outcome: describeOutcome(row)?.text ?? null,
    };
  }

  return {
    listQuestions: ({ query: { state, limit } }) => ({
      questions: store.questions.recent(state, limit).map(view),
    }),
    async askQuestion({ body, caller: { peer } }) {
      const { row, key } = asks.ask(await findAsker(body, peer), body);
      return { question: view(row), key, isHere: presence.isHere(), canReach: reach.canReach() };
    },
    async answerQuestion({ params, body, caller: { peer } }) {
      const row = find(params.id);
      const isAsker = body.key !== undefined && asks.isAsker(row, body.key);
      if (body.place === "terminal" && !isAsker)
        throw new AppError("may_not_decide", "Only the dialog that asked may answer for the terminal.");
      // The caller that asked may only answer for its own dialog.
      const about = { action: "answer", questionId: row.id } as const;
      const place = isAsker ? "terminal" : await requirePerson(peer, { ...about, place: body.place });
      const answer = toAnswer(body);
      // A dialog cannot know who answers it.
      const by = isAsker ? userName : redactText(body.by).text;
      const given = book.answer(row.id, answer, { place, by });
      const result = given.result === "accepted" || given.result === "late" ? given.result : "unclear";
      audit.record({ ...about, place, who: by, result, detail: describeAnswer(answer) });
      if (given.result === "unfit") throw new AppError("answer_invalid", given.message);
      if (given.result === "late") throw new AppError("question_settled", given.message);
      if (place === "cli" && answer.type === "allow") reach.notify(makeApprovedNotice(row));
      return view(find(row.id));
    },
    async getQuestion({ params, query: { wait }, caller: { signal } }) {
      const row = find(params.id);
      if (wait === 0) return view(row);
      await asks.wait(row.id, wait, signal);
      return view(find(row.id));
    },
    takeAnswer({ params, body: { key, dismissed } }) {
      const row = find(params.id);
      if (!asks.isAsker(row, key))
        throw new AppError("may_not_decide", "Only the caller that asked may confirm the answer.");
      if (dismissed)
        book.close(row.id, { state: "declined", verdict: null, answer: null, answerer: null, note: null });
      asks.markReceived(row.id);
      return view(find(row.id));
    },
    async notifyPerson({ body: notice, caller: { peer } }) {
      const { projectName: project, agent, sessionId } = await findAsker(notice, peer);
      const isQueued = reach.notify({
        kind: "news",
        level: notice.level,
        headline: `Notification from ${agent} (${project})`,
        body: notice.message,
        asker: { project, agent, sessionId, subagent: null },
      });
      return { isQueued };
    },
  };
}

function toAsker(agent: AgentRow, sessionId: string | null): Asker {
  const { project, projectName, id: agentId, name } = agent;
  return { project, projectName, agentId, agent: name, sessionId };
}

function toAnswer(body: { answers: string[][] } | { allow: "once" | "session" } | { deny: string }): Answer {
  if ("answers" in body) return { type: "answers", answers: body.answers };
  if ("allow" in body) return { type: "allow", scope: body.allow };
  return { type: "deny", reason: body.deny };
}

function viewAnswer(answer: Answer): NonNullable<QuestionView["answer"]> {
  if (answer.type === "answers") return { answers: answer.answers };
  return answer.type === "allow" ? { allow: answer.scope } : { deny: answer.reason };
}
