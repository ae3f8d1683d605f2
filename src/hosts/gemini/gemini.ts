import type { Host } from "../host.ts";
import { isWakeLine } from "../wake-line.ts";
import { claims } from "./claims.ts";
import { demoCalls } from "./demo-calls.ts";
import { events } from "./events.ts";
import { install } from "./install.ts";
import { marks } from "./marks.ts";
import { replies } from "./replies.ts";
import { requests } from "./requests.ts";
import { tools } from "./tools.ts";
import { transcripts } from "./transcripts.ts";

export const gemini: Host = {
  name: "gemini",
  marks,
  events,
  tools,
  prompts: { isMachine: isWakeLine, readMachine: (text) => text },
  requests,
  replies,
  transcripts,
  install,
  demoCalls,
  claims,
};
