/** The sections of the page, in their order. */
export const sections = {
  context: { name: "Memory and context", groups: ["context", "recall", "capture", "embeddings", "folders"] },
  projects: { name: "Projects", groups: [] },
  model: { name: "Model", groups: ["model"] },
  reaching: { name: "Reaching you", groups: ["ask", "notify", "presence", "desktop"] },
  channels: { name: "Channels", groups: ["slack", "telegram", "discord", "ntfy", "webhook"] },
  agents: { name: "Agents and rooms", groups: ["matrix", "delivery"] },
  storage: { name: "Storage and sharing", groups: ["retention", "hub"] },
  daemon: { name: "Daemon", groups: [] },
} as const satisfies Record<string, { name: string; groups: readonly string[] }>;

export type Section = keyof typeof sections;
export const sectionNames = Object.keys(sections) as Section[];

/** The group of a setting: the first part of its path. */
export function groupOf(path: string): string {
  return path.includes(".") ? path.slice(0, path.indexOf(".")) : "daemon";
}

/** The section of a setting. Groups without a section of their own belong to the daemon. */
export function sectionOf(path: string): Section {
  const group = groupOf(path);
  return (
    sectionNames.find((name) => (sections[name].groups as readonly string[]).includes(group)) ?? "daemon"
  );
}

/** The section that the address names. */
export function readSection(id: string | undefined): Section {
  return sectionNames.find((name) => name === id) ?? "context";
}

/** The heading of a group. */
export function nameGroup(group: string): string {
  return group === "ntfy" ? group : group.charAt(0).toUpperCase() + group.slice(1);
}
