import type { Store } from "../../store/open-store.ts";
import type { Bus } from "../runtime/bus.ts";
import type { Contributor } from "../capture/hook-reply.ts";

/** Shows the user a notice about Rookery itself, once, at a session start or a prompt. */
export function makeNotices(store: Store, bus: Bus, makeEntry: () => string): Contributor {
  let pausedBecause: string | undefined;
  let hasShownDamage = false;
  // Shown afterwards: a hook gets no reply while its event cannot be stored.
  bus.subscribe(({ event }) => {
    if (event.type === "health.changed" && event.status === "paused") pausedBecause = event.reason;
  });

  return (moment) => {
    if (moment.event !== "session.started" && moment.event !== "prompt") return undefined;
    // A program that posts events shows the user nothing, and must not get the sign-in link.
    if (store.events.byId(moment.eventId)?.via === "api") return undefined;
    const messages: string[] = [];
    if (!store.meta.get("welcomed") && moment.event === "session.started") {
      store.meta.set("welcomed", new Date().toISOString());
      messages.push(
        `Rookery is on. This session is agent ${moment.agent.name}. ${describeReach(store)} ` +
          `See it in your browser (this link signs you in, once, within ten minutes): ${makeEntry()} · Remove: rookery uninstall`,
      );
    }
    if (!hasShownDamage && store.damagedCopy) {
      messages.push(
        `Rookery found its database damaged and started a new one. The old one is kept: ${store.damagedCopy}`,
      );
    } else if (!hasShownDamage && store.suspicion) {
      messages.push(
        `Rookery had trouble with its database: ${store.suspicion}. It verified the current file and keeps using it.`,
      );
    }
    hasShownDamage = true;
    if (pausedBecause) {
      messages.push(
        `Rookery could not write for a while (${pausedBecause}). It works again and is storing the spooled events. Keep some disk space free.`,
      );
      pausedBecause = undefined;
    }
    return messages.length === 0 ? undefined : { systemMessage: messages.join("\n") };
  };
}

function describeReach(store: Store): string {
  return store.hub.links().length === 0
    ? "Memory stays on this machine: no model is called and nothing is sent."
    : "No model is called. Notes of shared projects go to your hub: rookery hub status.";
}
