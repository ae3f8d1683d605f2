import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHub, inviteToHub, scrubHub } from "../../src/hub/administer.ts";
import { connectHub, type HubConnection } from "../../src/hub/connect.ts";
import { makePassword, makeVerifier } from "../../src/hub/scram.ts";
import { makeHubSession } from "../../src/hub/hub-session.ts";
import { type HubTarget, parseHubUrl } from "../../src/hub/target.ts";
import { filesWith } from "../support/hub-stage.ts";
import { type HubProxy, openHubProxy } from "../support/hub-proxy.ts";
import { isLong } from "../support/long.ts";
import { findPostgres, openPostgres, type Postgres } from "../support/postgres.ts";
import { waitFor } from "../support/processes.ts";

const rounds = isLong ? 200 : 2;
const writers = 4;

describe.skipIf(findPostgres() === undefined)("a hub whose server and connections are killed", () => {
  let postgres: Postgres;
  let proxy: HubProxy;
  let member: HubTarget;
  let project = "";

  beforeAll(async () => {
    postgres = await openPostgres();
    const admin = await connectHub(parseHubUrl(postgres.adminUrl()));
    await createHub(admin);
    const { role, password } = await inviteToHub(admin, {
      name: "ada",
      kind: "person",
      isReadOnly: false,
      isAdmin: false,
      projects: [],
    });
    await admin.close();
    const first = await connectHub({ ...parseHubUrl(postgres.adminUrl()), user: role, password });
    const own = makePassword();
    await makeHubSession(first).join("laptop", makeVerifier(own));
    project = await makeHubSession(first).link("git.example.org/acme/api", "api");
    await first.close();
    proxy = await openHubProxy(postgres.port);
    member = { ...parseHubUrl(postgres.adminUrl()), port: proxy.port, user: role, password: own };
    await postgres.query("ALTER ROLE " + role + " CONNECTION LIMIT -1");
    await postgres.query("CREATE TABLE plain (id bigserial PRIMARY KEY, name text NOT NULL)", "hub");
  }, 60_000);
  afterAll(async () => {
    await proxy?.close();
    await postgres?.close();
  });

  /** Writes until it fails; a batch that was not answered is sent again with the next connection. */
  async function write(
    writer: number,
    state: { next: number; kept: string[] },
    isOver: () => boolean,
  ): Promise<void> {
    let db: HubConnection | undefined;
    try {
      db = await connectHub(member);
      const session = makeHubSession(db);
      while (!isOver()) {
        const rows = [0, 1, 2].map((at) => ({
          id: `writer-${writer}-${state.next + at}`,
          kind: "note",
          version: 1,
          madeAt: 1_000,
          body: { title: `note ${state.next + at}` },
        }));
        const outcomes = await session.push(project, rows);
        expect(outcomes.every(({ seq }) => seq !== null)).toBe(true);
        state.kept.push(...rows.map(({ id }) => id));
        state.next += 3;
      }
    } catch {
      // The server was killed.
    } finally {
      await db?.close();
    }
  }

  /** Reads behind a cursor until it fails. */
  async function follow(state: { cursor: number; seen: Set<string> }, isOver: () => boolean): Promise<void> {
    let db: HubConnection | undefined;
    try {
      db = await connectHub(member);
      const session = makeHubSession(db);
      while (!isOver()) {
        for (const row of await session.pull(project, state.cursor, 50)) {
          state.seen.add(row.id);
          state.cursor = row.seq;
        }
      }
    } catch {
      // The server was killed.
    } finally {
      await db?.close();
    }
  }

  const countKept = (states: readonly { kept: string[] }[]): number =>
    states.reduce((sum, { kept }) => sum + kept.length, 0);

  test(
    `loses no acknowledged row and leaves no hole behind a cursor, ${rounds} times`,
    async ({ annotate }) => {
      const states = Array.from({ length: writers }, () => ({ next: 0, kept: [] as string[] }));
      const reader = { cursor: 0, seen: new Set<string>() };
      for (let round = 0; round < rounds; round++) {
        let isOver = false;
        const before = countKept(states);
        const work = states.map((state, writer) => write(writer, state, () => isOver));
        const reading = follow(reader, () => isOver);
        await waitFor(() => countKept(states) > before + 30, { intervalMs: 5, describe: "the writers" });
        if (round % 2 === 0) await postgres.kill9();
        else proxy.set("down");
        isOver = true;
        await Promise.all([...work, reading]);
        if (round % 2 === 0) await postgres.start();
        else proxy.set("up");
      }
      const db = await connectHub(member);
      for (let isDone = false; !isDone; ) {
        const rows = await makeHubSession(db).pull(project, reader.cursor, 500);
        for (const row of rows) reader.seen.add(row.id);
        reader.cursor = rows.at(-1)?.seq ?? reader.cursor;
        isDone = rows.length === 0;
      }
      await db.close();
      const kept = states.flatMap((state) => state.kept);
      expect(kept.length).toBeGreaterThan(30 * rounds);
      expect(kept.filter((id) => !reader.seen.has(id))).toEqual([]);
      const [{ n }] = (await postgres.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM rookery.records",
        "hub",
      )) as [{ n: number }];
      expect(reader.seen.size).toBe(n);
      await annotate(`${rounds} kills, ${kept.length} acknowledged, 0 lost, ${n} stored and read`);
    },
    isLong ? 1_800_000 : 60_000,
  );

  test("would lose rows with a plain sequence as cursor", async ({ annotate }) => {
    const open = async (): Promise<Client> => {
      const client = new Client({
        host: "127.0.0.1",
        port: postgres.port,
        user: "root",
        password: "root-password",
        database: "hub",
      });
      await client.connect();
      return client;
    };
    const clients = await Promise.all(Array.from({ length: writers + 1 }, open));
    const reader = clients.pop() as Client;
    const seen = new Set<string>();
    let written = 0;
    let cursor = 0;
    const work = clients.map(async (client, writer) => {
      for (let n = 0; n < 200; n++) {
        await client.query("BEGIN");
        for (const part of [0, 1, 2])
          await client.query("INSERT INTO plain (name) VALUES ($1)", [`${writer}-${n}-${part}`]);
        await client.query("COMMIT");
        written += 3;
      }
    });
    const read = async (): Promise<void> => {
      const sql = "SELECT id::int, name FROM plain WHERE id > $1 ORDER BY id";
      for (const { id, name } of (await reader.query(sql, [cursor])).rows) {
        seen.add(name);
        cursor = id;
      }
    };
    let isOver = false;
    const writing = Promise.all(work).then(() => (isOver = true));
    while (!isOver) await read();
    await writing;
    await read();
    for (const client of [...clients, reader]) await client.end();
    expect(seen.size).toBeLessThan(written);
    await annotate(`${written} written, ${written - seen.size} never read`);
  });

  test("keeps no byte of a forgotten note once it is scrubbed", async () => {
    const word = "wallabyteapot";
    const db = await connectHub(member);
    const session = makeHubSession(db);
    const row = { id: "scrubbed-1", kind: "note", version: 1, madeAt: 1_000, body: { title: word } };
    await session.push(project, [row]);
    await session.forget(project, [row.id]);
    await db.close();
    expect(filesWith(postgres.data, word)).not.toEqual([]);
    const root = await connectHub({
      ...parseHubUrl(postgres.adminUrl()),
      user: "root",
      password: "root-password",
    });
    expect(await scrubHub(root)).toBe(true);
    await root.close();
    expect(filesWith(postgres.data, word)).toEqual([]);
    const again = await connectHub(member);
    expect(await makeHubSession(again).push(project, [row])).toMatchObject([{ outcome: "gone" }]);
    await again.close();
    expect(filesWith(postgres.data, `"${word}"`)).toEqual([]);
  });
});
