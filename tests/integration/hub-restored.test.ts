import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  filesWith,
  type HubMachine,
  hubSettings,
  invite,
  joinMachine,
  openHubStage,
  waitForNote,
} from "../support/hub-stage.ts";
import { findPostgres, type Postgres } from "../support/postgres.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

describe.skipIf(findPostgres() === undefined)("a hub that is restored from a backup", () => {
  const rookeries = useRookeries(afterAll, hubSettings);
  const person = useOutside();
  let postgres: Postgres;
  let machines: HubMachine[];

  beforeAll(async () => {
    const started = await Promise.all([rookeries.started(), rookeries.started()]);
    postgres = await openHubStage(person, started[0]);
    machines = [];
    for (const [at, member] of ["ada", "bob"].entries()) {
      const code = await invite(person, started[0], member);
      const machine = await joinMachine(person, started[at] as Rookery, { code, member });
      await machine.post("/api/hub/share", { project: machine.cwd });
      machines.push(machine);
    }
  });
  afterAll(() => postgres?.close());

  /** In turns: a machine gets the notes that another one sends in its turn. */
  async function synchronise(): Promise<void> {
    for (const _round of [1, 2])
      for (const machine of machines) expect((await machine.resync()).status).toBe(200);
  }

  const records = (): Promise<{ id: string; isGone: boolean }[]> =>
    postgres.query(
      `SELECT id, gone_by IS NOT NULL AS "isGone" FROM rookery.records ORDER BY id COLLATE "C"`,
      "hub",
    );

  test.each([
    ["is noticed", false],
    ["is announced with `hub upgrade --restored`", true],
  ])("gets what it lacks and brings nothing forgotten back, when it %s", async (_how, isAnnounced) => {
    const [ada, bob] = machines as [HubMachine, HubMachine];
    const word = isAnnounced ? "wombatlantern" : "quollumbrella";
    const gone = await ada.save(`The customer is called ${word}.`);
    const old = await bob.save(`The ${isAnnounced ? "weekly" : "nightly"} job compacts the archive.`);
    await synchronise();
    await waitForNote(bob, gone.id);
    const backup = `${postgres.data}-backup-${isAnnounced}`;
    await postgres.kill9();
    execFileSync("cp", ["-a", postgres.data, backup]);
    await postgres.start();

    expect((await ada.rookery.call("POST", "/api/forget", { ids: [gone.id] })).status).toBe(200);
    const later = [
      await ada.save(`Backups are kept for ${isAnnounced ? "ninety" : "thirty"} days.`),
      await bob.save(`Releases are tagged ${isAnnounced ? "on Mondays" : "by the pipeline"}.`),
    ];
    await synchronise();
    await waitForNote(bob, gone.id, false);

    await postgres.kill9();
    rmSync(postgres.data, { recursive: true });
    execFileSync("mv", [backup, postgres.data]);
    await postgres.start();
    expect((await records()).find(({ id }) => id === gone.id)?.isGone).toBe(false);
    if (isAnnounced) await ada.post("/api/hub/upgrade", { restored: true });
    await synchronise();

    const rows = await records();
    expect(rows.find(({ id }) => id === gone.id)?.isGone).toBe(true);
    const kept = rows.filter(({ isGone }) => !isGone).map(({ id }) => id);
    expect(kept).toEqual(expect.arrayContaining([old.id, ...later.map(({ id }) => id)]));
    for (const { notes, rookery } of machines) {
      expect([...notes().keys()]).toEqual(kept);
      expect(filesWith(rookery.home.root, word)).toEqual([]);
    }
  });
});
