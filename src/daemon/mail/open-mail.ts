import type { Channel } from "../../channels/channel.ts";
import type { Config } from "../../config/schema.ts";
import type { MailBackend } from "../../http/mail-backend.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { AgentViews } from "../ask/agent-views.ts";
import type { Bus } from "../runtime/bus.ts";
import type { Deliveries } from "../delivery/deliveries.ts";
import { openMatrixAsking } from "./asking.ts";
import { indexMessages } from "./index-messages.ts";
import type { Leasing } from "./leasing.ts";
import { openMail } from "./mail.ts";
import { makeMailApi } from "./mail-api.ts";
import type { MatrixHome } from "../matrix/matrix-home.ts";
import type { Speakers } from "./speaker.ts";
import { openTaskBook } from "./task-book.ts";

/** Everything about agents talking, for whoever composes the daemon. */
export interface MailParts {
  api: MailBackend;
  start(): void;
  stop(): Promise<void>;
}

export interface MailPartsDeps {
  store: Store;
  bus: Bus;
  log: Log;
  clock: Clock;
  deliveries: Deliveries;
  agents: AgentViews;
  leasing: Leasing;
  speakers: Speakers;
  /** Undefined where Matrix is off. */
  matrix: MatrixHome | undefined;
  config: Config["matrix"];
}

/** The ways to ask the person that come with it. */
export function openMailChannels(store: Store, matrix: MatrixHome | undefined): Channel[] {
  return matrix ? [openMatrixAsking(store, matrix.accounts)] : [];
}

export function openMailParts(deps: MailPartsDeps): MailParts {
  const { store, bus, log, clock, deliveries, agents, leasing, matrix, config } = deps;
  if (!matrix) return { api: makeSilentMail(), start() {}, async stop() {} };
  const { accounts, face, owner, end } = matrix;
  indexMessages(store, bus);
  const { hops, perPairAndMinute, perHour } = config;
  const limits = { hops, perPairAndMinute, perHour };
  const mail = openMail({ store, bus, log, clock, accounts, agents, deliveries, owner, limits, end });
  const api = makeMailApi({
    store,
    bus,
    mail,
    leasing,
    accounts,
    face,
    owner,
    speakers: deps.speakers,
    tasks: openTaskBook(store, bus, clock),
  });
  return { api, start: mail.start, stop: mail.stop };
}

/** Where Matrix is switched off, there is nothing to show and nobody to talk to. */
function makeSilentMail(): MailBackend {
  const refuse = (): never => {
    throw new AppError("matrix_off", "Agents do not talk here: Matrix is switched off.");
  };
  return {
    rooms: refuse,
    createRoom: refuse,
    members: refuse,
    markRead: refuse,
    setKeepDays: refuse,
    history: refuse,
    inbox: refuse,
    send: refuse,
    tasks: refuse,
    createTask: refuse,
    changeTask: refuse,
    leases: refuse,
    takeLease: refuse,
    releaseLease: refuse,
    matrix: refuse,
    invite: refuse,
  };
}
