import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from "node:fs";
import { utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { prepareHome } from "../../src/config/home.ts";
import { spawnDaemon } from "../support/daemon-process.ts";
import { processesMentioning, waitFor, waitUntilGone } from "../support/processes.ts";
import { makePayload, plugin, runProcess, type Rookery } from "../support/rookery.ts";
import { idOf, spoolEvent, startWriting } from "../support/spool-writer.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const rookeries = useRookeriesWithoutRooms();
const read = (path: string): string => readFileSync(path, "utf8");
const daemonsOf = async (rookery: Rookery) =>
  (await processesMentioning(rookery.home.root)).filter(({ command }) => command.includes("daemon.js"));

describe("one daemon per home", () => {
  test("a second start reports that it is running; kill -9 frees the lock and stale files are replaced", async () => {
    const rookery = rookeries.open();
    expect(await rookery.cli("start")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Daemon started. http:/),
    });
    const first = rookery.pid();
    expect(await rookery.cli("start")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The daemon is already running./),
    });
    expect(rookery.pid()).toBe(first);

    await rookery.kill9();
    expect(existsSync(rookery.home.socket)).toBe(true);
    expect(existsSync(rookery.home.daemonFile)).toBe(true);
    expect(await rookery.cli("start")).toMatchObject({ code: 0, stdout: expect.stringContaining("started") });
    expect(rookery.pid()).not.toBe(first);
  });

  test("eight simultaneous starts give exactly one daemon", async () => {
    const rookery = rookeries.open();
    const ran = await Promise.all(Array.from({ length: 8 }, () => rookery.cli("start")));
    expect(ran.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      ran.map(() => ({ code: 0, stderr: "" })),
    );
    const pid = rookery.pid();
    expect((await daemonsOf(rookery)).map((each) => each.pid)).toContain(pid);
    await waitFor(async () => (await daemonsOf(rookery)).length === 1, { describe: "the losers to end" });
    expect((await rookery.call("GET", "/api/status")).json.pid).toBe(pid);
  });

  test("a second daemon started by hand exits with daemon_running and changes nothing", async () => {
    const rookery = await rookeries.started();
    const script = join(plugin, "dist", "daemon.js");
    const ran = await runProcess(process.execPath, [script], "", rookery.env);
    expect(ran.code).toBe(5);
    expect(JSON.parse(ran.stderr.split("\n").at(-2) ?? "")).toMatchObject({ code: "daemon_running" });
    expect((await rookery.call("GET", "/health")).json).toMatchObject({ status: "ok" });
    expect(await rookery.hook("Stop", makePayload("Stop"))).toMatchObject({ code: 0 });
    expect(readdirSync(rookery.home.spool)).toEqual([]);
  });
});

describe("after a kill -9, while the system still frees the memory", () => {
  /** Holds lock and socket as a killed process does until its memory is free: connections are accepted, none is answered. */
  async function holdAsDying({ home }: Rookery) {
    prepareHome(home);
    const lock = new DatabaseSync(home.lock);
    lock.exec("BEGIN EXCLUSIVE");
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(home.socket, resolve));
    return {
      isAsked: () => sockets.length > 0,
      end(): void {
        server.close();
        for (const socket of sockets) socket.destroy();
        lock.close();
      },
    };
  }

  test("a daemon waits for the lock", async () => {
    const rookery = rookeries.open();
    const dying = await holdAsDying(rookery);
    const ended = runProcess(process.execPath, [join(plugin, "dist", "daemon.js")], "", rookery.env);
    await waitFor(dying.isAsked);
    dying.end();
    const isReady = waitFor(() => existsSync(rookery.home.daemonFile));
    expect(await Promise.race([ended, isReady])).toBe(true);
  });

  test("a start tries again when that took too long", async () => {
    const rookery = rookeries.open();
    const dying = await holdAsDying(rookery);
    const starting = rookery.start();
    await waitFor(
      () => existsSync(rookery.home.bootLog) && read(rookery.home.bootLog).includes("daemon_running"),
    );
    dying.end();
    await starting;
  });
});

