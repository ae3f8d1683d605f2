/** Loaded when Slack is on. Re-exported by name, because a dynamic import of a bundled CommonJS package has no named exports. */
export { SocketModeClient } from "@slack/socket-mode";
export { WebClient } from "@slack/web-api";
