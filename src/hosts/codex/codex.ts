import type { Host } from "../host.ts";
import { claims } from "./claims.ts";
import { demoCalls } from "./demo-calls.ts";
import { dialogs } from "./dialogs.ts";
import { events } from "./events.ts";
import { install } from "./install.ts";
import { isMachineLine } from "./machine-lines.ts";
import { marks } from "./marks.ts";
import { replies } from "./replies.ts";
import { requests } from "./requests.ts";
import { tools } from "./tools.ts";
import { transcripts } from "./transcripts.ts";

/** Starts a turn in an idle session; the line is shown as the user's. */
const wake: NonNullable<Host["wake"]> = ({ sessionId, transcriptPath }, line) => {
  const [, home] = /^(.+)[\\/]sessions[\\/]/.exec(transcriptPath ?? "") ?? [];
  return {
    command: "codex",
    args: ["queue", "--thread", sessionId, "--message", line],
    environment: home === undefined ? {} : { CODEX_HOME: home },
  };
};

export const codex: Host = {
  name: "codex",
  marks,
  events,
  tools,
  prompts: { isMachine: isMachineLine, readMachine: (text) => text },
  requests,
  replies,
  transcripts,
  install,
  demoCalls,
  claims,
  dialogs,
  wake,
};
