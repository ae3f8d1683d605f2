import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prepareHome } from "../../src/config/home.ts";
import { updateSecrets } from "../../src/config/secrets.ts";
import { makeRandom } from "../bench/synthetic.ts";
import { invite, openHubStage } from "../support/hub-stage.ts";
import { isLong } from "../support/long.ts";
import { type MatrixPerson, signInAt, type StagedSession, useMailStage } from "../support/mail-stage.ts";
import { findPostgres } from "../support/postgres.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { findSynapse, openSynapse } from "../support/synapse.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

const count = isLong ? 600 : 60;
const races = isLong ? 1_000 : 20;
const names = ["laptop", "desk"] as const;
const agentsPerMachine = 3;

interface Homeserver {
  register(name: string): Promise<{ userId: string; password: string; url: string }>;
  close(): Promise<void>;
}

type Rookeries = ReturnType<typeof useRookeries>;
type OpenHomeserver = (rookeries: Rookeries, outside: ReturnType<typeof useOutside>) => Promise<Homeserver>;

const openThird: OpenHomeserver = async (rookeries, outside) => {
  const third = await rookeries.started();
  await waitFor(() => (JSON.parse(readFileSync(third.home.daemonFile, "utf8")).matrixPort ?? 0) > 0);
  return {
    register: async (name) => (await outside.call(third, "POST", "/api/matrix/people", { name })).json,
    close: async () => {},
  };
};

const synapse = findSynapse();
describe("two machines on the homeserver of a third", () => checkTalk(openThird));
describe.skipIf(synapse === undefined)("two machines on Synapse of the Debian package", () =>
  checkTalk(() => openSynapse(synapse ?? "")),
);

