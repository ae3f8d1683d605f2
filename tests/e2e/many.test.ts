import { readdirSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scriptTurns } from "../support/model-server.ts";
import { bash, openWorld, type World } from "../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

describe("twenty real sessions, two at a time", () => {
  it("leave one daemon, no other process, no open descriptor, and every event once", async () => {
    world.model.respondWith(scriptTurns({ "GO-WORK": [{ tools: [bash("echo one")] }, { text: "Fine." }] }));
    const work = () => world.run("GO-WORK", ["--allowedTools", "Bash(echo *)"]);
    const descriptors = () => readdirSync(`/proc/${world.rookery.pid()}/fd`).length;
    const ids: (string | undefined)[] = [];
    // Worker threads start and stop: the first sessions show the number of descriptors with all of them running.
    let most = 0;
    for (let pair = 0; pair < 10; pair++) {
      for (const run of await Promise.all([work(), work()])) {
        expect(run).toMatchObject({ code: 0, stderr: "" });
        ids.push(run.sessionId);
      }
      if (pair < 4) most = Math.max(most, descriptors());
    }
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(world.events(id ?? "")).toHaveLength(6);
    await world.waitUntilOnlyDaemon();
    expect(descriptors()).toBeLessThanOrEqual(most + 2);
    expect(readdirSync(world.rookery.home.spool)).toEqual([]);
    expect(readdirSync(world.rookery.home.reply)).toEqual([]);
    const agents = world.rookery.query("SELECT name FROM agents ORDER BY seat").map(({ name }) => name);
    expect(agents.length).toBeLessThanOrEqual(3);
  });
});
