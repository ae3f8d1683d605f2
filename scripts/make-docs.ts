// Writes the reference pages that come from code: docs/errors.md, docs/configuration.md and docs/matrix.md.
import { writeFileSync } from "node:fs";
import { listConfigKeys } from "../src/config/schema.ts";
import { errorRegistry } from "../src/shared/errors.ts";
import { makeMatrixPage } from "./matrix-page.ts";

const page = (name: string, text: string): void =>
  writeFileSync(new URL(`../docs/${name}`, import.meta.url), text);

page(
  "errors.md",
  `# Errors

Made from \`src/shared/errors.ts\` by \`npm run docs\`; a test keeps both equal.

The API answers errors as \`{code, message, hint}\`, the CLI prints message and hint (with \`--json\`: \`{"error": {…}}\`), MCP tools
answer with \`isError\`. Hooks never show one: they exit 0 and the daemon's log has the line.

| kind | HTTP | CLI exit | meaning |
|---|---|---|---|
| invalid | 400 | 2 | what you sent cannot be used as it is |
| denied | 403 (401 without a token) | 3 | you may not |
| missing | 404 | 4 | there is no such thing |
| conflict | 409 | 5 | something else stands in the way |
| unavailable | 503 | 6 | not now |
| bug | 500, text only in the log | 70 | our fault |

## Codes

| code | kind | what to do |
|---|---|---|
${Object.entries(errorRegistry)
  .map(([code, { kind, hint }]) => `| \`${code}\` | ${kind} | ${hint} |`)
  .join("\n")}
`,
);

page(
  "configuration.md",
  `# Configuration

Made from \`src/config/schema.ts\` by \`npm run docs\`; a test keeps both equal.

Nothing needs to be set. Defaults < \`config.json\` in \`ROOKERY_HOME\` < environment. The file holds only what differs:

\`\`\`json
{ "log": { "level": "debug" } }
\`\`\`

\`\`\`sh
rookery config --explain                       # every setting, what it does, and where its value came from
rookery config notify                          # a group
rookery config notify.quietHours 22:00-07:00   # changes one, and starts the daemon again with it
rookery config notify.quietHours --reset       # back to the default
\`\`\`

An unknown key is an error that names the nearest known one. The daemon reads its configuration when it starts: \`rookery restart\` after you edited the file yourself.

## Settings

| key | default | environment | what it does |
|---|---|---|---|
${listConfigKeys()
  .map(
    (key) => `| \`${key.path}\` | \`${JSON.stringify(key.default)}\` | \`${key.env}\` | ${key.description} |`,
  )
  .join("\n")}

## Only in the environment

| variable | meaning |
|---|---|
| \`ROOKERY_HOME\` | where everything is kept; default \`~/.rookery\`. Launcher, hooks, MCP server and CLI all honour it: many homes can live side by side. |
| \`ROOKERY_NODE\` | the Node to run on; default: the first of version 22.16 or newer that the launcher finds. |
| \`ROOKERY_OFF\` | set to anything: the hooks of that session do nothing at all. |
`,
);

page("matrix.md", makeMatrixPage());
