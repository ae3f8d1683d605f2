import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invite, joinMachine, openHubStage } from "../support/hub-stage.ts";
import { isLong } from "../support/long.ts";
import { type StagedSession, useMailStage } from "../support/mail-stage.ts";
import { findPostgres, type Postgres } from "../support/postgres.ts";
import { waitFor } from "../support/processes.ts";
import type { Answer } from "../support/exchange.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

const races = isLong ? 1_000 : 20;

describe.skipIf(findPostgres() === undefined)("in a shared project", () => {
  const rookeries = useRookeries(afterAll, {
    ROOKERY_HUB_POLL_SECONDS: "1",
    ROOKERY_MATRIX_PER_PAIR_AND_MINUTE: "1000",
    ROOKERY_MATRIX_PER_HOUR: "10000",
  });
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
    `a lease is granted to one of two machines that ask at once, in ${races} races`,
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

  test("a lease warns agents of the other machine, who see its holder, until it is released", async () => {
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

  test("a lease that another machine has released is free at once, not at the next poll", async () => {
    for (const [from, to] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const { json } = await take(from, ["lib/**"]);
      const knows = async (): Promise<boolean> =>
        JSON.stringify((await (machines[to] as Rookery).call("GET", "/api/leases")).json).includes("lib/**");
      await waitFor(knows, { describe: "the other machine to know the lease" });
      await release(from, json.id);
      const taken = await take(to, ["lib/**"]);
      expect([taken.status, taken.json.known]).toEqual([201, "everywhere"]);
      await release(to, taken.json.id);
    }
  });

  test("a lease is granted for this machine only while the hub cannot be reached, and says so", async () => {
    await postgres.kill9();
    const { status, json } = await take(0, ["web/**"]);
    expect([status, json.known]).toEqual([201, "here"]);
    await postgres.start();
    await release(0, json.id);
  });

  const call = (at: number, method: string, path: string, body: object): Promise<Answer> =>
    (machines[at] as Rookery).call(method, path, { ...body, hostPid: sessions[at]?.claude.pid });
  const both = (ask: (at: number) => Promise<Answer>): Promise<Answer[]> => Promise.all([0, 1].map(ask));
  /** With one id on both machines: they have no homeserver in common that would carry it. */
  const createTask = async (id: string): Promise<Answer[]> =>
    both((at) => call(at, "POST", "/api/tasks", { id, title: `Rename the endpoint ${id}` }));
  const changeTask = (at: number, id: string, fields: object): Promise<Answer> =>
    call(at, "PATCH", `/api/tasks/${id}`, fields);

  test(
    `a task is taken by one of two machines that take it at once, in ${races} races`,
    async () => {
      const winners = new Set<number>();
      for (let race = 0; race < races; race++) {
        const id = randomUUID();
        const created = await createTask(id);
        expect(created.map(({ status }) => status)).toEqual([201, 201]);
        const answers = await both((at) => changeTask(at, id, { status: "working" }));
        const won = answers.flatMap(({ status }, at) => (status === 200 ? [at] : []));
        expect(won).toHaveLength(1);
        const winner = won[0] as number;
        winners.add(winner);
        expect(answers[winner]?.json).toMatchObject({ status: "working", rev: 2, known: "everywhere" });
        expect(answers[1 - winner]?.json).toMatchObject({ code: "task_changed" });
      }
      expect(winners).toEqual(new Set([0, 1]));
    },
    isLong ? 900_000 : 60_000,
  );

  test("a task that another machine has changed is refused, with the agent and the machine that did", async () => {
    const id = randomUUID();
    await createTask(id);
    await changeTask(0, id, { status: "working" });
    expect((await changeTask(1, id, { status: "canceled" })).json).toMatchObject({
      code: "task_changed",
      message: `Task ${id} was changed by ${sessions[0]?.agent}@ada-pc (ada): it is working.`,
    });
    const done = await changeTask(0, id, { status: "completed", result: "Renamed." });
    expect(done.json).toMatchObject({ status: "completed", rev: 3, known: "everywhere" });
    const [row] = await postgres.query<any>(`SELECT * FROM rookery.tasks WHERE id = '${id}'`, "hub");
    expect(row).toMatchObject({ rev: "3", state: "completed", changed_by: sessions[0]?.agent });
    expect(JSON.stringify(row)).not.toContain("Rename");
  });

  test("a task is changed on this machine only while the hub cannot be reached, and everywhere afterwards", async () => {
    const id = randomUUID();
    await createTask(id);
    await postgres.kill9();
    const { status, json } = await changeTask(0, id, { status: "working" });
    expect([status, json.known, json.rev]).toEqual([200, "here", 2]);
    await postgres.start();
    const asked = await changeTask(0, id, { progress: 50 });
    expect(asked.json).toMatchObject({ known: "everywhere", rev: 3 });
    expect((await changeTask(1, id, { status: "working" })).json.code).toBe("task_changed");
  });
});
