import { userInfo } from "node:os";
import type { Config } from "../../config/schema.ts";
import type { MailBackend } from "../../http/mail-backend.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { AgentViews } from "../agent-views.ts";
import type { CallerCheck } from "../ask/caller.ts";
import type { Bus } from "../bus.ts";
import type { Deliveries } from "../deliveries.ts";
import type { EmbeddedHomeserver } from "../homeserver.ts";
import { openEmbeddedAccounts } from "./accounts.ts";
import { faceEmbedded } from "./homeserver-face.ts";
import type { Leasing } from "./leasing.ts";
import { openMail } from "./mail.ts";
import { makeMailApi } from "./mail-api.ts";
import { makeSpeakers } from "./speaker.ts";
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
  caller: CallerCheck;
  /** Undefined where Matrix is off. */
  homeserver: EmbeddedHomeserver | undefined;
  config: Config["matrix"];
}

export function openMailParts(deps: MailPartsDeps): MailParts {
  const { store, bus, log, clock, deliveries, agents, leasing, homeserver, config } = deps;
  if (!homeserver) return { api: makeSilentMail(), start() {}, async stop() {} };
  const { serverName, hops, perPairAndMinute, perHour } = config;
  const owner = config.owner || nameOwner();
  const ending = new AbortController();
  const accounts = openEmbeddedAccounts({ store, homeserver, serverName, owner, ending: ending.signal });
  const mail = openMail({
    ...{ store, bus, log, clock, accounts, agents, deliveries, owner },
    limits: { hops, perPairAndMinute, perHour },
    end: () => ending.abort(),
  });
  const api = makeMailApi({
    ...{ store, mail, leasing, accounts, owner },
    tasks: openTaskBook(store, bus, clock),
    speakers: makeSpeakers(store, deps.caller),
    face: faceEmbedded(homeserver, serverName, config.publicUrl),
  });
  return { api, start: mail.start, stop: mail.stop };
}

/** The user's own name, as far as it can be one on a homeserver. */
function nameOwner(): string {
  return (
    userInfo()
      .username.toLowerCase()
      .replace(/[^a-z0-9._-]/g, "") || "owner"
  );
}

/** Where Matrix is switched off, there is nothing to show and nobody to talk to. */
function makeSilentMail(): MailBackend {
  const refuse = (): never => {
    throw new AppError("matrix_off", "Agents do not talk here: Matrix is switched off.");
  };
  return {
    rooms: refuse,
    createRoom: refuse,
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
