import { userInfo } from "node:os";
import type { Config } from "../../config/schema.ts";
import type { MailBackend } from "../../http/mail-backend.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { Bus } from "../bus.ts";
import type { Deliveries } from "../deliveries.ts";
import type { Contributor } from "../hook-reply.ts";
import type { EmbeddedHomeserver } from "../homeserver.ts";
import { openEmbeddedAccounts } from "./accounts.ts";
import { openLeasing } from "./leasing.ts";
import { openMail } from "./mail.ts";
import { makeMailApi } from "./mail-api.ts";
import { openTaskBook } from "./task-book.ts";

/** Everything about agents talking, for whoever composes the daemon. */
export interface MailParts {
  api: MailBackend;
  /** Warns of another's lease before a file is changed. */
  contribute: Contributor;
  start(): void;
  stop(): Promise<void>;
}

export interface MailPartsDeps {
  store: Store;
  bus: Bus;
  log: Log;
  clock: Clock;
  deliveries: Deliveries;
  /** Undefined where Matrix is off. */
  homeserver: EmbeddedHomeserver | undefined;
  config: Config["matrix"];
}

export function openMailParts(deps: MailPartsDeps): MailParts {
  const { store, bus, log, clock, deliveries, homeserver, config } = deps;
  const leasing = openLeasing(store, bus, clock);
  if (!homeserver) return { api: refuseAll, contribute: leasing.contribute, start() {}, async stop() {} };
  const { serverName } = config;
  const owner = config.owner || nameOwner();
  const accounts = openEmbeddedAccounts({ store, homeserver, serverName, owner });
  const limits = { hops: config.hops, perPairAndMinute: config.perPairAndMinute, perHour: config.perHour };
  const mail = openMail({ store, bus, log, clock, accounts, deliveries, owner, limits });
  const tasks = openTaskBook(store, bus, clock);
  const publicUrl = config.publicUrl || undefined;
  const api = makeMailApi({
    store,
    mail,
    tasks,
    leasing,
    accounts,
    homeserver,
    serverName,
    owner,
    publicUrl,
  });
  return { api, contribute: leasing.contribute, start: mail.start, stop: mail.stop };
}

/** The user's own name, as far as it can be one on a homeserver. */
function nameOwner(): string {
  return (
    userInfo()
      .username.toLowerCase()
      .replace(/[^a-z0-9._-]/g, "") || "owner"
  );
}

const refuseAll = new Proxy({} as MailBackend, {
  get: () => () => {
    throw new AppError("matrix_off", "Agents do not talk here: Matrix is switched off.");
  },
});
