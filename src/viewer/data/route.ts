import { signal } from "@preact/signals";

export const pages = ["now", "memory", "sessions", "questions", "rooms", "health", "settings"] as const;
export type Page = (typeof pages)[number];

export interface Route {
  page: Page;
  id: string | undefined;
  query: Record<string, string>;
}

/** `#/memory/ID?q=words`. What cannot be read is the first page. */
export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?");
  const [name = "", id] = path.split("/");
  const page = (pages as readonly string[]).includes(name) ? (name as Page) : "now";
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
    return text; // Not an address that we made: there will be no such id.
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

/** The same place, said better: no step back leads here. */
export function replaceRoute(page: Page, id?: string, query?: Record<string, string | undefined>): void {
  history.replaceState(null, "", makeHash(page, id, query));
  route.value = parseRoute(location.hash);
}
