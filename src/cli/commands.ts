import type { Command } from "./command.ts";

/** The table of contents of the CLI. Loaded one at a time: `start` runs while a session waits for it. */
export const commands: Record<string, { group: string; load(): Promise<Command> }> = {
  up: { group: "Daily", load: async () => (await import("./commands/up.ts")).up },
  status: { group: "Daily", load: async () => (await import("./commands/status.ts")).status },
  today: { group: "Daily", load: async () => (await import("./commands/today.ts")).today },
  search: { group: "Memory", load: async () => (await import("./commands/search.ts")).search },
  show: { group: "Memory", load: async () => (await import("./commands/show.ts")).show },
  timeline: { group: "Memory", load: async () => (await import("./commands/timeline.ts")).timeline },
  save: { group: "Memory", load: async () => (await import("./commands/save.ts")).save },
  forget: { group: "Memory", load: async () => (await import("./commands/forget.ts")).forget },
  context: { group: "Memory", load: async () => (await import("./commands/context.ts")).contextCommand },
  why: { group: "Memory", load: async () => (await import("./commands/why.ts")).why },
  projects: { group: "Memory", load: async () => (await import("./commands/projects.ts")).projects },
  agents: { group: "Agents", load: async () => (await import("./commands/agents.ts")).agents },
  send: { group: "Agents", load: async () => (await import("./commands/send.ts")).send },
  inbox: { group: "Agents", load: async () => (await import("./commands/inbox.ts")).inbox },
  start: { group: "Daemon", load: async () => (await import("./commands/start.ts")).start },
  stop: { group: "Daemon", load: async () => (await import("./commands/stop.ts")).stop },
  restart: { group: "Daemon", load: async () => (await import("./commands/restart.ts")).restart },
  logs: { group: "Daemon", load: async () => (await import("./commands/logs.ts")).logs },
  doctor: { group: "Daemon", load: async () => (await import("./commands/doctor.ts")).doctor },
  config: { group: "Setup", load: async () => (await import("./commands/config.ts")).config },
  install: { group: "Setup", load: async () => (await import("./commands/install.ts")).install },
  uninstall: { group: "Setup", load: async () => (await import("./commands/uninstall.ts")).uninstall },
  mcp: { group: "Setup", load: async () => (await import("./commands/mcp.ts")).mcp },
};