describe("addresses", () => {
  test("a configured port that is in use is left alone; the port chosen instead is kept across restarts", async () => {
    const stranger = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const { port: taken } = stranger.address() as { port: number };
    const rookery = await rookeries.started({ ROOKERY_PORT: String(taken) });
    const portOf = (): number => JSON.parse(read(rookery.home.daemonFile)).port;
    const chosen = portOf();
    expect(chosen).not.toBe(taken);
    expect((await rookery.callTcp("GET", "/api/status")).json.url).toBe(`http://127.0.0.1:${chosen}/`);
    await rookery.cli("restart");
    expect(portOf()).toBe(chosen);
    await new Promise((resolve) => stranger.close(resolve));
    await rookery.cli("restart");
    expect(portOf()).toBe(taken);
  });

  test("two homes run independently", async () => {
    const [one, other] = await Promise.all([rookeries.started(), rookeries.started()]);
    await one.hook("Stop", makePayload("Stop", { session_id: "one" }));
    await other.hook("Stop", makePayload("Stop", { session_id: "other" }));
    expect(one.query("SELECT session_id AS id FROM events")).toEqual([{ id: "one" }]);
    expect(other.query("SELECT session_id AS id FROM events")).toEqual([{ id: "other" }]);
    await one.stop();
    expect((await other.cli("status")).code).toBe(0);
  });
});

test("a daemon whose home was deleted exits without touching its successor", async () => {
  const rookery = await rookeries.started();
  const old = rookery.pid();
  const { port } = JSON.parse(read(rookery.home.daemonFile));
  const authorization = `Bearer ${read(rookery.home.token).trim()}`;
  rmSync(rookery.home.root, { recursive: true });
  expect(await rookery.cli("start")).toMatchObject({ code: 0 });
  // At its next commit it notices that its database is gone.
  const event = JSON.stringify(makePayload("Stop"));
  const url = `http://127.0.0.1:${port}/api/hooks/Stop`;
  await fetch(url, { method: "POST", headers: { authorization }, body: event }).catch(() => undefined);
  await waitUntilGone([old]);
  expect(rookery.pid()).not.toBe(old);
  const { json } = await rookery.call("GET", "/api/status");
  expect(json).toMatchObject({ pid: rookery.pid(), database: { setAside: null } });
  expect(readdirSync(rookery.home.root).filter((name) => /suspect|damaged/.test(name))).toEqual([]);
  await rookery.hook("Stop", makePayload("Stop"));
  expect(rookery.query("SELECT count(*) AS n FROM events")).toEqual([{ n: 1 }]);
});

test("a home with a long and unusual path works: its socket is elsewhere", async () => {
  const folder = join(tmpdir(), `rk-${process.pid}`);
  const deep = join(folder, `it's "odd" ${"ü".repeat(60)}`, "home");
  const runtime = join(folder, "runtime");
  mkdirSync(runtime, { recursive: true, mode: 0o700 });
  try {
    const rookery = await rookeries.started({ ROOKERY_HOME: deep, XDG_RUNTIME_DIR: runtime });
    expect(rookery.home.socket.startsWith(runtime)).toBe(true);
    expect(JSON.parse(read(rookery.home.daemonFile)).socket).toBe(rookery.home.socket);
    expect((await rookery.cli("status")).stdout).toContain(deep);
    const elsewhere = { ...rookery.env, XDG_RUNTIME_DIR: join(folder, "another-runtime") };
    const status = await runProcess(join(plugin, "bin", "rookery"), ["status"], "", elsewhere);
    expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining(`pid ${rookery.pid()}`) });
    const { stdout } = await rookery.hook("SessionStart", makePayload("SessionStart"));
    expect(JSON.parse(stdout).systemMessage).toContain("Rookery is on");
    await rookery.stop();
    await waitFor(() => !existsSync(rookery.home.daemonFile));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a daemon started from a session inherits no environment or folder from it, and all its files are private", async () => {
  const rookery = rookeries.open({
    CLAUDECODE: "1",
    CLAUDE_CODE_SESSION_ID: "s",
    CLAUDE_PROJECT_DIR: "/x",
    NODE_OPTIONS: "--no-deprecation",
    npm_config_x: "y",
  });
  await rookery.hook("SessionStart", makePayload("SessionStart"));
  const environment = read(`/proc/${rookery.pid()}/environ`).split("\0");
  expect(environment).toContain(`ROOKERY_HOME=${rookery.home.root}`);
  expect(environment.filter((entry) => /^(CLAUDE|NODE_OPTIONS|npm_)/.test(entry))).toEqual([]);
  expect(readlinkSync(`/proc/${rookery.pid()}/cwd`)).toBe(rookery.home.root);

  const modes = readdirSync(rookery.home.root, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path, entry.isDirectory() ? "folder" : "file", (statSync(path).mode & 0o777).toString(8)];
  });
  const names = modes.map(([path]) => path);
  for (const path of [
    rookery.home.database,
    `${rookery.home.database}-wal`,
    rookery.home.socket,
    rookery.home.token,
  ])
    expect(names).toContain(path);
  expect(modes.filter(([, kind, mode]) => mode !== (kind === "folder" ? "700" : "600"))).toEqual([]);
  expect(statSync(rookery.home.root).mode & 0o777).toBe(0o700);
});

