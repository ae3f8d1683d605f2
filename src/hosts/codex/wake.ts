import type { Host } from "../host.ts";

/** Starts a turn in an idle session; the line is shown as the user's. */
export const wake: NonNullable<Host["wake"]> = ({ sessionId, transcriptPath }, line) => {
  const [, home] = /^(.+)[\\/]sessions[\\/]/.exec(transcriptPath ?? "") ?? [];
  return {
    command: "codex",
    args: ["queue", "--thread", sessionId, "--message", line],
    environment: home === undefined ? {} : { CODEX_HOME: home },
  };
};
