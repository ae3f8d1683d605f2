import { readFileSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type HubMachine,
  hubSettings,
  invite,
  joinMachine,
  openHubStage,
  waitForNote,
} from "../support/hub-stage.ts";
import { isLong } from "../support/long.ts";
import { findPostgres, type Postgres } from "../support/postgres.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";
import { synthesise } from "../bench/synthetic.ts";

const writes = isLong ? 5_000 : 60;
const before = 20;
const forgotten = 5;
const asked = 6;
const members = ["ada", "bob", "cem"];

describe.skipIf(findPostgres() === undefined)("three machines that were offline", () => {
  const rookeries = useRookeries(afterAll, hubSettings);
  const person = useOutside();
  const texts = synthesise(members.length * (writes + before));
  let postgres: Postgres;
  let machines: HubMachine[];

  beforeAll(async () => {
    const started = await Promise.all(members.map(() => rookeries.started()));
    const [admin] = started as [Rookery];
    postgres = await openHubStage(person, admin);
    machines = [];
    for (const [at, member] of members.entries()) {
      const code = await invite(person, admin, member);
      const machine = await joinMachine(person, started[at] as Rookery, { code, member });
      await machine.post("/api/hub/share", { project: machine.cwd });
      machines.push(machine);
    }
  }, 120_000);
  afterAll(() => postgres?.close());

  async function write(machine: HubMachine, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push((await machine.save(texts.next().value?.text ?? "")).id);
    return ids;
  }

  /** In turns: a machine gets the notes that another one sends in its turn. */
  async function synchronise(): Promise<void> {
    for (const _round of [1, 2])
      for (const machine of machines) expect((await machine.resync()).status).toBe(200);
  }

  const views = (): string[][] =>
    machines.map((machine) => [...machine.notes()].map(([id, { narrative }]) => `${id} ${narrative}`));

  test(
    `have equal notes after ${writes} writes on each: none lost, none twice, and what was forgotten stays away`,
    async () => {
      const first = await Promise.all(machines.map((machine) => write(machine, before)));
      await synchronise();
      const [one, two, three] = views();
      expect(one).toHaveLength(members.length * before);
      expect([two, three]).toEqual([one, one]);

      await postgres.kill9();
      const later = await Promise.all(machines.map((machine) => write(machine, writes)));
      const gone = first.map((ids) => ids.slice(0, forgotten));
      for (const [at, { rookery }] of machines.entries())
        expect((await rookery.call("POST", "/api/forget", { ids: gone[at] })).status).toBe(200);
      await postgres.start();
      await synchronise();

      const written = [...first, ...later].flat();
      expect(new Set(written).size).toBe(written.length);
      const kept = written.filter((id) => !gone.flat().includes(id)).toSorted();
      const [ofAda, ofBob, ofCem] = views() as [string[], string[], string[]];
      expect(ofAda.map((line) => line.split(" ")[0])).toEqual(kept);
      expect(ofBob).toEqual(ofAda);
      expect(ofCem).toEqual(ofAda);
      const rows = await postgres.query<{ id: string; isGone: boolean }>(
        `SELECT id, gone_by IS NOT NULL AS "isGone" FROM rookery.records ORDER BY id COLLATE "C"`,
        "hub",
      );
      expect(rows.map(({ id }) => id)).toEqual(written.toSorted());
      expect(rows.filter(({ isGone }) => isGone).map(({ id }) => id)).toEqual(gone.flat().toSorted());
      const seqs = await postgres.query<{ n: number; different: number; head: number }>(
        `SELECT count(*)::int AS n, count(DISTINCT seq)::int AS different, max(head)::int AS head
         FROM rookery.records JOIN rookery.projects p ON p.id = project_id`,
        "hub",
      );
      expect(seqs).toMatchObject([{ n: written.length, different: written.length }]);
    },
    isLong ? 1_800_000 : 120_000,
  );

  test("send a change that is made while they wait for the hub's answer", async () => {
    const [ada] = machines as [HubMachine];
    const blocker = new Client({
      host: "127.0.0.1",
      port: postgres.port,
      user: "root",
      password: "root-password",
      database: "hub",
    });
    await blocker.connect();
    try {
      // Everything is pushed and pulled when a machine reads how far the others are.
      await blocker.query("BEGIN; LOCK TABLE rookery.cursors IN ACCESS EXCLUSIVE MODE");
      const synchronised = ada.resync();
      const waits = (seconds: number) => async (): Promise<boolean> =>
        (
          await postgres.query(
            `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND now() - query_start > interval '${seconds} s'`,
          )
        ).length > 0;
      await waitFor(waits(0), { describe: "the machine to wait" });
      const { id } = await ada.save("Refunds are booked on the day of the order.");
      // Longer than a change waits for others to be sent with it.
      await waitFor(waits(4), { describe: "the machine to wait for longer" });
      await blocker.query("COMMIT");
      expect((await synchronised).status).toBe(200);
      const isSent = async () =>
        (await postgres.query(`SELECT 1 FROM rookery.records WHERE id = '${id}'`, "hub")).length > 0;
      await waitFor(isSent, { describe: "the change to be sent" });
    } finally {
      await blocker.end();
    }
  });

  test("get the notes of others at the start of a session, also after hours without the hub", async () => {
    const [ada, bob] = machines as [HubMachine, HubMachine];
    await postgres.kill9();
    const { id } = await ada.save("The nightly export skips tenants without invoices.");
    const failures = ({ rookery }: HubMachine): number =>
      readFileSync(rookery.home.log, "utf8").match(/the hub was not reached/g)?.length ?? 0;
    for (const machine of [ada, bob]) {
      // Each failure doubles the pause. Once the attempt that waited has failed too, the next one is in minutes.
      const before = failures(machine);
      for (let attempt = 0; attempt < asked; attempt++) expect((await machine.resync()).status).toBe(503);
      await waitFor(() => failures(machine) > before + asked, { describe: "the attempt that waited" });
    }
    await postgres.start();
    await ada.startContext();
    await waitFor(async () => (await ada.rookery.call("GET", "/api/hub")).json.projects[0].waiting === 0, {
      describe: "the note to be sent",
    });
    await bob.startContext();
    await waitForNote(bob, id);
  });
});
