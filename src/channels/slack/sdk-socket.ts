/** Loaded when Slack is on with an app-level token; see sdk-web.ts. */
export { SocketModeClient } from "@slack/socket-mode";
