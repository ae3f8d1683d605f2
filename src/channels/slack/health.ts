import type { ChannelError, ChannelHealth } from "../channel.ts";
import { isAboutSetup, isRefusedToken } from "./errors.ts";

/** How it goes, from what Slack answered last. */
export interface Health {
  /** A call came out well, or failed. */
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
      // Slack is there and takes the token: whatever failed for want of that may be well again.
      for (const [name, earlier] of failed)
        if (earlier.retry === "later" || isRefusedToken(earlier)) failed.delete(name);
    },
    socket(state) {
      socket = state;
    },
    view() {
      const errors = [...failed.values(), ...(typeof socket === "string" ? [] : [socket])];
      const lasting = errors.find(({ retry }) => retry === "never");
      if (lasting) return { state: "misconfigured", detail: lasting.message };
      if (errors[0]) return { state: "failing", detail: errors[0].message };
      return { state: socket === "ready" ? "ready" : "connecting", detail: "" };
    },
  };
}
