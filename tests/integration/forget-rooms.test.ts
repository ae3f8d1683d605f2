import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { filesHolding } from "../support/grep-home.ts";
import { isLong, someRows } from "../support/long.ts";
import { type MatrixPerson, signIn, useMailStage } from "../support/mail-stage.ts";
import { launcher, openQuestion, postAnswer } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

/** Invented words that occur nowhere else. */
const planted = "quillfeather";
const kept = "marmalade";

const rookeries = useRookeries();
const person = useOutside();
let rookery: Rookery;
let ada: MatrixPerson;
const stage = useMailStage(() => rookery);
const clients: Client[] = [];

beforeEach(async () => {
  rookery = await rookeries.started({ ROOKERY_MATRIX_OWNER: "olga", ROOKERY_ASK_ALWAYS: "true" });
  await waitFor(async () => (await rookery.call("GET", "/api/matrix")).json.users > 0);
  const made = await person.call(rookery, "POST", "/api/matrix/people", { name: "ada" });
  ada = await signIn(rookery, "ada", made.json.password);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

const filesContaining = (word = planted): string[] => filesHolding(rookery.home.root, word);
async function forget(...args: string[]) {
  const ran = await rookery.cli("forget", "--json", ...args);
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  return JSON.parse(ran.stdout);
}

const inRoom = (roomId: string, ...parts: string[]): string =>
  `/rooms/${[roomId, ...parts].map(encodeURIComponent).join("/")}`;

/** Relative to /_matrix/client/v3, the base of `ada.call`. */
const media = "/../../media/v3";

/** A file, uploaded as by a client. */
async function upload(name: string, content: string): Promise<string> {
  const path = `${media}/upload?filename=${name}`;
  return (await ada.call("POST", path, content)).content_uri;
}

/** This process acts as the host of a session's MCP server. */
async function connect(): Promise<Client> {
  await rookery.hook("SessionStart", makePayload("SessionStart", { session_id: "s-mcp", source: "startup" }));
  const client = new Client({ name: "test", version: "1" });
  clients.push(client);
  const [command = "", ...args] = launcher;
  await client.connect(
    new StdioClientTransport({ command, args: [...args, "mcp"], env: rookery.env, stderr: "ignore" }),
  );
  return client;
}

/** Puts the words into everything that people and agents can write in a room. */
async function plant(): Promise<{ roomId: string; kept: string; since: string; uri: string }> {
  const [rook, jay] = [await stage.open("orders"), await stage.open("orders")];
  const send = [...launcher, "send", "--to", rook.agent, `From the terminal: ${planted}`];
  expect(await person.run(send, rookery.env)).toMatchObject({ code: 0 });
  const mcp = await connect();
  await mcp.callTool({
    name: "message_send",
    arguments: { to: jay.agent, text: `From an agent: ${planted} and more` },
  });
  await rook.send("project", `To all: ${planted}`);
  await rook.send("project", `To all: ${kept}`);
  const room = await waitFor(async () =>
    (await rookery.call("GET", "/api/rooms")).json.rooms.find((each: any) => each.name === "orders"),
  );
  await ada.call("POST", `/join/${encodeURIComponent(room.id)}`, {});
  await ada.write(room.id, { msgtype: "m.text", body: `From a client: ${planted.toUpperCase()}` });
  const edited = await ada.write(room.id, { msgtype: "m.text", body: "At first it said nothing." });
  await ada.write(room.id, {
    msgtype: "m.text",
    body: `* now ${planted}`,
    "m.new_content": { msgtype: "m.text", body: planted },
    "m.relates_to": { rel_type: "m.replace", event_id: edited },
  });
  const last = await ada.write(room.id, { msgtype: "m.text", body: `Also from a client: ${kept}` });
  const uri = await upload(`${planted}.txt`, "nothing in it");
  await ada.write(room.id, { msgtype: "m.file", body: "see there", filename: `${planted}.txt`, url: uri });
  await upload("plain.txt", `in it: ${planted}`);
  const own = (
    await ada.call("POST", "/createRoom", { name: `About ${planted}`, topic: `all of ${planted}` })
  ).room_id;
  await ada.call("PUT", inRoom(own, "state", "m.room.topic"), { topic: `still ${planted}` });
  await ada.call("PUT", `/user/${encodeURIComponent(ada.userId)}/account_data/org.example.draft`, {
    text: `unsent ${planted}`,
  });
  await ada.call("PUT", `/profile/${encodeURIComponent(ada.userId)}/displayname`, {
    displayname: `Ada of ${planted}`,
  });
  // Wait until both search indexes, the homeserver's and ours, contain the word.
  const found = await ada.call("POST", "/search", {
    search_categories: { room_events: { search_term: planted } },
  });
  expect(found.search_categories.room_events.count).toBeGreaterThan(3);
  const bodies = () => rookery.query("SELECT body FROM messages").map(({ body }) => body as string);
  await waitFor(() => bodies().filter((body) => body.toLowerCase().includes(planted)).length > 3, {
    describe: () => `four messages among ${bodies().join(" · ")}`,
  });
  const { next_batch: since } = await ada.call("GET", "/sync?timeout=0");
  return { roomId: room.id, kept: last, since, uri };
}

/** Moves the data from the write-ahead logs into the database pages, where it is harder to erase. */
function settle(): void {
  for (const path of [rookery.home.database, rookery.home.matrixDatabase]) {
    const db = openDatabase(path);
    db.get("PRAGMA wal_checkpoint(PASSIVE)");
    db.close();
  }
}

describe("forget by words", () => {
  it("redacts messages in rooms, informs clients, and leaves no byte in the home", async () => {
    const { roomId, kept: staying, since, uri } = await plant();
    settle();
    expect(filesContaining()).toEqual(expect.arrayContaining(["matrix.db", "rookery.db"]));
    expect(filesContaining().filter((file) => file.startsWith("matrix-media"))).toHaveLength(1);

    const plan = await forget("--query", planted, "--dry-run");
    expect(plan.homeserver.events).toBeGreaterThan(6);
    expect(filesContaining()).toContain("matrix.db");

    const report = await forget("--query", planted, "--yes");
    expect(report.remaining).toEqual([]);
    expect(report.homeserver).toMatchObject({ media: 2 });
    expect(report.homeserver.rows).toBeGreaterThan(0);
    expect(filesContaining()).toEqual([]);

    const news = await ada.call("GET", `/sync?timeout=0&since=${since}`);
    const told = news.rooms.join[roomId].timeline.events.filter(
      (event: any) => event.type === "m.room.redaction",
    );
    expect(told.length).toBeGreaterThan(3);
    expect(JSON.stringify(await ada.call("GET", "/sync?timeout=0")).toLowerCase()).not.toContain(planted);
    const said = await ada.read(roomId);
    expect(said.find(({ event_id }) => event_id === staying)?.content.body).toContain(kept);
    expect((await ada.call("GET", `${media}/download/${uri.slice("mxc://".length)}`)).errcode).toBe(
      "M_NOT_FOUND",
    );
    const again = await ada.call("POST", "/search", {
      search_categories: { room_events: { search_term: planted } },
    });
    expect(again.search_categories.room_events.count).toBe(0);
    const others = await ada.call("POST", "/search", {
      search_categories: { room_events: { search_term: kept } },
    });
    expect(others.search_categories.room_events.count).toBe(2);

    await rookery.kill9();
    await rookery.start();
    await rookery.cli("import", "transcripts", "--json");
    await waitFor(async () => (await rookery.call("GET", "/api/matrix")).json.users > 0);
    expect(filesContaining()).toEqual([]);
    expect(rookery.query("SELECT 1 FROM messages WHERE body LIKE ?", `%${kept}%`).length).toBeGreaterThan(0);
    expect(rookery.query("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  });

  it.runIf(isLong)("also removes a message that arrives just after the request", async () => {
    const { roomId } = await plant();
    expect((await forget("--query", planted, "--yes")).remaining).toEqual([]);
    await ada.write(roomId, { msgtype: "m.text", body: `sent a moment ago: ${planted}` });
    await waitFor(() => filesContaining().length === 0, { describe: () => String(filesContaining()) });
  });

  it("removes a room's name and keeps the room", async () => {
    const { agent } = await stage.open("orders");
    const body = { name: planted, members: [agent] };
    const made = await person.call(rookery, "POST", "/api/rooms", body);
    expect(made.status, made.text).toBe(201);
    await ada.call("POST", `/join/${encodeURIComponent(made.json.id)}`, {});
    settle();
    expect(filesContaining()).toContain("rookery.db");
    expect((await forget("--query", planted, "--yes")).remaining).toEqual([]);
    expect(filesContaining()).toEqual([]);
    const { rooms } = (await rookery.call("GET", "/api/rooms")).json;
    expect(rooms).toContainEqual(expect.objectContaining({ id: made.json.id }));
  });

  it.runIf(isLong)("is completed by the next daemon if the daemon is killed midway", async () => {
    await plant();
    // Nothing is erased permanently while a reader uses an earlier state.
    const reader = openDatabase(rookery.home.database, { readOnly: true });
    reader.script("BEGIN; SELECT count(*) FROM messages");
    const asked = rookery.call("POST", "/api/forget", { query: planted }).catch(() => undefined);
    await waitFor(() => rookery.query("SELECT 1 FROM forgettings").length > 0);
    await rookery.kill9();
    await asked;
    reader.close();
    expect(filesContaining()).not.toEqual([]);
    await rookery.start();
    await waitFor(() => rookery.query("SELECT 1 FROM forgettings").length === 0);
    expect(filesContaining()).toEqual([]);
  });

  it.runIf(isLong)(
    "stays recorded while a reader keeps bytes from being erased, and is completed later",
    async () => {
      await plant();
      const reader = openDatabase(rookery.home.database, { readOnly: true });
      reader.script("BEGIN; SELECT count(*) FROM messages");
      const { json } = await rookery.call("POST", "/api/forget", { query: planted });
      expect(json.remaining).toEqual(expect.arrayContaining([expect.stringContaining("rookery.db")]));
      expect(rookery.query("SELECT target, erasure FROM forgettings")).toEqual([
        { target: null, erasure: null },
      ]);
      reader.close();
      await rookery.stop();
      await rookery.start();
      await waitFor(() => rookery.query("SELECT 1 FROM forgettings").length === 0);
      expect(filesContaining()).toEqual([]);
    },
  );

  it.runIf(isLong)(
    "also erases the database of a disabled homeserver and an export in the home",
    async () => {
      await plant();
      const file = join(rookery.home.root, "notes.jsonl");
      expect((await rookery.cli("export", file)).code).toBe(0);
      writeFileSync(file, `{"kind":"observation","title":"${planted}"}\n`, { flag: "a" });
      const off = await person.call(rookery, "PATCH", "/api/config", { "matrix.enabled": false });
      expect(off).toMatchObject({ status: 200 });
      await rookery.stop();
      await rookery.start();
      expect(filesContaining()).toEqual(expect.arrayContaining(["matrix.db", "notes.jsonl"]));
      expect(await forget("--query", planted, "--yes")).toMatchObject({
        remaining: [],
        files: ["notes.jsonl"],
      });
      expect(filesContaining()).toEqual([]);
    },
  );
});

describe("forget by", () => {
  it("id: a message is removed from its room, with its edits; others stay", async () => {
    const { roomId } = await plant();
    const search = async (text: string) =>
      (await rookery.call("GET", `/api/search?kind=message&q=${text}`)).json.results as { id: string }[];
    const messages = await waitFor(async () => {
      const found = await search(kept);
      return found.length > 1 && found;
    });
    await forget(...messages.map(({ id }) => id));
    expect(filesContaining(kept)).toEqual([]);
    expect(filesContaining()).not.toEqual([]);
    expect(JSON.stringify(await ada.read(roomId))).not.toContain(kept);
  });

  it.each(
    someRows([
      ["time", ["--since", "2020-01-01", "--until", "2099-01-01", "--yes"]],
      ["project", ["--project", "orders", "--yes"]],
    ]),
  )("%s: no text is left", async (_by, args) => {
    const { roomId } = await plant();
    await forget(...args);
    expect(JSON.stringify(await ada.read(roomId))).not.toContain(kept);
    expect(filesContaining(kept)).toEqual([]);
  });
});

describe("an open question", () => {
  it.runIf(isLong)("is forgotten after it is settled, together with the notes from its answer", async () => {
    const mcp = await connect();
    const asking = mcp.callTool({
      name: "ask_human",
      arguments: { question: `Shall ${planted} be the host?`, options: ["yes", "no"] },
    });
    const { id } = await openQuestion(rookery);
    const report = await forget("--query", planted, "--yes");
    expect(report).toMatchObject({ waiting: 1, remaining: ["rookery.db"] });
    expect(await openQuestion(rookery)).toMatchObject({ id });

    expect((await postAnswer(person, rookery, id, { answers: [["yes"]] })).status).toBe(200);
    await asking;
    // The request is in the store, so the next daemon completes it.
    await rookery.kill9();
    await rookery.start();
    const left = () => JSON.stringify(rookery.query("SELECT * FROM questions"));
    await waitFor(() => left() === "[]", { describe: () => `none of ${left()}` });
    await waitFor(() => filesContaining().length === 0, { describe: () => filesContaining().join() });
  });
});

it("a daemon that scanned its files still holds the lock on its home", async () => {
  await forget("--query", planted, "--dry-run");
  expect(() => openDatabase(rookery.home.lock)).toThrow("locked");
});

it("the retention time of a room removes old messages here and on our homeserver", async () => {
  const rook = await stage.open("aviary");
  const roomOf = async (): Promise<{ id: string } | undefined> =>
    (await rookery.call("GET", "/api/rooms")).json.rooms.find(({ name }: any) => name === "aviary");
  await waitFor(roomOf);
  for (const text of [`The old ${planted} is broken`, `The new ${kept} works`])
    expect(await rook.send("#aviary", text)).toMatchObject({ status: 201 });
  const task = { title: `Repair the ${planted}`, hostPid: rook.claude.pid };
  expect((await rookery.call("POST", "/api/tasks", task)).status).toBeLessThan(300);
  const sent = "SELECT 1 FROM messages WHERE event_id IS NOT NULL AND body LIKE ?";
  await waitFor(() => rookery.query(sent, `%${planted}%`).length === 2);
  await waitFor(() => rookery.query(sent, `%${kept}%`).length === 1);
  await rookery.stop();
  for (const [file, age] of [
    [rookery.home.database, "messages SET created_at = created_at - 3 * 86400000 WHERE body"],
    [rookery.home.matrixDatabase, "events SET sent_at = sent_at - 3 * 86400000 WHERE content"],
  ] as const) {
    const db = openDatabase(file);
    db.run(`UPDATE ${age} LIKE ?`, `%${planted}%`);
    db.close();
  }
  await rookery.start();
  const { id } = (await waitFor(roomOf)) ?? { id: "" };
  const patched = await person.call(rookery, "PATCH", `/api/rooms/${encodeURIComponent(id)}`, {
    keepDays: 2,
  });
  expect(patched.status).toBe(200);
  await waitFor(() => rookery.query("SELECT 1 FROM messages WHERE body LIKE ?", `%${planted}%`).length === 0);
  await waitFor(() => filesContaining().filter((file) => file.startsWith("matrix")).length === 0);
  expect(filesContaining(kept).some((file) => file.includes("matrix"))).toBe(true);
});
