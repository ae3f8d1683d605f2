/** Loaded when Slack is on. By its name here: a bundled CommonJS package has none when it is imported dynamically. */
export { WebClient } from "@slack/web-api";
