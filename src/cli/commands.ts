import type { CommandTable } from "./command.ts";

/**
 * All commands, each loaded on demand, because a session waits for `start`. Only `up`, `start` and `restart` upgrade an
 * installation.
 */
export const commands: CommandTable = {
  up: { group: "Daily", load: async () => (await import("./commands/up.ts")).up },
  status: {
    group: "Daily",
    usesDaemon: true,
    load: async () => (await import("./commands/status.ts")).status,
  },
  open: { group: "Daily", needsDaemon: true, load: async () => (await import("./commands/open.ts")).open },
  demo: { group: "Daily", load: async () => (await import("./commands/demo.ts")).demo },
  today: { group: "Daily", needsDaemon: true, load: async () => (await import("./commands/today.ts")).today },
  search: {
    group: "Memory",
    needsDaemon: true,
    load: async () => (await import("./commands/search.ts")).search,
  },
  show: { group: "Memory", needsDaemon: true, load: async () => (await import("./commands/show.ts")).show },
  blame: {
    group: "Memory",
    needsDaemon: true,
    load: async () => (await import("./commands/blame.ts")).blame,
  },
  timeline: {
    group: "Memory",
    needsDaemon: true,
    load: async () => (await import("./commands/timeline.ts")).timeline,
  },
  supersede: {
    group: "Memory",
    needsDaemon: true,
    load: async () => (await import("./commands/supersede.ts")).supersede,
  },
  pin: { group: "Memory", needsDaemon: true, load: async () => (await import("./commands/pin.ts")).pin },
  save: { group: "Memory", needsDaemon: true, load: async () => (await import("./commands/save.ts")).save },
  forget: {
    group: "Memory",
    needsDaemon: true,
    load: async () => (await import("./commands/forget.ts")).forget,
  },
  context: {
    group: "Memory",
    needsDaemon: true,
    load: async () => (await import("./commands/context.ts")).contextCommand,
  },
  why: { group: "Memory", needsDaemon: true, load: async () => (await import("./commands/why.ts")).why },
  import: {
    group: "Memory",
    needsDaemon: true,
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  export: {
    group: "Memory",
    needsDaemon: true,
    load: async () => (await import("./commands/export.ts")).exportCommand,
  },
  folders: {
    group: "Memory",
    needsDaemon: true,
    load: async () => (await import("./commands/folders.ts")).folders,
  },
  compact: {
    group: "Memory",
    needsDaemon: true,
    load: async () => (await import("./commands/compact.ts")).compact,
  },
  restore: { group: "Memory", load: async () => (await import("./commands/restore.ts")).restore },
  projects: {
    group: "Memory",
    needsDaemon: true,
    load: async () => (await import("./commands/projects.ts")).projects,
  },
  spend: {
    group: "Memory",
    needsDaemon: true,
    load: async () => (await import("./commands/spend.ts")).spend,
  },
  questions: {
    group: "Asking",
    needsDaemon: true,
    load: async () => (await import("./commands/questions.ts")).questions,
  },
  answer: {
    group: "Asking",
    needsDaemon: true,
    load: async () => (await import("./commands/answer.ts")).answer,
  },
  ask: { group: "Asking", needsDaemon: true, load: async () => (await import("./commands/ask.ts")).ask },
  notify: {
    group: "Asking",
    needsDaemon: true,
    load: async () => (await import("./commands/notify.ts")).notify,
  },
  agents: {
    group: "Agents",
    needsDaemon: true,
    load: async () => (await import("./commands/agents.ts")).agents,
  },
  send: { group: "Agents", needsDaemon: true, load: async () => (await import("./commands/send.ts")).send },
  inbox: {
    group: "Agents",
    needsDaemon: true,
    load: async () => (await import("./commands/inbox.ts")).inbox,
  },
  rooms: {
    group: "Agents",
    needsDaemon: true,
    load: async () => (await import("./commands/rooms.ts")).rooms,
  },
  tasks: {
    group: "Agents",
    needsDaemon: true,
    load: async () => (await import("./commands/tasks.ts")).tasks,
  },
  leases: {
    group: "Agents",
    needsDaemon: true,
    load: async () => (await import("./commands/leases.ts")).leases,
  },
  matrix: {
    group: "Agents",
    needsDaemon: true,
    load: async () => (await import("./commands/matrix.ts")).matrix,
  },
  hub: { group: "Team", needsDaemon: true, load: async () => (await import("./commands/hub.ts")).hub },
  share: { group: "Team", needsDaemon: true, load: async () => (await import("./commands/share.ts")).share },
  unshare: {
    group: "Team",
    needsDaemon: true,
    load: async () => (await import("./commands/share.ts")).unshare,
  },
  away: { group: "You", needsDaemon: true, load: async () => (await import("./commands/presence.ts")).away },
  here: { group: "You", needsDaemon: true, load: async () => (await import("./commands/presence.ts")).here },
  pair: { group: "You", needsDaemon: true, load: async () => (await import("./commands/pair.ts")).pair },
  audit: { group: "You", needsDaemon: true, load: async () => (await import("./commands/audit.ts")).audit },
  outbox: {
    group: "You",
    needsDaemon: true,
    load: async () => (await import("./commands/outbox.ts")).outbox,
  },
  start: { group: "Daemon", load: async () => (await import("./commands/start.ts")).start },
  stop: { group: "Daemon", load: async () => (await import("./commands/stop.ts")).stop },
  restart: { group: "Daemon", load: async () => (await import("./commands/restart.ts")).restart },
  logs: { group: "Daemon", usesDaemon: true, load: async () => (await import("./commands/logs.ts")).logs },
  doctor: { group: "Daemon", load: async () => (await import("./commands/doctor.ts")).doctor },
  config: {
    group: "Setup",
    usesDaemon: true,
    load: async () => (await import("./commands/config.ts")).config,
  },
  setup: { group: "Setup", usesDaemon: true, load: async () => (await import("./commands/setup.ts")).setup },
  install: { group: "Setup", load: async () => (await import("./commands/install.ts")).install },
  uninstall: { group: "Setup", load: async () => (await import("./commands/uninstall.ts")).uninstall },
  statusline: { group: "Setup", load: async () => (await import("./commands/statusline.ts")).statusline },
  mcp: { group: "Setup", load: async () => (await import("./commands/mcp.ts")).mcp },
  completion: { group: "Setup", load: async () => (await import("./commands/completion.ts")).completion },
  help: { group: "Setup", load: async () => (await import("./commands/help.ts")).help },
};
