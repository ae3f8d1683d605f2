import type { HostInstall } from "../host.ts";
import { asFields, asFieldsList, asText } from "../fields.ts";

export const install: HostInstall = {
  command: "codex",
  folder: { variable: "CODEX_HOME", name: ".codex" },
  hint: 'Codex asks once whether to trust the hooks: choose "Trust all", or run /hooks. Until then it runs none of them.',
  plugin: {
    list: ["plugin", "list", "--json"],
    readList(printed, pluginId) {
      const listed = asFieldsList(asFields(printed)?.["installed"]);
      const ours = listed.find((plugin) => plugin["pluginId"] === pluginId);
      return (
        ours && {
          version: asText(ours["version"]) ?? "",
          isEnabled: ours["enabled"] === true,
          folder: asText(asFields(ours["source"])?.["path"]) ?? "",
        }
      );
    },
    addMarketplace: (folder) => ["plugin", "marketplace", "add", folder],
    removeMarketplace: (name) => ["plugin", "marketplace", "remove", name],
    install: (pluginId) => ["plugin", "add", pluginId],
    // Replaces Codex's copy.
    update: (pluginId) => ["plugin", "add", pluginId],
    uninstall: (pluginId) => ["plugin", "remove", pluginId],
    cache: "plugins/cache",
    configFile: "config.toml",
    cleanConfig,
    countTrusted: (text, pluginId) => text.split("\n").filter((line) => isTrust(line, pluginId)).length,
  },
};

function isTrust(line: string, pluginId: string): boolean {
  return line.startsWith(`[hooks.state."${pluginId}:`);
}

/** Removes the tables in which Codex keeps the person's trust in our hooks, each with the blank line before it. */
function cleanConfig(text: string, pluginId: string): string {
  const kept: string[] = [];
  let isOurs = false;
  for (const line of text.split("\n")) {
    if (/^\s*\[/.test(line)) {
      const isNext = isTrust(line, pluginId);
      if (isNext && !isOurs && kept.at(-1) === "") kept.pop();
      // The blank line after our tables was the one before this table.
      if (isOurs && !isNext && kept.length > 0) kept.push("");
      isOurs = isNext;
    }
    if (!isOurs) kept.push(line);
  }
  if (isOurs && kept.length > 0) kept.push("");
  const emptyParent = /(?:^|\n)\[hooks\.state\]\n(?=\n*(?:\[(?!hooks\.state\.)|$))/;
  return kept.join("\n").replace(emptyParent, "");
}
