import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { someRows } from "../support/long.ts";
import { scriptTurns } from "../support/model-server.ts";
import { plugin } from "../support/rookery.ts";
import { bash, openWorld, type World } from "../support/world.ts";

const folder = join(plugin, "commands");
const names = readdirSync(folder).map((file) => file.replace(/\.md$/, ""));

let world: World;

const tool = (name: string, input: object) => ({ name: `mcp__plugin_rookery_rookery__${name}`, input });
const pin = `"${plugin}/bin/rookery" pin zzzzzzzz`;

/** The text that the model is given, or the result of its tool call; both need permission. */
const rows: Record<
  string,
  {
    calls?: { name: string; input: unknown };
    gives: RegExp;
    args?: string;
    key?: string;
    /** With hooks, no model is asked: see below. */
    isWithoutHooks?: true;
  }
> = {
  agents: { gives: /project-rook|No live agents|No agents yet/ },
  away: { gives: /You are away/, isWithoutHooks: true },
  here: { gives: /You are here/, isWithoutHooks: true },
  "matrix-status": { gives: /rookery\.local/ },
  open: { gives: /#code=/ },
  today: { gives: /Nothing|No |project/ },
  why: { gives: /Nothing|No |given/ },
  ask: {
    calls: tool("ask_human", { question: "Which?", wait: false }),
    gives: /[0-9a-f]{8}/,
    args: "which one",
  },
  forget: {
    calls: tool("memory_forget", { query: "walnut lantern" }),
    gives: /Would remove: /,
    key: "wants Rookery to forget",
    args: "walnut",
  },
  pin: { calls: bash(pin), gives: /There is no note zzzzzzzz/, args: "zzzzzzzz", key: "wants to pin" },
  recall: { calls: tool("memory_search", { query: "walnut" }), gives: /No results/, args: "walnut" },
  send: {
    calls: tool("message_send", { to: "nobody-here", text: "hi" }),
    gives: /nobody-here/,
    args: "hi to nobody-here",
  },
  status: { calls: tool("rookery_status", {}), gives: /You are agent/ },
};

describe("a slash command", () => {
  beforeAll(async () => {
    world = await openWorld();
    await world.rookery.start();
  });
  afterAll(() => world.close());

  it("has a row in this test", () => {
    expect(Object.keys(rows).toSorted()).toEqual(names.toSorted());
  });

  it.each(someRows(names, 3))("/rookery:%s needs no permission", async (name) => {
    const {
      calls,
      gives,
      args = "",
      key = "rookery MCP server",
      isWithoutHooks,
    } = rows[name] ?? { gives: /never/ };
    world.model.respondWith(
      calls ? scriptTurns({ [key]: [{ tools: [calls] }, { text: "DONE" }] }) : () => ({ text: "DONE" }),
    );
    const before = world.model.requests.length;
    const settings = isWithoutHooks ? ["--settings", '{"disableAllHooks":true}'] : [];
    const { code } = await world.run(`/rookery:${name} ${args}`.trim(), settings);
    expect(code).toBe(0);
    const own = readFileSync(join(folder, `${name}.md`), "utf8");
    const texts = world.model.requests.slice(before).map(({ body }) => JSON.stringify(body.messages));
    const given = (calls ? texts.slice(1) : texts)
      .join("\n")
      .replaceAll(JSON.stringify(own).slice(1, -1), "");
    expect(given).toMatch(gives);
  });
});

describe("a slash command that only switches something", () => {
  // The question that /rookery:ask leaves open above would show this session as waiting, too: they share an agent.
  beforeEach(async () => {
    world = await openWorld();
    await world.rookery.start();
  });
  afterEach(() => world.close());

  it("costs no turn of the model, and leaves nothing in the conversation", async () => {
    world.model.respondWith(() => ({ text: "DONE" }));
    const before = world.model.requests.length;
    const terminal = await world.interactive();
    for (const [name, isHere] of [
      ["away", false],
      ["here", true],
    ] as const) {
      await terminal.submit(`/rookery:${name}`);
      await terminal.waitForScreen(`You are ${name}: set by hand`);
      expect((await world.rookery.call("GET", "/api/presence")).json).toMatchObject({ isHere });
    }
    expect(world.model.requests).toHaveLength(before);
    const { sessions } = (await world.rookery.call("GET", "/api/now")).json;
    expect(sessions).toMatchObject([{ state: "idle" }]);
    await terminal.submit("What now?");
    await terminal.waitForScreen("DONE");
    const said = JSON.stringify(world.model.requests.at(-1)?.body.messages);
    expect(said).toContain("What now?");
    expect(said).not.toMatch(/rookery:(away|here)|You are (away|here)/);
    await terminal.close();
  });
});
