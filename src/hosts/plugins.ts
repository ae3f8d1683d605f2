import { openPlugin as copilot } from "./copilot/plugin/plugin.ts";
import { openPlugin as opencode } from "./opencode/plugin/plugin.ts";

/** The plugins that hosts load, in their own process or in a child of it. The build makes one file of each. */
export const plugins = {
  copilot: { open: copilot, isChild: true },
  opencode: { open: opencode, isChild: false },
} as const;