test("a graceful stop under load loses nothing", async () => {
  const rookery = await rookeries.started();
  const { home } = rookery;
  const writers = Array.from({ length: 8 }, (_, n) => startWriting(home, `s-${n}`));
  for (let round = 0; round < 3; round++) {
    await waitFor(() => rookery.query("SELECT 1 FROM events LIMIT 5").length === 5);
    await rookery.cli("restart");
  }
  await rookery.stop();
  const names = (await Promise.all(writers.map((writer) => writer.stop()))).flat();
  await rookery.start();
  await waitFor(() => readdirSync(home.spool).length === 0);
  const stored = rookery.query<{ id: string }>("SELECT id FROM events").map(({ id }) => id);
  expect(stored.toSorted()).toEqual(names.toSorted());
});

test("a daemon that is stopped while a worker is busy shuts down cleanly", async () => {
  const rookery = await rookeries.started();
  const note = { project: tmpdir(), text: "The lantern is blue." };
  expect((await rookery.call("POST", "/api/notes", note)).status).toBeLessThan(300);
  await rookery.stop();
  // At start, a worker checks that every note has a vector.
  const child = await spawnDaemon(rookery);
  const ended = once(child, "exit");
  await rookery.call("POST", "/api/stop", { reason: "stop" });
  expect(await ended).toEqual([0, null]);
  expect(existsSync(rookery.home.daemonFile)).toBe(false);
});

describe("handover", () => {
  /** The same code with another build time. */
  function copyPlugin(folder: string, builtAt: number): string {
    const copy = join(folder, `plugin-${builtAt}`);
    cpSync(plugin, copy, { recursive: true });
    const file = join(copy, "dist", "build.json");
    const build = JSON.parse(read(file));
    writeFileSync(file, JSON.stringify({ ...build, build: `copy-${builtAt}`, builtAt }));
    return join(copy, "bin", "rookery");
  }

  test("a daemon does not hand over to a build that is not newer", async () => {
    const rookery = await rookeries.started();
    const first = rookery.pid();
    const body = { reason: "handover", version: "0.0.1", build: "x", builtAt: 1 };
    expect(await rookery.call("POST", "/api/stop", body)).toMatchObject({
      status: 409,
      json: { code: "daemon_running" },
    });
    expect((await rookery.call("GET", "/health")).status).toBe(200);
    expect(rookery.pid()).toBe(first);
  });

  test("a newer build replaces the daemon while events arrive; an older one does not", async () => {
    const rookery = await rookeries.started();
    const { home } = rookery;
    const writer = startWriting(home, "s");
    const first = rookery.pid();
    const newer = copyPlugin(rookery.env.HOME ?? "", Date.now() + 60_000);
    const ran = await runProcess(newer, ["start"], "", rookery.env);
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("An older daemon was replaced.") });
    const second = rookery.pid();
    expect(second).not.toBe(first);
    await waitUntilGone([first]);

    const older = copyPlugin(rookery.env.HOME ?? "", 1_000);
    for (const launcher of [older, join(plugin, "bin", "rookery")])
      expect((await runProcess(launcher, ["start"], "", rookery.env)).stdout).toContain(
        "The daemon is already running.",
      );
    expect(rookery.pid()).toBe(second);
    const names = await writer.stop();
    await waitFor(() => readdirSync(home.spool).length === 0);
    expect(
      rookery
        .query<{ id: string }>("SELECT id FROM events")
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(names.toSorted());
  });
});

describe("unexpected files", () => {
  test("foreign and incomplete files in the spool are skipped, and valid events are ingested", async () => {
    const rookery = rookeries.open();
    mkdirSync(rookery.home.spool, { recursive: true });
    mkdirSync(join(rookery.home.spool, "Stop.1700000000000000.1.1"));
    writeFileSync(join(rookery.home.spool, "no event"), "x");
    const old = Date.now() - 3_600_000;
    const half = spoolEvent(rookery.home, "Stop", '{"session_id":', "", old);
    const good = spoolEvent(rookery.home, "Stop", makePayload("Stop"), "", old);
    await spawnDaemon(rookery);
    await waitFor(() => rookery.query("SELECT id FROM events").length === 1);
    expect(rookery.query("SELECT id FROM events")).toEqual([{ id: idOf(good) }]);
    expect(readdirSync(rookery.home.spool)).toContain(half); // Its mtime is recent: a hook may still be writing it.
    const { code } = await rookery.cli("status");
    expect(code).toBe(0);
  });

  test("a daemon whose bell and reply folder were deleted still stops cleanly", async () => {
    const rookery = await rookeries.started();
    const pid = rookery.pid();
    rmSync(rookery.home.bell);
    rmSync(rookery.home.reply, { recursive: true });
    await rookery.stop();
    await waitUntilGone([pid]);
    expect(read(rookery.home.log)).toContain('"daemon stopped"');
  });
});

