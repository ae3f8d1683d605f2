import type { Channel } from "../../channels/channel.ts";
import { readOwnerName } from "../../config/owner-name.ts";
import { parseQuietHours } from "../../domain/ask/quiet-hours.ts";
import type { Handlers } from "../../http/handlers.ts";
import type { Peer } from "../../http/peer.ts";
import type { reachEndpoints } from "../../protocol/endpoints/reach.ts";
import { type ChannelView, describeNewPresence, type PresenceView } from "../../protocol/reach.ts";
import { type Audit, openAudit } from "./audit.ts";
import { type CallerCheck, makeCallerCheck } from "./caller.ts";
import { type Consents, openConsents } from "./consents.ts";
import { makeInbox } from "./inbox.ts";
import { openNotifications } from "./notifications.ts";
import { openPairing } from "./pairing.ts";
import { openPresence, type PresenceWatch } from "./presence.ts";
import type { Questions } from "./questions.ts";
import { makeReachHandlers, viewChannels, viewPresence } from "./reach-api.ts";
import type { Reach } from "./reach.ts";
import { openReach } from "./open-reach.ts";
import { makeRequirePerson, type RequirePerson } from "./require-person.ts";
import { openStatusLine } from "./statusline.ts";
import { openTerminals } from "./terminals.ts";
import type { DaemonContext } from "../runtime/context.ts";

export interface PersonLink {
  reach: Reach;
  presence: PresenceWatch;
  audit: Audit;
  caller: CallerCheck;
  requirePerson: RequirePerson;
  /** The secrets of viewer tabs, and whether a caller may get one. */
  consents: Consents;
  isPerson(peer: Peer): Promise<boolean>;
  handlers: Handlers<typeof reachEndpoints>;
  /** Marks a viewer as open until the returned function is called. */
  openViewer(): () => void;
  /** Runs a slash command that only sets presence, and returns the result. */
  runCommand(name: string): string | undefined;
  viewPresence(): PresenceView;
  viewChannels(): ChannelView[];
  start(): void;
  stop(): Promise<void>;
}

interface PersonLinkDeps extends Pick<DaemonContext, "store" | "bus" | "log" | "clock" | "config"> {
  questions: Questions;
  channels: readonly Channel[];
  statusLineFile: string;
}

/** Builds all components that connect the daemon with the person. */
export function openPersonLink(deps: PersonLinkDeps): PersonLink {
  const { store, log, clock, config, channels } = deps;
  const { done, failed, idle, needsInput, news, doneAfterSeconds, quietHours } = config.notify;
  const presence = openPresence({
    ...deps,
    terminals: openTerminals(),
    awayMs: config.presence.awaySeconds * 1000,
    quietHours: parseQuietHours(quietHours),
  });
  const audit = openAudit(store, log, clock);
  const pairing = openPairing(store, audit, clock);
  const reach = openReach({
    ...deps,
    presence,
    inbox: makeInbox({ ...deps, pairing, audit }),
    wanted: { done, failed, idle, "needs-input": needsInput, news },
  });
  const notifications = openNotifications({ ...deps, reach, doneAfterMs: doneAfterSeconds * 1000 });
  const statusLine = openStatusLine({ ...deps, file: deps.statusLineFile, presence });
  const caller = makeCallerCheck(store);
  const consents = openConsents();
  const requirePerson = makeRequirePerson(caller, consents, audit);
  return {
    reach,
    presence,
    audit,
    caller,
    requirePerson,
    consents,
    isPerson: async (peer) => !peer?.isAgent && (await caller.mayDecide(peer, { needsTerminal: true })).may,
    openViewer: reach.openViewer,
    handlers: makeReachHandlers({
      ...deps,
      caller,
      presence,
      reach,
      pairing,
      audit,
      requirePerson,
      owner: readOwnerName(config),
    }),
    runCommand(name) {
      if (name !== "away" && name !== "here") return undefined;
      presence.set(name);
      return describeNewPresence(viewPresence(presence, reach));
    },
    viewPresence: () => viewPresence(presence, reach),
    viewChannels: () => viewChannels(channels, store),
    start() {
      presence.start();
      reach.start();
      for (const { channel, expiresAt } of pairing.pending())
        channels.find(({ name }) => name === channel)?.expectCode?.(expiresAt);
      notifications.start();
      statusLine.start();
    },
    async stop() {
      statusLine.stop();
      notifications.stop();
      presence.stop();
      await reach.stop();
    },
  };
}
