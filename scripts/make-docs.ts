// Writes the reference pages that come from code: docs/api.md, docs/errors.md, docs/configuration.md, docs/matrix.md, the layers in docs/architecture.md, and the table of what works in docs/hosts.md.
import { readFileSync, writeFileSync } from "node:fs";
import { listConfigKeys } from "../src/config/schema.ts";
import { errorRegistry } from "../src/shared/errors.ts";
import { makeApiPage } from "./api-page.ts";
import { drawHostTable } from "./host-table.ts";
import { drawLayers } from "./layer-picture.ts";
import { makeMatrixPage } from "./matrix-page.ts";

const writePage = (name: string, text: string): void =>
  writeFileSync(new URL(`../docs/${name}`, import.meta.url), text);

writePage(
  "errors.md",
  `# Errors

Generated from \`src/shared/errors.ts\` by \`npm run docs\`; a test checks that they match.

The API returns errors as \`{code, message, hint}\`, the CLI prints message and hint (with \`--json\`: \`{"error": {…}}\`), MCP tools
set \`isError\`. Hooks never show errors: they exit with 0, and the daemon logs the error.

| kind | HTTP | CLI exit | meaning |
|---|---|---|---|
| invalid | 400 | 2 | the request is not valid |
| denied | 403 (401 without a token) | 3 | not allowed |
| missing | 404 | 4 | not found |
| conflict | 409 | 5 | conflicts with the current state |
| unavailable | 503 | 6 | not available at the moment |
| bug | 500, text only in the log | 70 | a bug in Rookery |

## Codes

| code | kind | what to do |
|---|---|---|
${Object.entries(errorRegistry)
  .map(([code, { kind, hint }]) => `| \`${code}\` | ${kind} | ${hint} |`)
  .join("\n")}
`,
);

writePage(
  "configuration.md",
  `# Configuration

Generated from \`src/config/schema.ts\` by \`npm run docs\`; a test checks that they match.

All settings are optional. Precedence: defaults < \`config.json\` in \`ROOKERY_HOME\` < environment. The file contains only the settings that you changed:

\`\`\`json
{ "log": { "level": "debug" } }
\`\`\`

\`\`\`sh
rookery config --explain                       # show every setting, its meaning and the source of its value
rookery config notify                          # show a group
rookery config notify.quietHours 22:00-07:00   # change a setting and restart the daemon
rookery config notify.quietHours --reset       # reset it to the default
\`\`\`

An unknown key is an error that names the closest known key. The daemon reads its configuration at start: run \`rookery restart\` after you edit the file.

## Settings that only you may change

Some settings control where data is sent, which command is run, who may answer, what is excluded from capture, or how much may be spent. They are marked **you** below. An agent cannot
change them: the command line, \`rookery setup\` and \`PATCH /api/config\` refuse ([reaching-you.md](reaching-you.md#the-agent-cannot-approve-itself)), and every change and
every refusal is in \`rookery audit\`.

An agent could also edit \`config.json\`, or start the daemon with environment variables of its choice. A marked setting that was changed this way does not take effect: the daemon keeps the value
that you last confirmed; \`rookery status\`, \`rookery doctor\` and the viewer show the setting, and you decide:

\`\`\`sh
rookery config --accept                        # in your own terminal: apply these changes (also after you edit the file yourself)
rookery config slack.apiUrl --reset            # or reset one to its default
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
| \`ROOKERY_HOME\` | folder for all data; default \`~/.rookery\`. Launcher, hooks, MCP server and CLI use it, so several homes can exist side by side. |
| \`ROOKERY_NODE\` | path of the Node binary to use; default: the first one of version 22.16 or newer that the launcher finds. |
| \`ROOKERY_SESSION_ARGUMENT\` | set by our MCP entry in hosts that start one server for all sessions: the argument in which our plugin names the session of a call. |
| \`ROOKERY_OFF\` | any value turns off the hooks of that session. |
`,
);

writePage("matrix.md", makeMatrixPage());
writePage("api.md", makeApiPage());

const readPage = (name: string): string => readFileSync(new URL(`../docs/${name}`, import.meta.url), "utf8");
writePage("architecture.md", drawLayers(readPage("architecture.md")));
writePage("hosts.md", drawHostTable(readPage("hosts.md")));
