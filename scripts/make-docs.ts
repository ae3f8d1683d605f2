// Writes the reference pages that come from code: docs/errors.md, docs/configuration.md, docs/matrix.md, and the layers in docs/architecture.md.
import { readFileSync, writeFileSync } from "node:fs";
import { listConfigKeys } from "../src/config/schema.ts";
import { errorRegistry } from "../src/shared/errors.ts";
import { drawLayers } from "./layer-picture.ts";
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

## Settings that only you may change

Some settings name where something is sent, what is run, who may answer or what is kept out, or they spend money. They are marked **you** below. An agent cannot
change them: the command line, \`rookery setup\` and \`PATCH /api/config\` refuse ([reaching-you.md](reaching-you.md#the-agent-cannot-approve-itself)), and every change and
every refusal is in \`rookery audit\`.

An agent can also edit \`config.json\`, or start the daemon with variables of its own. A marked setting that was changed that way is not in force: the daemon keeps the value
that you confirmed last, \`rookery status\`, \`rookery doctor\` and the viewer name the setting, and you decide:

\`\`\`sh
rookery config --accept                        # in a terminal of your own: put these changes in force (also after you edited the file yourself)
rookery config slack.apiUrl --reset            # or set one back to its default
\`\`\`

The settings of the first start in a new home count as confirmed.

## Settings

| key | default | environment | changed by | what it does |
|---|---|---|---|---|
${listConfigKeys()
  .map(
    (key) =>
      `| \`${key.path}\` | \`${JSON.stringify(key.default)}\` | \`${key.env}\` | ${key.personOnly ? "**you**" : "anyone"} | ${key.description} |`,
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

page(
  "architecture.md",
  drawLayers(readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8")),
);
