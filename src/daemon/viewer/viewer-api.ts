import type { Handlers } from "../../http/handlers.ts";
import type { Peer } from "../../http/peer.ts";
import type { viewerEndpoints } from "../../protocol/endpoints/viewer.ts";
import type { NoteView } from "../../protocol/memory.ts";
import type { SavingsView, SourceEvent, StoryView } from "../../protocol/viewer.ts";
import { AppError } from "../../shared/errors.ts";
import type { BrowsePage, BrowseJob } from "../../store/browse.ts";
import type { FindSessionsJob } from "../../store/find-sessions.ts";
import type { InjectionRow } from "../../store/injections.ts";
import { toMemoryKind, toStoredKind } from "../../store/memory-text.ts";
import type { SavingsJob } from "../../store/savings.ts";
import type { StoryJob } from "../../store/story.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { makeProjectFinder } from "../identity/find-project.ts";
import type { TodayJobs } from "./today-api.ts";
import type { HealthSeries } from "./health-series.ts";
import type { Browsers } from "./browsers.ts";
import type { OneTimeCodes } from "./one-time-codes.ts";
import { listRunningSessions } from "./running.ts";
import { dayMs } from "../../shared/clock.ts";
import type { DaemonContext } from "../runtime/context.ts";

export interface ViewerJobs extends TodayJobs {
  browse(job: BrowseJob): BrowsePage;
  story(job: StoryJob): StoryView;
  savings(job: SavingsJob): SavingsView;
  findSessions(job: FindSessionsJob): string[];
  sources(job: { id: string; events: string[] }): { events: SourceEvent[]; injections: InjectionRow[] };
}

export interface ViewerHandlersDeps extends Pick<DaemonContext, "store" | "clock"> {
  worker: JobWorker<ViewerJobs>;
  getNote(id: string): NoteView;
  series: HealthSeries;
  token: string;
  port(): number;
  person: {
    isPerson(peer: Peer): Promise<boolean>;
    consents: { issue(): string };
    caller: {
      mayDecide(peer: Peer): Promise<{ may: boolean }>;
      isAgent(peer: Peer): Promise<boolean>;
    };
  };
  /** Codes in addresses, and the challenges of remembered browsers: each works once. */
  codes: OneTimeCodes;
  challenges: OneTimeCodes;
  browsers: Browsers;
}

export const timeoutMs = 10_000;

/** The endpoints that only the viewer needs. */
export function makeViewerHandlers(deps: ViewerHandlersDeps): Handlers<typeof viewerEndpoints> {
  const { store, clock, worker, codes, challenges, browsers, person } = deps;
  const { findAll } = makeProjectFinder(store, clock);

  /** The secret for decisions, unless an agent runs the browser. */
  async function issueConsent(peer: Peer): Promise<string | null> {
    return (await person.caller.mayDecide(peer)).may ? person.consents.issue() : null;
  }

  /**
   * Any process can read the code among the arguments of the program that opens the browser. So an agent gets no secret for
   * it; a tab behind a tunnel, whose process cannot be found, gets one if the code was shown in the person's terminal.
   */
  async function issueConsentFor(isForPerson: boolean | "browser", peer: Peer): Promise<string | null> {
    if (isForPerson === "browser") return issueConsent(peer);
    return isForPerson && !(await person.caller.isAgent(peer)) ? person.consents.issue() : null;
  }

  return {
    async createViewerCode({ caller: { peer } }) {
      const { code, expiresAt } = codes.issue(await deps.person.isPerson(peer));
      // The code is in the fragment, which a browser does not send.
      return { url: `http://127.0.0.1:${deps.port()}/#code=${code}`, expiresAt };
    },
    async redeemViewerCode({ body: { code, publicKey }, caller: { peer } }) {
      const issued = codes.redeem(code);
      if (!issued)
        throw new AppError("code_not_valid", "This code was used before, has expired or was never issued.");
      const consent = await issueConsentFor(issued.isForPerson, peer);
      const isRemembered = consent !== null && publicKey !== undefined;
      const browser = isRemembered ? (browsers.remember(publicKey) ?? null) : null;
      return { token: deps.token, consent, browser };
    },
    createChallenge: () => ({ challenge: challenges.issue(false).code }),
    async signInBrowser({ body: { browser, challenge, signature }, caller: { peer } }) {
      const isOpen = challenges.redeem(challenge) !== undefined;
      if (isOpen && browsers.isSigned(browser, `rookery ${deps.port()} ${challenge}`, signature))
        return { token: deps.token, consent: await issueConsent(peer) };
      throw new AppError("code_not_valid", "This browser is not remembered.");
    },
    forgetBrowsers: () => ({ forgotten: browsers.forgetAll() }),
    getNow: () => ({ sessions: listRunningSessions(store, clock) }),
    async browseMemory({ query }) {
      const { kind, project, type, file, from, to, until, skip, limit } = query;
      const filter = {
        ...(project ? { projectIds: findAll(project).map(({ id }) => id) } : {}),
        ...(type ? { types: [type] } : {}),
        ...(file ? { file } : {}),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      };
      const isCounted = until === undefined;
      const job: BrowseJob = { kind: toStoredKind(kind), filter, until, skip, limit, isCounted };
      const { observations, total } = await worker.call.browse(job, { timeoutMs });
      const notes = observations.map((line) => ({ ...line, kind: toMemoryKind(line.kind) }));
      return { notes, ...(total === undefined ? {} : { total }) };
    },
    async getNoteSources({ params }) {
      const { id, title, sourceEvents } = deps.getNote(params.id);
      const { events, injections } = await worker.call.sources({ id, events: sourceEvents }, { timeoutMs });
      return {
        events,
        injections: injections.map(({ sessionId, kind, point, reason, score, tokens, at }) => {
          const session = store.sessions.byId(sessionId);
          const agent = (session && store.agents.byId(session.agentId)?.name) ?? "";
          const told = kind === "observation" ? "note" : kind;
          return { session: sessionId, agent, kind: told, id, title, point, reason, score, tokens, at };
        }),
      };
    },
    async getStory({ params: { id: sessionId }, query: { before, limit } }) {
      if (!store.sessions.byId(sessionId))
        throw new AppError("session_not_found", `There is no session ${sessionId}.`);
      const job: StoryJob = { sessionId, before, limit };
      return worker.call.story(job, { timeoutMs });
    },
    getSeries: () => deps.series.view(),
    async getSavings({ query: { days } }) {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const job: SavingsJob = { from: clock() - days * dayMs, timeZone };
      return worker.call.savings(job, { timeoutMs });
    },
  };
}
