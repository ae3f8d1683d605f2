import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openWorld, type World } from "../support/world.ts";
import { waitUntilDistilled } from "../support/written-session.ts";

const tools = [
  "Read",
  "Edit",
  "Bash(echo *)",
  "mcp__plugin_rookery_rookery__memory_search",
  "mcp__plugin_rookery_rookery__memory_get",
];
const allow = ["--permission-mode", "acceptEdits", "--allowedTools", ...tools];
const explanation =
  "Fixed. Greetings lost the comma because `greet` joined its parts with a space and `joinParts` never adds one; `src/greet.js` now uses a template with the comma.";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

it("a second session has the first one's notes in its first request, and reads them in full in three steps", async () => {
  const key = ["AKIA", "Z3MK7QX5WJ2PLT4V"].join("");
  const file = join(world.project, "src/greet.js");
  world.model.respondWith((request) => {
    const rounds = request.body.messages.filter((message: any) => message.role === "assistant").length;
    if (rounds === 0) return { tools: [{ name: "Read", input: { file_path: file } }] };
    if (rounds === 1)
      return {
        tools: [
          {
            name: "Edit",
            input: {
              file_path: file,
              old_string: "`Hello, ${name}`",
              new_string: `\`Hello, \${name}!\` /* ${key} */`,
            },
          },
        ],
      };
    return { text: explanation };
  });
  const first = await world.run(`the greeting lost its comma, fix it <private>HUSHHUSH</private>`, allow);
  expect(first.code).toBe(0);
  expect(first.lines.at(-1)).toMatchObject({ result: explanation });

  await waitUntilDistilled(world.rookery);
  const before = world.model.requests.length;
  let id = "";
  world.model.respondWith((request) => {
    const rounds = request.body.messages.filter((message: any) => message.role === "assistant").length;
    if (rounds === 0)
      return {
        tools: [{ name: "mcp__plugin_rookery_rookery__memory_search", input: { query: "greeting comma" } }],
      };
    if (rounds === 1) {
      id = /([0-9a-f]{8}) \| \d{4}-\d\d-\d\d \| (?:problem-solution|bugfix)/.exec(request.text)?.[1] ?? "";
      return { tools: [{ name: "mcp__plugin_rookery_rookery__memory_get", input: { ids: [id] } }] };
    }
    return { text: "I see." };
  });
  const second = await world.run("what do we know about greetings?", allow);
  expect(second.code).toBe(0);
  const requests = world.model.requests.slice(before).map(({ text }) => text);
  expect(requests[0]?.includes("Greetings lost the comma because")).toBe(true);
  expect(requests[0]?.includes("<rookery-memory project=")).toBe(true);
  expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(requests[2]?.includes("now uses a template with the comma")).toBe(true);

  await world.rookery.stop();
  const leaks = readdirSync(world.rookery.home.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter((entry) => {
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      return bytes.includes(key) || bytes.includes("HUSHHUSH");
    });
  expect(leaks.map(({ name }) => name)).toEqual([]);
});
