/** Loaded when Slack is on. Re-exported by name, because a dynamic import of a bundled CommonJS package has no named exports. */
export { WebClient } from "@slack/web-api";
