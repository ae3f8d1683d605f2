import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAgent, openCodexPeer } from "../support/codex-peer.ts";
import { type GeminiWorld, openGeminiWorld } from "../support/gemini.ts";
import { listQuestions } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import { openRookery, type Rookery } from "../support/rookery.ts";
import type { Terminal } from "../support/terminal.ts";

let rookery: Rookery;
let world: GeminiWorld;
let terminal: Terminal;
/** One session for all. */
beforeAll(async () => {
  world = await openGeminiWorld();
  const { PATH = "", HOME = "" } = world.env;
  rookery = openRookery({ PATH, HOME, ROOKERY_ASK_ALWAYS: "true" });
  world.env.ROOKERY_HOME = rookery.home.root;
  await rookery.start();
  expect(await rookery.cli("install", "--host", "gemini")).toMatchObject({ code: 0 });
  terminal = await world.interactive();
}, 120_000);
afterAll(async () => {
  await terminal.close();
  await rookery.close();
  await world.close();
});

const countEvents = (event: string): number =>
  rookery.query("SELECT count(*) AS count FROM events WHERE event = ?", event)[0]?.count;

test("a permission is asked in the terminal only, at once, and reported as a session that waits", async () => {
  world.model.play([{ tools: [{ name: "run_shell_command", input: { command: "echo one > one.txt" } }] }]);
  await terminal.submit("GO-ONE please");
  await terminal.waitForScreen("Allow execution of");
  await waitFor(() => countEvents("input.needed") === 1, { describe: "the notification of the dialog" });
  expect(await listQuestions(rookery)).toEqual([]);
  await terminal.answer("Allow execution of", "Enter");
  expect(await terminal.waitForScreen("DONE")).not.toContain("hook.sh");
  expect(existsSync(join(world.project, "one.txt"))).toBe(true);
  expect([countEvents("prompt"), countEvents("tool.before"), countEvents("tool.after")]).toEqual([1, 1, 1]);
}, 120_000);

test("a message for the idle session comes with its next prompt, also after the daemon was killed", async () => {
  const peer = await openCodexPeer(rookery, world.project);
  try {
    await peer.send(findAgent(rookery, "gemini"), "The door is open.");
  } finally {
    await peer.close();
  }
  await rookery.kill9();
  await rookery.start();
  world.model.requests.length = 0;
  world.model.respondWith(() => ({ text: "SEEN" }));
  await terminal.submit("GO-TWO please");
  await terminal.waitForScreen("SEEN");
  expect(world.model.requests.some(({ text }) => text.includes("The door is open."))).toBe(true);
  expect(readdirSync(rookery.home.rejected)).toEqual([]);
}, 120_000);
