import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { updateSecrets } from "../../src/config/secrets.ts";
import { openHubLine } from "../../src/daemon/hub/hub-line.ts";
import { runCli } from "../support/broken-home.ts";
import {
  filesWith,
  type HubMachine,
  hubSettings,
  invite,
  joinMachine,
  openHubStage,
  waitForNote,
} from "../support/hub-stage.ts";
import { openHubProxy } from "../support/hub-proxy.ts";
import { isLong } from "../support/long.ts";
import { makePlantedNotes } from "../support/planted-secrets.ts";
import { listPostgres, type Postgres } from "../support/postgres.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

const forgetRounds = isLong ? 20 : 2;
const secretsPerNote = isLong ? 20 : 2;

const servers = listPostgres();
describe.skipIf(servers.length === 0)("a hub", () => {
  describe.each(isLong ? servers : servers.slice(0, 1))("on %s", checkHub);
});

function checkHub(bin: string): void {
  const rookeries = useRookeries(afterAll, hubSettings);
  const person = useOutside();
  let postgres: Postgres;
  let ada: HubMachine;
  let bob: HubMachine;

  beforeAll(async () => {
    const [first, second] = await Promise.all([rookeries.started(), rookeries.started()]);
    postgres = await openHubStage(person, first, bin);
    ada = await joinMachine(person, first, {
      code: await invite(person, first, "ada"),
      member: "ada",
      device: "laptop",
    });
    bob = await joinMachine(person, second, {
      code: await invite(person, first, "bob"),
      member: "bob",
      device: "desk",
    });
  }, 60_000);
  afterAll(() => postgres?.close());

  test("answers a statement that runs while another caller is done with the connection, and the next one", async () => {
    const line = openHubLine(ada.rookery.home.secrets);
    const session = await line.session();
    const asked = session.whoami();
    await line.closeIfIdle();
    expect(await asked).toMatchObject({ state: "joined", member: "ada" });
    await line.closeIfIdle();
    expect(await session.whoami()).toMatchObject({ member: "ada" });
    await line.close();
  });

  test("closes a connection to a server that hangs, also one that is being opened, and opens another later", async () => {
    const proxy = await openHubProxy(postgres.port);
    const secretsFile = join(ada.rookery.folder, "behind-proxy.json");
    copyFileSync(ada.rookery.home.secrets, secretsFile);
    updateSecrets(secretsFile, ({ hub: { connection } }) => {
      if (connection) connection.port = proxy.port;
    });
    const line = openHubLine(secretsFile);
    const timeClosing = async (): Promise<number> => {
      const from = performance.now();
      await line.close();
      return performance.now() - from;
    };
    try {
      const session = await line.session();
      expect(await session.whoami()).toMatchObject({ member: "ada" });
      proxy.set("hung");
      expect(await timeClosing()).toBeLessThan(5_000);
      const opening = session.whoami().catch((error: unknown) => error);
      expect(await timeClosing()).toBeLessThan(5_000);
      proxy.set("up");
      expect(await session.whoami()).toMatchObject({ member: "ada" });
      expect(await opening).toMatchObject({ code: "hub_unreachable" });
    } finally {
      await line.close();
      await proxy.close();
    }
  });

  test("names a database without TLS as such, not as one that is out of reach", async () => {
    const url = postgres.adminUrl().replace("?sslmode=disable", "");
    const answer = await person.call(ada.rookery, "POST", "/api/hub/create", { url });
    expect(answer.json).toMatchObject({
      code: "hub_without_tls",
      message: "The server at 127.0.0.1 does not offer TLS.",
      hint: expect.stringContaining("add ?sslmode=disable only for a database on this machine"),
    });
  });

  test("has one line in the status of a machine that joined, and none before", async () => {
    const stranger = await rookeries.started();
    expect(await hubLine(stranger)).toBeUndefined();
    expect((await stranger.call("GET", "/api/status")).json.hub).toBeNull();
    expect(await hubLine(ada.rookery)).toBe(
      "Hub 127.0.0.1 as ada (laptop), shares nothing, no contact yet, 0 notes waiting",
    );
  });

  test("shares nothing before it is asked to, and previews what would go", async () => {
    await ada.save("We deploy the api only from signed tags.");
    await ada.save("I prefer short answers without emoji.", { type: "preference" });
    const preview = await ada.post("/api/hub/share", { project: ada.cwd, dryRun: true });
    expect(preview).toMatchObject({
      key: "git.example.org/acme/api",
      known: null,
      notes: 1,
      staying: 1,
      hidden: 0,
      examples: ["We deploy the api only from signed tags."],
      isShared: false,
    });
    expect(await postgres.query("SELECT * FROM rookery.records", "hub")).toEqual([]);
  });

  test("brings a note of one machine to the other, with its author, and no preference", async () => {
    await ada.post("/api/hub/share", { project: ada.cwd });
    await bob.post("/api/hub/share", { project: bob.cwd });
    const [note] = [...bob.notes().values()];
    expect([...bob.notes().values()]).toEqual([
      { title: note?.title, narrative: "We deploy the api only from signed tags.", author: "ada" },
    ]);
    const context = await bob.startContext();
    expect(context).toMatch(/signed tags from=\\"ada\\"/);
    const found = await bob.rookery.call("GET", "/api/search?q=deploy%20tags");
    expect(found.json.results[0]).toMatchObject({ author: "ada", kind: "note" });
  });

  test("sends preferences only if they are named, and they become no rules of another", async () => {
    const folders = [ada, bob].map(({ rookery: { folder } }) => join(folder, "web"));
    for (const folder of folders) execFileSync("git", ["init", "-q", folder]);
    const [mine = "", theirs = ""] = folders;
    const rule = "Never use default exports in the web client.";
    const { id } = await ada.save(rule, { project: mine, type: "preference" });
    const preview = (fields: object) =>
      ada.post("/api/hub/share", { project: mine, key: "acme/web", dryRun: true, ...fields });
    expect(await preview({})).toMatchObject({ notes: 0, staying: 1 });
    expect(await preview({ with: ["preferences"] })).toMatchObject({ notes: 1, staying: 0 });
    await ada.post("/api/hub/share", { project: mine, key: "acme/web", with: ["preferences"] });
    await bob.post("/api/hub/share", { project: theirs, key: "acme/web" });
    await waitForNote(bob, id);
    expect(bob.rookery.query("SELECT type, author FROM observations WHERE id = ?", id)).toEqual([
      { type: "discovery", author: "ada" },
    ]);
    for (const [machine, project] of [
      [ada, mine],
      [bob, theirs],
    ] as const)
      await machine.post("/api/hub/unshare", { project, recall: true });
    await ada.rookery.call("POST", "/api/forget", { ids: [id] });
  });

  test("carries later notes in the background, and after both were offline", async () => {
    await postgres.kill9();
    const [one, two] = [
      await ada.save("Orders are archived after ninety days by the nightly job."),
      await bob.save("The staging cluster runs on three small nodes."),
    ];
    // It queues every note again.
    expect((await ada.resync()).status).toBe(503);
    expect(await hubLine(ada.rookery)).toMatch(
      /^Hub 127\.0\.0\.1 as ada \(laptop\), shares api-laptop, last contact [-\d]+ [:\d]+, 3 notes waiting; NOT REACHED: The hub does not answer/,
    );
    const { hub } = JSON.parse((await runCli(ada.rookery, ["status", "--json"])).stdout);
    expect(hub).toEqual({
      ...{ state: "joined", host: "127.0.0.1", member: "ada", device: "laptop", projects: ["api-laptop"] },
      ...{ waiting: 3, contactAt: expect.any(Number), error: expect.stringContaining("does not answer") },
    });
    await postgres.start();
    await Promise.all([ada.resync(), bob.resync()]);
    await ada.resync();
    await waitForNote(bob, one.id);
    await waitForNote(ada, two.id);
    // Polled while a session works.
    await bob.startContext();
    const third = await ada.save("Invoices are numbered per tenant, never globally.");
    await ada.startContext();
    await waitForNote(bob, third.id);
    const ids = (machine: HubMachine) =>
      [...machine.notes()].filter(([, n]) => !n.title.startsWith("I prefer")).map(([id]) => id);
    expect(ids(bob)).toEqual(ids(ada));
  });

  test("shows contradicting notes of two people as disputed and hides neither", async () => {
    const mine = await bob.save("Pin react to 18.3");
    const theirs = await ada.save("Pin react to 19.1");
    await Promise.all([ada.resync(), bob.resync()]);
    await bob.resync();
    await waitForNote(bob, theirs.id);
    const { json } = await bob.rookery.call("GET", `/api/notes/${mine.id}`);
    expect(json).toMatchObject({ supersededBy: null, disputedBy: ["ada"] });
    const other = await bob.rookery.call("GET", `/api/notes/${theirs.id}`);
    expect(other.json).toMatchObject({ supersededBy: null, author: "ada", disputedBy: [null] });
  });

  test("forgets on every machine and leaves no byte in either home", async () => {
    const word = "quokkasandal";
    const note = await ada.save(`The secret project is called ${word}.`);
    await ada.resync();
    await bob.resync();
    await waitForNote(bob, note.id);
    const report = await ada.rookery.call("POST", "/api/forget", { ids: [note.id] });
    expect(report.json.hub).toMatchObject({
      removed: 1,
      waiting: 0,
      machines: { done: 1, total: 2, missing: ["bob@desk"] },
    });
    await bob.resync();
    await waitForNote(bob, note.id, false);
    expect(filesWith(bob.rookery.home.root, word)).toEqual([]);
    expect(filesWith(ada.rookery.home.root, word)).toEqual([]);
    const [row] = await postgres.query<any>(
      `SELECT body, gone_by FROM rookery.records WHERE id = '${note.id}'`,
      "hub",
    );
    expect(row).toMatchObject({ body: null, gone_by: expect.any(String) });
    await Promise.all([ada.resync(), bob.resync()]);
    expect(bob.notes().has(note.id)).toBe(false);
  });

  test(
    `leaves no byte in either home, nor in the scrubbed cluster, in ${forgetRounds} rounds`,
    async () => {
      // By default, only a superuser may do both.
      await postgres.query(
        "GRANT EXECUTE ON FUNCTION pg_switch_wal() TO admin; GRANT pg_checkpoint TO admin",
        "hub",
      );
      const words: string[] = [];
      for (let round = 0; round < forgetRounds; round++) {
        const word = `numbat${String.fromCodePoint(97 + round)}parasol`;
        words.push(word);
        const [author, other] = round % 2 === 0 ? [ada, bob] : [bob, ada];
        const note = await author.save(`The customer of round ${round} is called ${word}.`);
        await author.resync();
        await other.resync();
        await waitForNote(other, note.id);
        expect(filesWith(postgres.data, word)).not.toEqual([]);
        // One that is away when the note is forgotten.
        if (round % 4 === 1) await other.rookery.stop();
        const report = await author.rookery.call("POST", "/api/forget", { ids: [note.id] });
        expect(report.json.hub).toMatchObject({ removed: 1, waiting: 0 });
        if (round % 4 === 1) await other.rookery.start();
        await other.resync();
        await waitForNote(other, note.id, false);
        await Promise.all([ada.resync(), bob.resync()]);
        expect(await ada.post("/api/hub/scrub")).toEqual({ log: true });
        const pattern = words.join("\n");
        expect(filesWith(postgres.data, pattern)).toEqual([]);
        for (const { rookery } of [ada, bob]) expect(filesWith(rookery.home.root, pattern)).toEqual([]);
      }
    },
    isLong ? 900_000 : 120_000,
  );

  test("sends no secret that was stored before its rule existed, and sets aside only the row that is refused", async () => {
    const secret = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
    const note = await ada.save("The token for the mirror is kept in the vault.");
    const huge = await ada.save("The list of tables is long.");
    const next = await ada.save("The importer reads at most ten files at once.");
    await changeOffline(ada, [
      [note.id, `The token for the mirror is ${secret}.`],
      [huge.id, "word ".repeat(60_000)],
    ]);
    const { json } = await ada.resync();
    expect(json.projects[0].setAside).toEqual([{ id: huge.id, reason: "not valid" }]);
    await bob.resync();
    expect(bob.notes().get(note.id)?.narrative).toContain("[secret:");
    expect(bob.notes().has(next.id)).toBe(true);
    await postgres.query("CHECKPOINT");
    expect(filesWith(postgres.data, "The token for the mirror")).not.toEqual([]);
    expect(filesWith(postgres.data, secret)).toEqual([]);
  });

  test(`leaves none of ${secretsPerNote * 10} planted secrets in the rows and files of the cluster`, async () => {
    const planted = makePlantedNotes(secretsPerNote);
    const notes: [id: string, text: string][] = [];
    for (const { about, lines } of planted)
      notes.push([(await ada.save(about)).id, `${about}\n${lines.join("\n")}`]);
    await changeOffline(ada, notes);
    await ada.resync();
    await postgres.query("CHECKPOINT");
    const ids = notes.map(([id]) => `'${id}'`).join();
    const rows = await postgres.query<{ body: { narrative: string } }>(
      `SELECT body FROM rookery.records WHERE id IN (${ids}) ORDER BY id`,
      "hub",
    );
    const bodies = rows.map(({ body }) => JSON.stringify(body));
    expect(bodies.map((body) => planted.filter(({ about }) => body.includes(about)).length)).toEqual(
      planted.map(() => 1),
    );
    const secrets = planted.flatMap((note) => note.secrets);
    expect(new Set(secrets).size).toBe(secretsPerNote * 10);
    const stored = bodies.join("\n");
    expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
    // grep takes one pattern per line.
    expect(filesWith(postgres.data, planted[0]?.about ?? "")).not.toEqual([]);
    expect(filesWith(postgres.data, secrets.join("\n"))).toEqual([]);
  });

  test("drops the notes of others on a revoked machine, at once", async () => {
    expect([...bob.notes().values()].some(({ author }) => author === "ada")).toBe(true);
    await ada.post("/api/hub/revoke", { name: "bob@desk" });
    await bob.resync();
    await waitFor(() => ![...bob.notes().values()].some(({ author }) => author !== null));
    expect((await bob.rookery.call("GET", "/api/hub")).json.state).toBe("revoked");
    expect([...bob.notes().values()].some(({ title }) => title.startsWith("The staging"))).toBe(true);
  });

  test("takes back everything that a machine has shared", async () => {
    const { recalled } = await ada.post("/api/hub/unshare", { project: ada.cwd, recall: true });
    expect(recalled).toBeGreaterThan(3);
    const rows = await postgres.query(
      "SELECT 1 FROM rookery.records r JOIN rookery.members m ON m.id = r.member_id WHERE m.name = 'ada' AND body IS NOT NULL",
      "hub",
    );
    expect(rows).toEqual([]);
    expect([...ada.notes().values()].every(({ author }) => author === null)).toBe(true);
  });

  test("keeps the notes that a machine has taken back on this machine when it shares the project again", async () => {
    const before = [...ada.notes().keys()];
    expect(before.length).toBeGreaterThan(3);
    await ada.post("/api/hub/share", { project: ada.cwd });
    for (const _round of [1, 2]) expect((await ada.resync()).status).toBe(200);
    expect([...ada.notes()].flatMap(([id, { author }]) => (author === null ? [id] : []))).toEqual(before);
    const rows = await postgres.query(
      "SELECT 1 FROM rookery.records r JOIN rookery.members m ON m.id = r.member_id WHERE m.name = 'ada' AND body IS NOT NULL",
      "hub",
    );
    expect(rows).toEqual([]);
  });

  test("keeps and sends the own notes of a machine that left and joins again", async () => {
    const own = () => [...bob.notes().values()].filter(({ title }) => title.startsWith("The staging"));
    await bob.post("/api/hub/leave");
    await bob.post("/api/hub/join", { code: await invite(person, ada.rookery, "bob"), device: "desk" });
    await bob.post("/api/hub/share", { project: bob.cwd });
    const { json } = await bob.resync();
    expect(json.projects).toMatchObject([{ waiting: 0, setAside: [], behind: 0 }]);
    expect(own()).toMatchObject([{ author: null }]);
    const rows = await postgres.query<any>(
      "SELECT d.revoked_at FROM rookery.records r JOIN rookery.devices d ON d.id = r.device_id WHERE r.body->>'title' LIKE 'The staging%'",
      "hub",
    );
    expect(rows).toEqual([{ revoked_at: null }]);
    await bob.post("/api/hub/leave");
    expect(own()).toMatchObject([{ author: null }]);
  });
}

/** The hub in `rookery status`. */
async function hubLine(rookery: Rookery): Promise<string | undefined> {
  const { stdout } = await runCli(rookery, ["status"]);
  return /^Hub .*(?:\n {11}.*)*/m.exec(stdout)?.[0].replace(/\s+/g, " ");
}

/** Writes texts of notes that no version of Rookery would. In another process: this one has the file open. */
async function changeOffline(
  { rookery }: HubMachine,
  texts: readonly [id: string, text: string][],
): Promise<void> {
  await rookery.stop();
  const script = `const db = new (require("node:sqlite").DatabaseSync)(process.argv[1]);
    for (const [id, text] of JSON.parse(require("node:fs").readFileSync(0, "utf8")))
      db.prepare("UPDATE observations SET narrative = ? WHERE id = ?").run(text, id);`;
  execFileSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "-e", script, rookery.home.database],
    {
      input: JSON.stringify(texts),
    },
  );
  await rookery.start();
}
