import type { Host } from "../host.ts";
import { claims } from "./claims.ts";
import { commands } from "./commands.ts";
import { demoCalls } from "./demo-calls.ts";
import { events } from "./events.ts";
import { install } from "./install.ts";
import { marks } from "./marks.ts";
import { isMachinePrompt, readMachinePrompt } from "./prompts.ts";
import { replies } from "./replies.ts";
import { requests } from "./requests.ts";
import { tools } from "./tools.ts";
import { transcripts } from "./transcript/transcripts.ts";

export const claudeCode: Host & { install: typeof install } = {
  name: "claude-code",
  marks,
  events,
  tools,
  prompts: { isMachine: isMachinePrompt, readMachine: readMachinePrompt },
  requests,
  replies,
  commands,
  transcripts,
  install,
  demoCalls,
  claims,
};
