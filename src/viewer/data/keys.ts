import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { go, type Page, route } from "./route.ts";
import { switchTheme } from "./theme.ts";
import { undoLast } from "./toasts.ts";

export const isHelpOpen = signal(false);
export const isPaletteOpen = signal(false);

/** After `g`, one letter for a page. */
export const pageKeys: Record<string, Page> = {
  t: "today",
  m: "memory",
  s: "sessions",
  q: "questions",
  r: "rooms",
  b: "blame",
  h: "health",
  c: "settings",
};

/** Keys of the mounted components. On a conflict the one mounted last wins. */
const bindings: Record<string, () => void>[] = [];

/** Bound in a layout effect, so that the keys work as soon as the component is visible. */
export function useKeys(keys: Record<string, () => void>, inputs: readonly unknown[] = []): void {
  useLayoutEffect(() => {
    bindings.push(keys);
    return () => void bindings.splice(bindings.indexOf(keys), 1);
  }, inputs);
}

const chordMs = 1_200;

export function startKeys(): void {
  let chordUntil = 0;
  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === "k") {
      event.preventDefault();
      isHelpOpen.value = false;
      isPaletteOpen.value = !isPaletteOpen.value;
      return;
    }
    if (isPaletteOpen.value) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") (event.target as HTMLElement).blur();
      return;
    }
    const isChord = Date.now() < chordUntil;
    chordUntil = 0;
    if (isChord && pageKeys[event.key]) {
      event.preventDefault();
      return go(pageKeys[event.key] as Page);
    }
    if (event.key === "g") {
      chordUntil = Date.now() + chordMs;
      return;
    }
    const action = findAction(event.key);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function findAction(key: string): (() => void) | undefined {
  if (isHelpOpen.value) return key === "Escape" || key === "?" ? closeHelp : undefined;
  return bindings.findLast((keys) => keys[key])?.[key] ?? general[key];
}

function closeHelp(): void {
  isHelpOpen.value = false;
}

const general: Record<string, () => void> = {
  "?": () => {
    isHelpOpen.value = true;
  },
  "/": () => document.querySelector<HTMLElement>("input[type=search]")?.focus(),
  j: () => moveFocus(1),
  k: () => moveFocus(-1),
  t: switchTheme,
  u: undoLast,
  Escape: () => {
    const { page, id, query } = route.value;
    if (id !== undefined) go(page, undefined, query);
  },
};

/** Moves the focus through the rows of the current list. Rows are links, so `Enter` opens them. */
function moveFocus(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  if (rows.length === 0) return;
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? rows.find((row) => row.ariaCurrent === "true") : rows[at + by];
  (next ?? rows[at < 0 ? 0 : at])?.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
    !["checkbox", "radio", "button", "range"].includes((target as HTMLInputElement).type)
  );
}