test("a start truncates a long boot log", async () => {
  const rookery = rookeries.open();
  mkdirSync(rookery.home.logs, { recursive: true });
  writeFileSync(rookery.home.bootLog, "an old error\n".repeat(100_000));
  await rookery.start();
  expect(statSync(rookery.home.bootLog).size).toBeLessThan(1_000);
});

test("an event dated in the future is stored with the current time", async () => {
  const rookery = await rookeries.started();
  const aheadMs = Date.now() + 86_400_000;
  const names = ["Stop", "Notification"].map((event) => {
    const name = spoolEvent(rookery.home, event, makePayload(event), "", aheadMs);
    utimesSync(join(rookery.home.spool, name), aheadMs / 1000, aheadMs / 1000);
    return name;
  });
  const incomplete = spoolEvent(rookery.home, "Stop", "{", "", aheadMs);
  utimesSync(join(rookery.home.spool, incomplete), aheadMs / 1000, aheadMs / 1000);
  await waitFor(() => readdirSync(rookery.home.spool).length === 0);
  const rows = rookery.query<{ id: string; at: number }>("SELECT id, occurred_at AS at FROM events");
  expect(rows.map(({ id }) => id).toSorted()).toEqual(names.map(idOf).toSorted());
  for (const { at } of rows) expect(at).toBeLessThanOrEqual(Date.now());
  expect(readdirSync(rookery.home.rejected)).toEqual([incomplete]);
});

test("a file that is being written while the clock is set is not given up", async () => {
  const rookery = await rookeries.started();
  const past = Date.now() / 1000 - 86_400; // Its age to a daemon whose clock was set a day ahead.
  const spoolOld = (event: string, payload: unknown): string => {
    const name = spoolEvent(rookery.home, event, payload);
    utimesSync(join(rookery.home.spool, name), past, past);
    return name;
  };
  const unfinished = spoolOld("Stop", "{");
  const finished = spoolOld("Notification", makePayload("Notification"));
  const stored = (): string[] => rookery.query<{ id: string }>("SELECT id FROM events").map(({ id }) => id);
  await waitFor(() => stored().includes(idOf(finished)), { describe: "a sweep" });
  expect(readdirSync(rookery.home.rejected)).toEqual([]);
  writeFileSync(join(rookery.home.spool, unfinished), `\n${JSON.stringify(makePayload("Stop"))}`);
  utimesSync(join(rookery.home.spool, unfinished), past, past);
  await waitFor(() => stored().includes(idOf(unfinished)));
});

const canQueue = process.platform === "linux" && Number(read("/proc/sys/net/core/somaxconn")) >= 4_096;
test.runIf(canQueue)("700 hooks can connect while the daemon is frozen", async () => {
  const rookery = await rookeries.started();
  const port = Number(read(rookery.home.bell));
  process.kill(rookery.pid(), "SIGSTOP");
  let connected = 0;
  const sockets = Array.from({ length: 700 }, () =>
    connect({ host: "127.0.0.1", port })
      .on("connect", () => connected++)
      .on("error", () => {}),
  );
  try {
    await waitFor(() => connected === 700, { describe: () => `700 connections, not ${connected}` });
  } finally {
    for (const socket of sockets) socket.destroy();
    process.kill(rookery.pid(), "SIGCONT");
  }
});

test("the log line and the row have the same event id, and `logs --session` finds it", async () => {
  const rookery = await rookeries.started();
  for (const session_id of ["mine", "theirs"])
    await rookery.hook("Stop", makePayload("Stop", { session_id }));
  const [row] = rookery.query("SELECT id FROM events WHERE session_id = 'mine'");
  await waitFor(() => read(rookery.home.log).includes(row.id));
  const { code, stdout } = await rookery.cli("logs", "--session", "mine");
  expect(code).toBe(0);
  expect(stdout.trim().split("\n")).toHaveLength(1);
  expect(stdout).toContain(`id=${row.id}`);
  expect(stdout).toContain("event stored");
  expect(stdout).not.toContain("theirs");
  expect(read(rookery.home.log).match(/"database migrated"/g)).toHaveLength(1);
});