/** One homeserver by its address; agents of two machines with the same names. */
function checkTalk(open: OpenHomeserver): void {
  const rookeries = useRookeries(afterAll, {
    ROOKERY_HUB_POLL_SECONDS: "1",
    ROOKERY_MATRIX_PER_PAIR_AND_MINUTE: "1000",
    ROOKERY_MATRIX_PER_HOUR: "10000",
  });
  const outside = useOutside();
  let homeserver: Homeserver;
  afterAll(() => homeserver?.close());
  const remoteOf = (project: string): string => `git@git.example.org:acme/${project}.git`;
  let machines: Rookery[];
  const stages = names.map((_, at) => useMailStage(() => machines[at] as Rookery, remoteOf));
  let ada: MatrixPerson;
  let sessions: StagedSession[][];

  beforeAll(async () => {
    homeserver = await open(rookeries, outside);
    const { userId: owner, password, url } = await homeserver.register("ada");
    ada = await signInAt(url, "ada", password);
    const accounts: string[] = [];
    machines = [];
    for (const machine of names) {
      const account = await homeserver.register(`bot-${machine}`);
      accounts.push(account.userId);
      const rookery = rookeries.open({
        ROOKERY_MATRIX_HOMESERVER: url,
        ROOKERY_MATRIX_OWNER: owner,
        ROOKERY_MATRIX_MACHINE: machine,
      });
      prepareHome(rookery.home);
      const credentials = { user: `bot-${machine}`, password: account.password };
      updateSecrets(rookery.home.secrets, (secrets) => (secrets.matrix = credentials));
      await rookery.start();
      machines.push(rookery);
    }
    sessions = [await openSessions(0)];
    // From one answer to the next: Synapse repeats a first one for two minutes.
    let since = "";
    const invited = await waitFor(
      async () => {
        const { next_batch, rooms } = await ada.call("GET", `/sync${since && `?since=${since}`}`);
        since = next_batch;
        return Object.keys(rooms?.invite ?? {})[0];
      },
      { describe: "the owner to be invited to the room that the first machine made" },
    );
    const room = encodeURIComponent(invited);
    const desk = accounts[1] as string;
    await ada.call("POST", `/join/${room}`, {});
    await ada.call("POST", `/rooms/${room}/invite`, { user_id: desk });
    const isIn = async (): Promise<boolean> =>
      desk in (await ada.call("GET", `/rooms/${room}/joined_members`)).joined;
    await waitFor(isIn, { describe: "the second machine in the room" });
    sessions.push(await openSessions(1));
    const isAgent = ({ type }: { type: string }): boolean => type === "com.claudematrix.agent";
    const countAgents = async (): Promise<number> =>
      (await ada.call("GET", `/rooms/${room}/state`)).filter(isAgent).length;
    await waitFor(async () => (await countAgents()) === names.length * agentsPerMachine, {
      describe: "all agents in the room",
    });
  });

  async function openSessions(at: number): Promise<StagedSession[]> {
    const opened: StagedSession[] = [];
    while (opened.length < agentsPerMachine)
      opened.push(await (stages[at] as (typeof stages)[0]).open("shop"));
    return opened;
  }

  const queuedFor = (body: string): string[] =>
    machines.flatMap((machine, at) =>
      machine
        .query(
          "SELECT a.name FROM deliveries d JOIN agents a ON a.id = d.agent_id WHERE instr(d.body, ?) > 0 ORDER BY a.name",
          body,
        )
        .map(({ name }) => `${name}@${names[at]}`),
    );
  const nameAt = (at: number, n: number): string => `${sessions[at]?.[n]?.agent}@${names[at]}`;

  test(`bring ${count} messages to the agents that they are for, once, and to no other`, async ({
    annotate,
  }) => {
    expect(sessions[0]?.map(({ agent }) => agent)).toEqual(sessions[1]?.map(({ agent }) => agent));
    const all = names.flatMap((_, at) =>
      Array.from({ length: agentsPerMachine }, (_each, n) => nameAt(at, n)),
    );
    const random = makeRandom(11);
    const pick = (limit: number): number => Math.floor(random() * limit);
    const expected = new Map<string, string[]>();
    for (let n = 0; n < count; n++) {
      const [at, from] = [pick(2), pick(agentsPerMachine)];
      const sender = sessions[at]?.[from] as StagedSession;
      // Another agent of the machine, or the namesake or another of the other machine.
      const others = all.filter((name) => name !== nameAt(at, from));
      const target = others[pick(others.length)] as string;
      const [agent = "", machine] = target.split("@");
      const body = `Message ${n} of ${count}.`;
      const way = pick(4);
      const isHere = machine === names[at];
      if (way === 0) {
        await sender.send("project", body);
        expected.set(body, others);
      } else if (way === 1) {
        await sender.send("project", `@${target} ${body}`);
        expected.set(body, [target]);
      } else {
        await sender.send(isHere && way === 2 ? agent : target, body);
        expected.set(body, [target]);
      }
    }
    const bodies = [...expected.keys()];
    await waitFor(() => bodies.every((body) => queuedFor(body).length >= (expected.get(body)?.length ?? 0)), {
      timeoutMs: 120_000,
      intervalMs: 500,
      describe: "all messages",
    });
    // A message for all follows every other one on each machine.
    await sessions[0]?.[0]?.send("project", "The end.");
    await sessions[1]?.[0]?.send("project", "The end, too.");
    await waitFor(() => queuedFor("The end").length === 2 * (all.length - 1), { describe: "the end" });
    const toRows = (of: (body: string) => string[]): [string, string[]][] =>
      bodies.map((body) => [body, of(body).toSorted()]);
    expect(toRows(queuedFor)).toEqual(toRows((body) => expected.get(body) ?? []));
    await annotate(
      `${count} messages, ${[...expected.values()].flat().length} deliveries, 0 at the wrong agent`,
    );
  });

  test.skipIf(findPostgres() === undefined)(
    `grant an exclusive lease once in ${races} races, by a hub, and leave none behind`,
    async ({ annotate }) => {
      const [admin] = machines as [Rookery];
      const postgres = await openHubStage(outside, admin);
      try {
        const rivals = machines.map((machine, at) => ({
          machine,
          session: sessions[at]?.[0] as StagedSession,
        }));
        for (const [at, { machine, session }] of rivals.entries()) {
          const code = await invite(outside, admin, `member-${at}`);
          const device = names[at];
          expect((await outside.call(machine, "POST", "/api/hub/join", { code, device })).status).toBe(200);
          const shared = await outside.call(machine, "POST", "/api/hub/share", { project: session.cwd });
          expect(shared.status).toBe(200);
        }
        const left = async (): Promise<number> => {
          const lists = await Promise.all(machines.map((machine) => machine.call("GET", "/api/leases")));
          return lists.flatMap(({ json }) => json.leases).length;
        };
        // A release also travels through the homeserver, which may be slower than the hub.
        const waitUntilFree = (): Promise<unknown> =>
          waitFor(async () => (await left()) === 0, {
            timeoutMs: 120_000,
            intervalMs: 20,
            describe: "no lease",
          });
        const wins = [0, 0];
        for (let race = 0; race < races; race++) {
          await waitUntilFree();
          const answers = await Promise.all(
            rivals.map(({ machine, session: { claude } }) =>
              machine.call("POST", "/api/leases", { globs: ["src/**"], hostPid: claude.pid }),
            ),
          );
          const won = answers.flatMap(({ status, json }, at) =>
            status === 201 ? [{ at, id: json.id, known: json.known }] : [],
          );
          expect(won).toMatchObject([{ known: "everywhere" }]);
          expect(answers.filter(({ json }) => json.code === "lease_taken")).toHaveLength(1);
          for (const { at, id } of won) {
            wins[at] = (wins[at] ?? 0) + 1;
            const { machine, session } = rivals[at] as (typeof rivals)[0];
            const released = await machine.call("DELETE", `/api/leases/${id}?pid=${session.claude.pid}`);
            expect(released.status).toBe(200);
          }
        }
        await waitUntilFree();
        expect(Math.min(...wins)).toBeGreaterThan(0);
        await annotate(`${races} races, one winner each: ${wins.join(" and ")}`);
      } finally {
        await postgres.close();
      }
    },
    isLong ? 1_800_000 : 120_000,
  );
}
