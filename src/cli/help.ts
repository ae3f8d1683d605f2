import type { Command } from "./command.ts";
import { commands } from "./commands.ts";

export async function formatOverview(version: string): Promise<string> {
  const lines = [
    `Rookery ${version}: memory, a line to you, and mail for coding agents.`,
    "",
    "Usage: rookery COMMAND [options]",
  ];
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, entry]) => ({
      name,
      group: entry.group,
      summary: (await entry.load()).summary,
    })),
  );
  for (const group of new Set(loaded.map((entry) => entry.group))) {
    lines.push("", `${group}:`);
    for (const { name, summary } of loaded.filter((entry) => entry.group === group))
      lines.push(`  ${name.padEnd(10)} ${summary}`);
  }
  return [
    ...lines,
    "",
    "Every command takes --help and --json.",
    "Home: $ROOKERY_HOME, or ~/.rookery.  Example: rookery status",
  ].join("\n");
}

export function formatHelp(name: string, command: Command): string {
  const lines = [command.summary, "", `Usage: rookery ${name} ${command.usage}`.trimEnd()];
  const help = { ...command.optionHelp, json: "print JSON", help: "this text" };
  lines.push("", "Options:");
  for (const [flag, text] of Object.entries(help)) lines.push(`  --${flag.padEnd(14)} ${text}`);
  lines.push("", command.examples.length === 1 ? "Example:" : "Examples:");
  for (const example of command.examples) lines.push(`  ${example}`);
  return lines.join("\n");
}
