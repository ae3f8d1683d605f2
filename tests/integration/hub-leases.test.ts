import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invite, joinMachine, openHubStage } from "../support/hub-stage.ts";
import { isLong } from "../support/long.ts";
import { type StagedSession, useMailStage } from "../support/mail-stage.ts";
import { findPostgres, type Postgres } from "../support/postgres.ts";
import { waitFor } from "../support/processes.ts";
import type { Answer, Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

const races = isLong ? 1_000 : 20;

describe.skipIf(findPostgres() === undefined)("a lease on files of a shared project", () => {
  const rookeries = useRookeries(afterAll, { ROOKERY_HUB_POLL_SECONDS: "1" });
  const person = useOutside();
  const remoteOf = (project: string): string => `git@git.example.org:acme/${project}.git`;
  let machines: Rookery[];
  const stages = [0, 1].map((at) => useMailStage(() => machines[at] as Rookery, remoteOf));
  let postgres: Postgres;
  let sessions: StagedSession[];

  beforeAll(async () => {
    machines = await Promise.all([rookeries.started(), rookeries.started()]);
    const [admin] = machines as [Rookery];
    postgres = await openHubStage(person, admin);
    sessions = [];
    for (const [at, member] of ["ada", "bob"].entries()) {
      const machine = await joinMachine(person, machines[at] as Rookery, {
        code: await invite(person, admin, member),
        member,
        device: `${member}-pc`,
      });
      const session = await (stages[at] as (typeof stages)[0]).open("api");
      await machine.post("/api/hub/share", { project: session.cwd });
      sessions.push(session);
    }
  }, 60_000);
  afterAll(() => postgres?.close());

  const take = (at: number, globs: string[], fields: object = {}): Promise<Answer> =>
    (machines[at] as Rookery).call("POST", "/api/leases", {
      globs,
      hostPid: sessions[at]?.claude.pid,
      ...fields,
    });
  const release = (at: number, id: string): Promise<Answer> =>
    (machines[at] as Rookery).call("DELETE", `/api/leases/${id}?pid=${sessions[at]?.claude.pid}`);

  test(
    `is granted to one of two machines that ask at once, in ${races} races`,
    async () => {
      const winners = new Set<number>();
      for (let race = 0; race < races; race++) {
        const answers = await Promise.all([take(0, ["src/**"]), take(1, ["src/api/*"])]);
        const won = answers.flatMap(({ status, json }, at) =>
          status === 201 ? [{ at, id: json.id, json }] : [],
        );
        expect(won.map(({ json }) => json.known)).toEqual(["everywhere"]);
        expect(answers.filter(({ json }) => json.code === "lease_taken")).toHaveLength(1);
        for (const { at, id } of won) {
          winners.add(at);
          await release(at, id);
        }
      }
      expect(winners).toEqual(new Set([0, 1]));
    },
    isLong ? 900_000 : 60_000,
  );

  test("warns agents of the other machine, who see its holder, until it is released", async () => {
    const { json } = await take(0, ["docs/**"]);
    const edit = () =>
      sessions[1]?.say("PreToolUse", {
        tool_name: "Edit",
        tool_input: { file_path: `${sessions[1]?.cwd}/docs/a.md` },
      });
    const holder = `${sessions[0]?.agent}@ada-pc (ada)`;
    await waitFor(async () => (await edit())?.includes(`${holder} holds a lease on docs/**`), {
      describe: "the warning",
    });
    expect((await take(1, ["docs/a.md"])).json).toMatchObject({
      code: "lease_taken",
      message: expect.stringContaining(holder),
    });
    expect((await take(1, ["docs/a.md"], { exclusive: false })).json.code).toBe("lease_taken");
    await release(0, json.id);
    await waitFor(async () => (await edit()) === "", { describe: "no more warning" });
  });

  test("is granted for this machine only while the hub cannot be reached, and says so", async () => {
    await postgres.kill9();
    const { status, json } = await take(0, ["web/**"]);
    expect([status, json.known]).toEqual([201, "here"]);
    await postgres.start();
    await release(0, json.id);
  });
});
