import { setTimeout as pause } from "node:timers/promises";
import { decodeInvite, encodeInvite } from "../../src/hub/target.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HubProxy, openHubProxy } from "../support/hub-proxy.ts";
import { type HubMachine, hubSettings, invite, joinMachine, openHubStage } from "../support/hub-stage.ts";
import { isLong } from "../support/long.ts";
import { findPostgres, type Postgres } from "../support/postgres.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";
import { makeRandom, synthesise } from "../bench/synthetic.ts";

const rounds = isLong ? 200 : 4;
/** Within it, a daemon connects, pushes and pulls. */
const withinMs = 150;

describe.skipIf(findPostgres() === undefined)(
  "machines whose daemons, server and connections are killed",
  () => {
    const rookeries = useRookeries(afterAll, hubSettings);
    const person = useOutside();
    let postgres: Postgres;
    let proxy: HubProxy;
    let ada: HubMachine;
    let bob: HubMachine;

    beforeAll(async () => {
      const started = await Promise.all([rookeries.started(), rookeries.started()]);
      postgres = await openHubStage(person, started[0]);
      proxy = await openHubProxy(postgres.port);
      const join = async (rookery: Rookery, member: string): Promise<HubMachine> => {
        const target = decodeInvite(await invite(person, started[0], member));
        const code = encodeInvite({ ...target, port: proxy.port });
        const machine = await joinMachine(person, rookery, { code, member });
        await machine.post("/api/hub/share", { project: machine.cwd });
        return machine;
      };
      ada = await join(started[0], "ada");
      bob = await join(started[1], "bob");
    });
    afterAll(async () => {
      await proxy?.close();
      await postgres?.close();
    });

    const restart = async ({ rookery }: HubMachine): Promise<void> => {
      await rookery.kill9();
      await rookery.start();
    };
    const kills: (() => Promise<void>)[] = [
      () => restart(ada),
      () => restart(bob),
      async () => {
        await postgres.kill9();
        await postgres.start();
      },
      async () => {
        proxy.set("down");
        proxy.set("up");
      },
    ];

    test(
      `have every note that was acknowledged, once, after ${rounds} kills`,
      async ({ annotate }) => {
        const random = makeRandom(7);
        const texts = synthesise(rounds * 4);
        const acknowledged: string[] = [];
        for (let round = 0; round < rounds; round++) {
          for (const machine of [ada, ada, ada, bob])
            acknowledged.push((await machine.save(texts.next().value?.text ?? "")).id);
          // The answers of a killed daemon are lost.
          const under = [ada, bob].map((machine) => machine.resync().catch(() => undefined));
          // Any moment of the run.
          await pause(random() * withinMs);
          await kills[round % kills.length]?.();
          await Promise.all(under);
        }
        for (const machine of [ada, bob, ada]) expect((await machine.resync()).status).toBe(200);
        const expected = acknowledged.toSorted();
        expect([...ada.notes().keys()]).toEqual(expected);
        expect([...bob.notes()]).toEqual(
          [...ada.notes()].map(([id, note]) => [
            id,
            { ...note, author: note.author === "bob" ? null : "ada" },
          ]),
        );
        const rows = await postgres.query<{ id: string }>(
          'SELECT id FROM rookery.records ORDER BY id COLLATE "C"',
          "hub",
        );
        expect(rows.map(({ id }) => id)).toEqual(expected);
        await annotate(`${rounds} kills, ${expected.length} acknowledged, 0 lost, 0 twice`);
      },
      isLong ? 1_800_000 : 120_000,
    );
  },
);
