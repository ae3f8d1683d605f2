import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Rookery } from "../support/rookery.ts";
import { writeSession, waitUntilDistilled } from "../support/written-session.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const rookeries = useRookeriesWithoutRooms();

async function open(): Promise<{ rookery: Rookery; project: string }> {
  const rookery = await rookeries.started();
  const project = join(rookery.env.HOME ?? "", "orders-api");
  mkdirSync(project, { recursive: true });
  return { rookery, project };
}
const search = async (rookery: Rookery, q: string) =>
  (await rookery.call("GET", `/api/search?q=${q}&kind=note`)).json.results;
const start = async (rookery: Rookery, cwd: string, id: string): Promise<string> =>
  (await rookery.hook("SessionStart", { session_id: id, cwd, source: "startup" })).stdout;

it("a restated rule replaces the old one: first in search, alone at the start of a session", async () => {
  const { rookery, project } = await open();
  const session = writeSession(rookery, "s-1", project, [
    { prompt: "from now on the request timeout must be 30 seconds", final: "Noted." },
    { prompt: "from now on the request timeout must be 60 seconds", final: "Noted." },
    { prompt: "we always run the linter before a commit", final: "Noted." },
  ]);
  await session.hooks();
  await session.hook("SessionEnd", { reason: "other" });
  await waitUntilDistilled(rookery);
  const [first, second] = await search(rookery, "request+timeout+30");
  expect(first).toMatchObject({ supersededBy: null, title: expect.stringContaining("60") });
  expect(second).toMatchObject({ supersededBy: first.id, title: expect.stringContaining("30") });
  const context = await start(rookery, project, "s-2");
  expect(context).toContain("60 seconds");
  expect(context).not.toContain("30 seconds");
  expect(context).toContain("linter before a commit");

  const shown = await rookery.cli("timeline", first.id.slice(-8));
  expect(shown.stdout).toMatch(/Newer replaces older:[\s\S]*↓.*another value.*30[\s\S]*now.*holds.*60/);
  expect((await rookery.cli("show", second.id)).stdout).toContain(`Replaced by ${first.id.slice(-8)}`);
  expect((await rookery.cli("show", first.id)).stdout).toContain(`Replaces ${second.id.slice(-8)}`);

  expect((await rookery.cli("supersede", second.id, "--undo")).stdout).toContain("Current again");
  expect((await search(rookery, "request+timeout+30")).map((r: any) => r.supersededBy)).toEqual([null, null]);
});

it("superseding by hand is reversible, refused in a circle and across projects; forgetting the newer note restores the older", async () => {
  const { rookery, project } = await open();
  const save = async (text: string, where = project): Promise<string> =>
    (await rookery.call("POST", "/api/notes", { project: where, text, type: "decision" })).json.id;
  const [a, b, c] = [
    await save("Ship on Mondays"),
    await save("Ship when green"),
    await save("Ship each merge"),
  ];
  const elsewhere = await save("Ship never", join(rookery.env.HOME ?? "", "other"));
  const replace = async (older: string, newer: string | null) =>
    (await rookery.call("PATCH", `/api/notes/${older}`, { supersededBy: newer })).status;
  expect(await replace(a, b)).toBe(200);
  expect(await replace(b, c)).toBe(200);
  expect(await replace(c, a)).toBe(400);
  expect(await replace(a, a)).toBe(400);
  expect(await replace(a, elsewhere)).toBe(400);
  const { chain } = (await rookery.call("GET", `/api/timeline?around=${b}`)).json;
  expect(chain.map((o: any) => o.id)).toEqual([a, b, c]);
  const found = await search(rookery, "mondays");
  expect(found.map((r: any) => [r.id, r.supersededBy])).toEqual([
    [c, null],
    [a, c],
  ]);
  expect(await start(rookery, project, "s-1")).toContain("Ship each merge");
  await rookery.cli("forget", c);
  expect((await rookery.call("GET", `/api/notes/${b}`)).json).toMatchObject({ supersededBy: null });
  expect((await rookery.cli("supersede", a)).code).toBe(2);
});
