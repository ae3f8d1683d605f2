import type { ChannelError, ChannelHealth } from "../channel.ts";
import { isAboutSetup, isRefusedToken } from "./errors.ts";

/** The channel's health, derived from the latest result of each API method and the state of the socket. */
export interface Health {
  /** Records a call's success, or its error. */
  report(method: string, error?: ChannelError): void;
  socket(state: "connecting" | "ready" | ChannelError): void;
  view(): ChannelHealth;
}

export function makeHealth(): Health {
  const failed = new Map<string, ChannelError>();
  let socket: "connecting" | "ready" | ChannelError = "connecting";

  return {
    report(method, error) {
      if (error && (error.retry === "later" || isAboutSetup(error))) {
        failed.set(method, error);
        return;
      }
      failed.delete(method);
      // Slack is reachable and accepts the token, so earlier failures for those reasons no longer count.
      for (const [name, earlier] of failed)
        if (earlier.retry === "later" || isRefusedToken(earlier)) failed.delete(name);
    },
    socket(state) {
      socket = state;
    },
    view() {
      const errors = [...failed.values(), ...(typeof socket === "string" ? [] : [socket])];
      const permanent = errors.find(({ retry }) => retry === "never");
      if (permanent) return { state: "misconfigured", detail: permanent.message };
      if (errors[0]) return { state: "failing", detail: errors[0].message };
      return { state: socket === "ready" ? "ready" : "connecting", detail: "" };
    },
  };
}
