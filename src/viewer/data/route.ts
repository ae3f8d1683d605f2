import { signal } from "@preact/signals";

export const pages = [
  "today",
  "memory",
  "sessions",
  "questions",
  "rooms",
  "blame",
  "health",
  "settings",
] as const;
export type Page = (typeof pages)[number];

interface Route {
  page: Page;
  id: string | undefined;
  query: Record<string, string>;
}

/** Parses `#/memory/ID?q=words`. Unknown pages fall back to the front page. */
export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?");
  const [name = "", id] = path.split("/");
  const page = (pages as readonly string[]).includes(name) ? (name as Page) : "today";
  return {
    page,
    id: id ? decode(id) : undefined,
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

export function makeHash(page: Page, id?: string, query: Record<string, string | undefined> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) parameters.set(name, value);
  const search = parameters.toString();
  return `#/${page}${id ? `/${encodeURIComponent(id)}` : ""}${search ? `?${search}` : ""}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Not a hash that makeHash produced; no id will match.
  }
}

export const route = signal<Route>(parseRoute(""));

export function startRouting(): void {
  const read = (): void => {
    route.value = parseRoute(location.hash);
  };
  addEventListener("hashchange", read);
  read();
}

export function go(page: Page, id?: string, query?: Record<string, string | undefined>): void {
  location.hash = makeHash(page, id, query);
}

/** Changes the address without adding a history entry. */
export function replaceRoute(page: Page, id?: string, query?: Record<string, string | undefined>): void {
  history.replaceState(null, "", makeHash(page, id, query));
  route.value = parseRoute(location.hash);
}
