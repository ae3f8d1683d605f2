import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import {
  type HubMachine,
  hubSettings,
  invite,
  joinMachine,
  openHubStage,
  waitForNote,
} from "../support/hub-stage.ts";
import { findPostgres, type Postgres } from "../support/postgres.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

describe.skipIf(findPostgres() === undefined)("a hub and machines of other versions", () => {
  const rookeries = useRookeries(afterAll, hubSettings);
  const person = useOutside();
  let postgres: Postgres;
  let ada: HubMachine;
  let bob: HubMachine;

  beforeAll(async () => {
    const [first, second] = await Promise.all([rookeries.started(), rookeries.started()]);
    postgres = await openHubStage(person, first);
    [ada, bob] = [
      await joinMachine(person, first, { code: await invite(person, first, "ada"), member: "ada" }),
      await joinMachine(person, second, { code: await invite(person, first, "bob"), member: "bob" }),
    ];
    for (const machine of [ada, bob]) await machine.post("/api/hub/share", { project: machine.cwd });
  });
  afterAll(() => postgres?.close());

  const records = (sql: string): Promise<object[]> => postgres.query(sql, "hub");

  test("notes of a newer version and other kinds of records wait for the upgrade, and hold nothing up", async () => {
    const [newer, other] = [
      await ada.save("The gateway retries twice."),
      await ada.save("The importer reads ten files at once."),
    ];
    await ada.resync();
    await records(`UPDATE rookery.records SET body_v = 99 WHERE id = '${newer.id}'`);
    await records(`UPDATE rookery.records SET kind = 'sketch' WHERE id = '${other.id}'`);
    const next = await ada.save("Refunds are booked on the day of the order.");
    await ada.resync();
    await bob.resync();
    await waitForNote(bob, next.id);
    expect([...bob.notes().keys()]).toEqual([next.id]);
    const { projects } = (await bob.rookery.call("GET", "/api/hub")).json;
    expect(projects).toMatchObject([{ behind: 0, setAside: [] }]);

    // The records as a build reads them that knows both.
    await records("UPDATE rookery.records SET body_v = 1, kind = 'note'");
    await bob.rookery.stop();
    rewriteMachine(bob, (machine) => ({ ...machine, noteVersion: 0 }));
    await bob.rookery.start();
    for (const id of [newer.id, other.id]) await waitForNote(bob, id);
  });

  test("a machine that is too old for the hub waits, says so, and goes on after the upgrade", async () => {
    await records("UPDATE rookery.meta SET oldest_client = 99");
    const { id } = await ada.save("Tags are signed by the release job.");
    const answer = await ada.resync();
    expect(answer.json).toMatchObject({
      code: "hub_refused",
      message: "The hub needs a newer version of Rookery.",
    });
    const { json } = await ada.rookery.call("GET", "/api/hub");
    expect(json.error).toContain("needs a newer version");
    expect(json.projects[0].waiting).toBeGreaterThan(0);
    expect(await records(`SELECT 1 FROM rookery.records WHERE id = '${id}'`)).toEqual([]);
    await records("UPDATE rookery.meta SET oldest_client = 1");
    expect((await ada.resync()).status).toBe(200);
    await bob.resync();
    await waitForNote(bob, id);
  });
});

/** While its daemon is stopped. */
function rewriteMachine({ rookery }: HubMachine, change: (machine: object) => object): void {
  const db = openDatabase(rookery.home.database);
  const value = db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'hub'")?.value ?? "";
  db.run("UPDATE meta SET value = ? WHERE key = 'hub'", JSON.stringify(change(JSON.parse(value))));
  db.close();
}
