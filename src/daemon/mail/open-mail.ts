import type { Channel } from "../../channels/channel.ts";
import type { LeaseArbiter } from "../../domain/mail/lease.ts";
import type { TaskArbiter } from "../../domain/mail/task.ts";
import type { Handlers } from "../../http/handlers.ts";
import { mailEndpoints } from "../../protocol/endpoints/mail.ts";
import { openGit } from "../identity/git.ts";
import { readProjectKey } from "../identity/project-key.ts";
import { AppError } from "../../shared/errors.ts";
import type { Store } from "../../store/open-store.ts";
import { type AgentViews, makeAgentViews } from "../ask/agent-views.ts";
import type { Asking } from "../ask/open-asking.ts";
import type { Deliveries } from "../delivery/deliveries.ts";
import { indexMessages } from "./index-messages.ts";
import type { Leases } from "./leases.ts";
import { openMail } from "./mail.ts";
import { makeMailHandlers } from "./mail-api.ts";
import type { MatrixEraser } from "../matrix/matrix-eraser.ts";
import type { MatrixConnection } from "../matrix/matrix-connection.ts";
import { makeSenderCheck, type SenderCheck } from "./sender-check.ts";
import { openTaskBook } from "./task-book.ts";
import { makeMatrixChannel } from "../../channels/matrix/channel.ts";
import { readPairingCode } from "../../domain/access/pairing.ts";
import type { Accounts } from "../matrix/accounts.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** All components for messages between agents and people. */
export interface MailComponent {
  handlers: Handlers<typeof mailEndpoints>;
  agents: AgentViews;
  senders: SenderCheck;
  /** The problem with a homeserver other than the embedded one: empty if it works, undefined if none is used. */
  homeserverTrouble(): string | undefined;
  start(): void;
  stop(): Promise<void>;
}

interface MailPartsDeps
  extends Pick<DaemonContext, "store" | "bus" | "log" | "clock" | "config" | "environment"> {
  deliveries: Deliveries;
  leases: Leases;
  arbiter: LeaseArbiter;
  taskArbiter: TaskArbiter;
  asking: Asking;
  /** Undefined if Matrix is off. */
  matrix: MatrixConnection | undefined;
  eraser: MatrixEraser;
}

/** The channels to the person that Matrix provides. */
export function openMailChannels(store: Store, matrix: MatrixConnection | undefined): Channel[] {
  return matrix ? [openMatrixChannel(store, matrix.accounts)] : [];
}

export function openMailParts(deps: MailPartsDeps): MailComponent {
  const { store, bus, clock, matrix, asking } = deps;
  const agents = makeAgentViews(store, clock);
  const senders = makeSenderCheck(store, asking.person.caller);
  if (!matrix)
    return {
      handlers: makeDisabledHandlers(),
      agents,
      senders,
      homeserverTrouble: () => undefined,
      start() {},
      async stop() {},
    };
  const { accounts, admin, owner, cancelCalls } = matrix;
  indexMessages(store, bus);
  const git = openGit(deps.environment);
  const mail = openMail({
    ...deps,
    accounts,
    agents,
    owner,
    limits: deps.config.matrix,
    readKey: (project) => readProjectKey(git, project),
    end: cancelCalls,
    erase: deps.eraser.erase,
  });
  const handlers = makeMailHandlers({
    ...deps,
    mail,
    agents,
    accounts,
    admin,
    owner,
    senders,
    tasks: openTaskBook(store, bus, clock),
  });
  const homeserverTrouble = (): string | undefined =>
    accounts.isOutside ? (mail.health()[0]?.trouble ?? "") : undefined;
  return { handlers, agents, senders, homeserverTrouble, start: mail.start, stop: mail.stop };
}

/** Refuses every call, because Matrix is switched off. */
function makeDisabledHandlers(): Handlers<typeof mailEndpoints> {
  const refuse = (): never => {
    throw new AppError("matrix_off", "Agents cannot send messages: Matrix is switched off.");
  };
  const names = Object.keys(mailEndpoints);
  return Object.fromEntries(names.map((name) => [name, refuse])) as Record<keyof typeof mailEndpoints, never>;
}

/** Sends questions to the person on the homeserver that agents use for messages. */
function openMatrixChannel(store: Store, accounts: Accounts): Channel {
  // Its own cursor: on another homeserver, mail of the same account is read by another poll.
  const cursor = `asking:${accounts.ownerId}`;
  return makeMatrixChannel({
    signIn: accounts.clientOfBot,
    forget: accounts.forget,
    people: () =>
      store.access
        .listPeople()
        .filter(({ channel }) => channel === "matrix")
        .map(({ sender }) => sender),
    loadSince: () => store.rooms.cursor(cursor),
    saveSince: (since) => store.rooms.setCursor(cursor, since),
    isBot: (userId) => accounts.findAgent(userId) !== undefined,
    mayInvite: accounts.mayInvite,
    isForUs: (text) => !accounts.isOutside || readPairingCode(text) !== undefined,
  });
}
