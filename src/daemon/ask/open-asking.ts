import type { Channel } from "../../channels/channel.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { readOwnerName } from "../../config/owner-name.ts";
import type { Handlers } from "../../http/handlers.ts";
import type { askEndpoints } from "../../protocol/endpoints/ask.ts";
import type { channelEndpoints } from "../../protocol/endpoints/channels.ts";
import type { reachEndpoints } from "../../protocol/endpoints/reach.ts";
import { openWaitingBoard } from "../capture/waiting-board.ts";
import type { Deliveries } from "../delivery/deliveries.ts";
import { makeAskHandlers } from "./ask-api.ts";
import { openAudit } from "./audit.ts";
import { makeChannelHandlers, openChannels } from "./channels.ts";
import { followHost } from "./follow-host.ts";
import { type HookQuestions, openHookQuestions } from "./hook-questions.ts";
import { openHumanAsks } from "./human-asks.ts";
import { indexAnswers } from "./index-answers.ts";
import { openQuestionBook } from "./question-book.ts";
import type { Questions } from "./questions.ts";
import { unpairOnServiceChange } from "./pairing.ts";
import { openPersonLink, type PersonLink } from "./person-link.ts";
import type { DaemonContext } from "../runtime/context.ts";

export interface Asking {
  handlers: Handlers<typeof askEndpoints & typeof reachEndpoints & typeof channelEndpoints>;
  /** Questions of waiting hooks. */
  hooks: HookQuestions;
  person: PersonLink;
  questions: Questions;
  /** Call it before the spool sweep: a spooled event may end a question. */
  start(): void;
  stop(): void;
}

interface AskPartsDeps
  extends Pick<DaemonContext, "home" | "environment" | "store" | "bus" | "log" | "clock"> {
  loaded: LoadedConfig;
  deliveries: Deliveries;
  /** Channels provided by other components. */
  channels: readonly Channel[];
}

/** Builds the question components and every channel to the person. */
export function openAsking(deps: AskPartsDeps): Asking {
  const { home, loaded, store, bus, log, clock } = deps;
  const { config } = loaded;
  const book = openQuestionBook(deps);
  const { channels: own, marks, webhook } = openChannels({ ...deps, secretsFile: home.secrets });
  const { enabled, homeserver, command } = config.matrix;
  const matrixMark = homeserver === "managed" ? `managed ${command}` : homeserver;
  unpairOnServiceChange(store, openAudit(store, log, clock), {
    slack: { mark: marks.slack, reason: "another address or token" },
    telegram: { mark: marks.telegram, reason: "another address or token" },
    discord: { mark: marks.discord, reason: "another address or token" },
    ntfy: { mark: marks.ntfy, reason: "another server or topic" },
    webhook: { mark: marks.webhook, reason: "another address or secret" },
    matrix: { mark: enabled ? matrixMark : undefined, reason: "another homeserver" },
  });
  const channels = [...own, ...deps.channels];
  const person = openPersonLink({
    ...deps,
    config,
    questions: book,
    channels,
    statusLineFile: home.statusLine,
  });
  const hooks = openHookQuestions({
    ...deps,
    book,
    board: openWaitingBoard(home.reply),
    spoolFolder: home.spool,
    canReach: () => config.ask.always || person.reach.canReach(),
    isAway: () => !person.presence.judge().isHere,
    ...config.ask,
  });
  const owner = readOwnerName(config);
  const asks = openHumanAsks({ ...deps, book, owner, ...config.ask });
  followHost({ ...deps, book });
  indexAnswers(store, bus, clock);
  return {
    handlers: {
      ...makeAskHandlers({ ...deps, book, asks, person, owner }),
      ...person.handlers,
      ...makeChannelHandlers(channels, webhook, clock, person),
    },
    hooks,
    person,
    questions: book,
    start() {
      hooks.start();
      asks.start();
    },
    stop() {
      hooks.stop();
      asks.stop();
    },
  };
}
