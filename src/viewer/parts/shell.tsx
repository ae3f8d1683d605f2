import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isHelpOpen, isPaletteOpen, pageKeys } from "../data/keys.ts";
import { connection } from "../data/live.ts";
import { unread } from "../data/mail.ts";
import { toggleNotifications } from "../data/notifications.ts";
import { isNotifying } from "../data/notifying.ts";
import { openQuestions } from "../data/questions.ts";
import { makeHash, type Page, pages, route } from "../data/route.ts";
import { switchTheme, theme } from "../data/theme.ts";
import { showError } from "../data/toasts.ts";
import { Icon } from "./icon.tsx";

export const pageNames: Record<Page, string> = {
  today: "Today",
  memory: "Memory",
  sessions: "Sessions",
  questions: "Questions",
  rooms: "Rooms",
  blame: "Blame",
  health: "Health",
  settings: "Settings",
};

const keyOf = Object.fromEntries(Object.entries(pageKeys).map(([key, page]) => [page, key]));
const connectionWords = {
  connecting: "connecting …",
  live: "live",
  lost: "connection lost, reconnecting …",
  paused: "paused",
};

/** The frame of every page: navigation and connection state. */
export function Shell({ children }: { children: ComponentChildren }) {
  const { page } = route.value;
  const asked = openQuestions.value.length;
  useTitle(page, asked);
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      <nav class="nav" aria-label="Pages">
        <div class="brand">
          <Icon name="bird" />
          <span>Rookery</span>
        </div>
        <ul>
          {pages.map((name) => (
            <li key={name}>
              <a href={makeHash(name)} aria-current={name === page ? "page" : undefined}>
                <Icon name={name} />
                <span class="nav-name">{pageNames[name]}</span>
                {name === "questions" && <Count of={asked} what="open" />}
                {name === "rooms" && <Count of={unread.value} what="new" />}
                <kbd class="nav-key" aria-hidden="true">
                  g {keyOf[name]}
                </kbd>
              </a>
            </li>
          ))}
        </ul>
        <div class="nav-foot">
          <p class={`connection connection-${connection.value}`} role="status">
            {connectionWords[connection.value]}
          </p>
          <button type="button" class="quiet" onClick={() => (isPaletteOpen.value = true)}>
            Find <kbd aria-hidden="true">Ctrl K</kbd>
          </button>
          <button
            type="button"
            class="quiet"
            aria-pressed={isNotifying.value}
            onClick={() => void toggleNotifications().catch(showError)}
          >
            Notifications: {isNotifying.value ? "on" : "off"}
          </button>
          <button type="button" class="quiet" onClick={switchTheme}>
            Theme: {theme.value} <kbd aria-hidden="true">t</kbd>
          </button>
          <button type="button" class="quiet" onClick={() => (isHelpOpen.value = true)}>
            Keys <kbd aria-hidden="true">?</kbd>
          </button>
        </div>
      </nav>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function Count({ of: count, what }: { of: number; what: string }) {
  if (count === 0) return null;
  return (
    <span class="count">
      {count > 99 ? "99+" : count}
      <span class="visually-hidden"> {what}</span>
    </span>
  );
}

function focusMain(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#main")?.focus();
}

/** Sets the tab title, with the number of open questions; on a page change, moves focus and scroll to the top. */
function useTitle(page: Page, asked: number): void {
  useEffect(() => {
    document.title = `${asked > 0 ? `(${asked}) ` : ""}${pageNames[page]} · Rookery`;
  }, [page, asked]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
    isFirst.current = false;
    scrollTo(0, 0);
  }, [page]);
}
