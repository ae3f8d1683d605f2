import { daemonFolders, layers } from "../tests/architecture/layer-table.ts";

const block = /<!-- layers -->[\s\S]*<!-- \/layers -->/;

/** docs/architecture.md with the picture of the layers generated from the table. */
export function drawLayers(page: string): string {
  const picture = ["src/", ...draw(layers), "", "src/daemon/", ...draw(daemonFolders)].join("\n");
  return page.replace(block, `<!-- layers -->\n\`\`\`\n${picture}\n\`\`\`\n<!-- /layers -->`);
}

function draw(table: Record<string, string[]>): string[] {
  const width = Math.max(...Object.keys(table).map((name) => name.length));
  return Object.entries(table).map(([name, below]) =>
    `  ${name.padEnd(width)} → ${below.join(", ") || "nothing"}`.trimEnd(),
  );
}
