import type { Store } from "../store/open-store.ts";
import type { Contributor } from "./hook-reply.ts";

/** Tells the user, once and at the first prompt or start, what they should know about Rookery itself. */
export function makeNotices(store: Store, paused: () => string | undefined, url: () => string): Contributor {
  let toldPaused = false;
  let toldSetAside = false;

  return (moment) => {
    if (moment.event !== "SessionStart" && moment.event !== "UserPromptSubmit") return undefined;
    const messages: string[] = [];
    if (!store.meta.get("welcomed") && moment.event === "SessionStart") {
      store.meta.set("welcomed", new Date().toISOString());
      messages.push(
        `Rookery is on: this session is agent ${moment.agent.name}. It remembers locally, sends nothing anywhere and uses no tokens. ` +
          `Look: /rookery:status or ${url()} · Leave: claude plugin uninstall rookery`,
      );
    }
    if (store.setAside && !toldSetAside) {
      toldSetAside = true;
      messages.push(
        `Rookery found its database damaged and started a new one. The old one is kept: ${store.setAside}`,
      );
    }
    const reason = paused();
    if (!reason) toldPaused = false;
    else if (!toldPaused) {
      toldPaused = true;
      messages.push(
        `Rookery cannot write (${reason}): events wait in its spool and nothing is lost. Free some disk space; it resumes by itself.`,
      );
    }
    return messages.length === 0 ? undefined : { systemMessage: messages.join("\n") };
  };
}
