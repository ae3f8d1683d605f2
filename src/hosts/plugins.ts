import { openPlugin as opencode } from "./opencode/plugin/plugin.ts";

/** The hosts that load a plugin into their own process. The build makes one file of each. */
export const plugins = { opencode } as const;
