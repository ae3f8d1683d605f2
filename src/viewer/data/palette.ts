import { token } from "./access.ts";
import { call } from "./api.ts";
import { isHelpOpen, isPaletteOpen } from "./keys.ts";
import type { PaletteItem } from "./match-items.ts";
import { go, type Page } from "./route.ts";
import { switchTheme } from "./theme.ts";
import { toggleNotifications } from "./notifications.ts";
import { isNotifying } from "./notifying.ts";
import { showError } from "./toasts.ts";

/** The pages, and the actions that need no target. */
export function listCommands(pageNames: Record<Page, string>): PaletteItem[] {
  const pages = Object.entries(pageNames).map(([page, name]): PaletteItem => {
    return {
      id: `page ${page}`,
      kind: "command",
      text: `Go to ${name}`,
      about: "",
      run: () => go(page as Page),
    };
  });
  const command = (text: string, run: () => void): PaletteItem => ({
    id: text,
    kind: "command",
    text,
    about: "",
    run,
  });
  return [
    ...pages,
    command("Switch the theme", switchTheme),
    command(
      isNotifying.value ? "Turn notifications off" : "Turn notifications on",
      () => void toggleNotifications().catch(showError),
    ),
    command("Show all keys", () => {
      isPaletteOpen.value = false;
      isHelpOpen.value = true;
    }),
  ];
}

const maxSessions = 200;

/** The sessions, rooms and settings; a part that cannot be loaded is left out. */
export async function loadItems(): Promise<PaletteItem[]> {
  if (token.value === null) return [];
  const parts = await Promise.allSettled([loadSessions(), loadRooms(), loadSettings()]);
  return parts.flatMap((part) => (part.status === "fulfilled" ? part.value : []));
}

async function loadSessions(): Promise<PaletteItem[]> {
  const { sessions } = await call("GET /api/sessions", { query: { limit: maxSessions } });
  return sessions.map(({ id, agent, project, title, asked }) => ({
    id: `session ${id}`,
    kind: "session",
    text: title || asked || agent,
    about: agent || project,
    run: () => go("sessions", id),
  }));
}

async function loadRooms(): Promise<PaletteItem[]> {
  const { rooms } = await call("GET /api/rooms", {});
  return rooms.map(({ id, name, partner, kind }) => ({
    id: `room ${id}`,
    kind: "room",
    text: partner ?? name,
    about: kind,
    run: () => go("rooms", id),
  }));
}

async function loadSettings(): Promise<PaletteItem[]> {
  const { keys } = await call("GET /api/config", {});
  return keys.map(({ path, description }) => ({
    id: `setting ${path}`,
    kind: "setting",
    text: path,
    about: description,
    run: () => go("settings", undefined, { q: path }),
  }));
}

/** Notes by their meaning, as the page Memory finds them. */
export async function searchNotes(q: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const { results } = await call("GET /api/search", { query: { q, kind: "note", limit: 8 } }, { signal });
  return results.map(({ id, title, project }) => ({
    id: `note ${id}`,
    kind: "note",
    text: title,
    about: project,
    run: () => go("memory", id),
  }));
}
