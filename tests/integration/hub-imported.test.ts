import { writeFileSync } from "node:fs";
import { join } from "node:path";
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
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

const word = "bilbylantern";

describe.skipIf(findPostgres() === undefined)("an export from before a deletion", () => {
  const rookeries = useRookeries(afterAll, hubSettings);
  const person = useOutside();
  let postgres: Postgres;
  let ada: HubMachine;
  let bob: HubMachine;
  let gone: { id: string };
  let kept: { id: string };
  let exported: { cwd: string; text: string }[];

  beforeAll(async () => {
    const started = await Promise.all([rookeries.started(), rookeries.started()]);
    postgres = await openHubStage(person, started[0]);
    ada = await openMachine(started[0], "ada");
    bob = await openMachine(started[1], "bob");
    gone = await ada.save(`The customer is called ${word}.`);
    kept = await ada.save("Orders are archived after ninety days.");
    await ada.resync();
    await bob.resync();
    await waitForNote(bob, gone.id);
    exported = [];
    for (const { cwd, rookery } of [ada, bob])
      exported.push({ cwd, text: (await rookery.call("GET", "/api/export")).text });
    expect((await ada.rookery.call("POST", "/api/forget", { ids: [gone.id] })).status).toBe(200);
    await bob.resync();
    await waitForNote(bob, gone.id, false);
  });
  afterAll(() => postgres?.close());

  async function openMachine(rookery: Rookery, member: string): Promise<HubMachine> {
    const code = await invite(person, ada?.rookery ?? rookery, member);
    const machine = await joinMachine(person, rookery, { code, member });
    await machine.post("/api/hub/share", { project: machine.cwd });
    return machine;
  }

  /** As if the checkout were in the same folder. */
  async function importOn(rookery: Rookery, cwd: string, from: { cwd: string; text: string }): Promise<void> {
    const file = join(rookery.folder, "export.jsonl");
    writeFileSync(file, from.text.replaceAll(from.cwd, cwd));
    await person.call(rookery, "POST", "/api/import", { source: "jsonl", path: file });
    const isDone = async () => (await rookery.call("GET", "/api/import")).json.state === "done";
    await waitFor(isDone, { describe: "the import" });
  }

  async function expectNothingBack(machine: HubMachine): Promise<void> {
    for (const each of [machine, ada, bob]) expect((await each.resync()).status).toBe(200);
    for (const { notes } of [machine, ada, bob]) {
      expect([...notes().keys()]).toContain(kept.id);
      expect([...notes().keys()]).not.toContain(gone.id);
    }
    const rows = await postgres.query(
      `SELECT 1 FROM rookery.records WHERE id = '${gone.id}' AND body IS NOT NULL`,
      "hub",
    );
    expect(rows).toEqual([]);
  }

  test("brings nothing back on a machine that had the note", async () => {
    for (const from of exported) await importOn(bob.rookery, bob.cwd, from);
    await expectNothingBack(bob);
  });

  test("brings nothing back on a machine that joined after the deletion", async () => {
    const cem = await openMachine(await rookeries.started(), "cem");
    for (const from of exported) await importOn(cem.rookery, cem.cwd, from);
    expect([...cem.notes().keys()]).not.toContain(gone.id);
    await expectNothingBack(cem);
  });

  test("brings nothing back on a machine that imports it and joins later", async () => {
    for (const [at, from] of exported.entries()) {
      const rookery = await rookeries.started();
      const cwd = join(rookery.folder, `api-dora${at}`);
      await importOn(rookery, cwd, from);
      expect(rookery.query("SELECT 1 FROM observations WHERE id = ?", gone.id)).toHaveLength(1);
      const dora = await openMachine(rookery, `dora${at}`);
      expect(dora.cwd).toBe(cwd);
      await expectNothingBack(dora);
      await waitFor(() => filesWith(rookery.home.root, word).length === 0, { describe: "the bytes to go" });
    }
  });
});
