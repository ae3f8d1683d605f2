// `npm run bench:matrix`: the embedded homeserver under load: one sender that awaits each send, all
// others on /sync. Measures throughput, latency, start, memory, disk, and the effect on the daemon.
import { readFileSync, statSync } from "node:fs";
import { get } from "node:http";
import { type Line, openLine } from "./http-line.ts";
import { openRookery, type Rookery } from "../support/rookery.ts";
import { waitFor } from "../support/processes.ts";
import { quantile } from "./measure.ts";
import { type Bar, formatBars, formatSection, judge, type Section } from "./report.ts";

type Person = Pick<Line, "close"> & {
  token: string;
  call(method: string, path: string, body?: unknown): Promise<any>;
};

interface Load {
  sendsPerSecond: number;
  p50: number;
  p95: number;
  missing: number;
}

const warmUp = 300;
const bars: Bar[] = [];
const rows: (string | number)[][] = [];

const off = openRookery({ ROOKERY_MATRIX_ENABLED: "false" });
const rookery = openRookery({ ROOKERY_MATRIX_REGISTRATION: "open", ROOKERY_MATRIX_WRITES_PER_SECOND: "0" });
try {
  await off.start();
  await rookery.start();
  const port = await waitForMatrix(rookery);
  const readyMs = readReadyMs(rookery);
  for (const [agents, sends] of [
    [2, 2_000],
    [10, 2_000],
    [30, 1_000],
    [100, 500],
  ] as const) {
    const load = await measure(port, agents, sends);
    const moreMb = ((await readRss(rookery)) - (await readRss(off))) / 1e6;
    rows.push([`${agents} agents`, sends, load.sendsPerSecond, load.p50, load.p95, load.missing, moreMb]);
    if (agents !== 10) continue;
    bars.push({
      name: "sends, 10 agents",
      measured: load.sendsPerSecond,
      unit: "/s",
      limit: { atLeast: 500 },
    });
    bars.push({ name: "send to sync p95, 10 agents", measured: load.p95, unit: "ms", limit: { atMost: 25 } });
    bars.push({ name: "more memory than without", measured: moreMb, unit: "MB", limit: { atMost: 50 } });
  }
  const alone = await timeHooks(rookery);
  const [, busy] = await Promise.all([measure(port, 10, 2_000, "busy"), timeHooks(rookery)]);
  rows.push(["hook p99 alone, ms", alone.length, quantile(alone, 0.99), "", "", "", ""]);
  rows.push(["hook p99 meanwhile, ms", busy.length, quantile(busy, 0.99), "", "", "", ""]);
  bars.push({
    name: "hook p99 while 10 agents talk",
    measured: quantile(busy, 0.99),
    unit: "ms",
    limit: { atMost: 60 },
  });
  bars.push({ name: "ready", measured: readyMs, unit: "ms", limit: { atMost: 300 } });
  bars.push({
    name: "disk per 10,000 short messages",
    measured: await measureDisk(port, rookery),
    unit: "MB",
    limit: { atMost: 10 },
  });
  const large = await measureLargeSyncs(port);
  for (const [name, delays] of [
    ["sends before, p99", large.alone],
    ["sends during 10 initial syncs, p99", large.delays],
  ] as const)
    rows.push([name, delays.length, "", quantile(delays, 0.5), quantile(delays, 0.99), "", ""]);
  rows.push(["10 initial syncs of 1,000 rooms, ms", 10, large.tookMs, "", "", "", ""]);
  bars.push({
    name: "send p99 during 10 initial syncs of 1,000 rooms",
    measured: quantile(large.delays, 0.99),
    unit: "ms",
    limit: { atMost: 50 },
  });
  report();
} finally {
  await Promise.all([rookery.close(), off.close()]);
}

function report(): void {
  const section: Section = {
    title: "One sender that awaits each send, the others on /sync",
    columns: ["", "sends", "sends/s", "p50 ms", "p95 ms", "not seen", "more MB"],
    rows,
    bars,
  };
  console.log(formatSection(section));
  console.log(formatBars([section]));
  if (process.argv.includes("--strict") && bars.some((bar) => judge(bar) === "MISSED")) process.exitCode = 1;
}

async function waitForMatrix(home: Rookery): Promise<number> {
  let port: number | undefined;
  await waitFor(async () => (port = (await status(home)).matrix?.url.match(/:(\d+)\//)?.[1]) !== undefined, {
    describe: "the homeserver",
  });
  return Number(port);
}

async function status(home: Rookery): Promise<any> {
  return (await home.call("GET", "/api/status")).json;
}

function readReadyMs(home: Rookery): number {
  const line = readLog(home).find(({ message }) => message === "matrix: homeserver ready");
  return line?.ms ?? Number.NaN;
}

function readLog(home: Rookery): any[] {
  const lines = readFileSync(home.home.log, "utf8").trim().split("\n");
  return lines.map((text) => JSON.parse(text));
}

async function readRss(home: Rookery): Promise<number> {
  return (await status(home)).rssBytes;
}

async function measure(port: number, agents: number, sends: number, round = "load"): Promise<Load> {
  const people = await Promise.all(
    Array.from({ length: agents }, (_, i) => register(port, `${round}-${agents}-${i}`)),
  );
  const [sender, ...readers] = people as [Person, ...Person[]];
  const room = await sender.call("POST", "createRoom", { preset: "public_chat" });
  const roomPath = `rooms/${encodeURIComponent(room.room_id)}`;
  for (const reader of readers) await reader.call("POST", `${roomPath}/join`, {});
  const sentAt = new Map<string, number>();
  const delays: number[] = [];
  let seen = 0;
  const isOver = { value: false };
  const loops = readers.map(async (reader) => {
    let { next_batch: since } = await reader.call("GET", "sync");
    while (!isOver.value) {
      const answer = await reader.call("GET", `sync?timeout=2000&since=${since}`);
      const now = performance.now();
      since = answer.next_batch;
      for (const event of answer.rooms.join[room.room_id]?.timeline.events ?? []) {
        const at = sentAt.get(event.content.body);
        if (at === undefined) continue;
        seen++;
        delays.push(now - at);
      }
    }
  });
  await sendMany(sender, roomPath, warmUp, "warm");
  const startedAt = performance.now();
  await sendMany(sender, roomPath, sends, "m", sentAt);
  const tookMs = performance.now() - startedAt;
  const expected = sends * readers.length;
  await waitFor(() => seen >= expected, {
    timeoutMs: 10_000,
    describe: () => `${seen} of ${expected}`,
  }).catch(() => {});
  isOver.value = true;
  await Promise.all(loops);
  for (const { close } of people) close();
  return {
    sendsPerSecond: (sends / tookMs) * 1000,
    p50: quantile(delays, 0.5),
    p95: quantile(delays, 0.95),
    missing: expected - seen,
  };
}

async function sendMany(
  sender: Person,
  roomPath: string,
  count: number,
  prefix: string,
  sentAt?: Map<string, number>,
): Promise<void> {
  for (let i = 0; i < count; i++) {
    const body = `${prefix} ${i}`;
    sentAt?.set(body, performance.now());
    await sender.call("PUT", `${roomPath}/send/m.room.message/${prefix}${i}`, {
      msgtype: "m.text",
      body,
    });
  }
}

/** Runs a tool's hook repeatedly, from start to exit. */
async function timeHooks({ hook }: Rookery, count = 150): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const use = {
      session_id: "bench",
      cwd: "/tmp",
      tool_name: "Bash",
      tool_use_id: `${process.hrtime.bigint()}`,
    };
    const start = performance.now();
    await hook("PostToolUse", { ...use, tool_input: { command: "ls" }, tool_response: { stdout: "a" } });
    times.push(performance.now() - start);
  }
  return times;
}

/** 10,000 one-line messages by four writers; SQLite's own checkpoints empty the write-ahead log. */
async function measureDisk(port: number, home: Rookery): Promise<number> {
  const senders = await Promise.all([0, 1, 2, 3].map((n) => register(port, `bench-disk-${n}`)));
  const [first, ...others] = senders as [Person, ...Person[]];
  const room = await first.call("POST", "createRoom", { preset: "public_chat" });
  const roomPath = `rooms/${encodeURIComponent(room.room_id)}`;
  for (const other of others) await other.call("POST", `${roomPath}/join`, {});
  const before = size(home.home.matrixDatabase);
  const line = "The build of the third module is green again, moving on to the docs now.";
  await Promise.all(
    senders.map(async (sender, lane) => {
      for (let i = lane; i < 10_000; i += senders.length) {
        const content = { msgtype: "m.text", body: `${i} ${line}` };
        await sender.call("PUT", `${roomPath}/send/m.room.message/d${i}`, content);
      }
    }),
  );
  for (const { close } of senders) close();
  return (size(home.home.matrixDatabase) - before) / 1e6;
}

/** Ten initial syncs of a user with 1,000 rooms, while another user sends messages. */
async function measureLargeSyncs(
  port: number,
): Promise<{ alone: number[]; delays: number[]; tookMs: number }> {
  const [reader, sender] = await Promise.all([register(port, "large"), register(port, "beside")]);
  for (let n = 0; n < 1_000; n++) {
    const { room_id: id } = await reader.call("POST", "createRoom", { name: `Room ${n}` });
    for (let i = 0; i < 5; i++)
      await reader.call("PUT", `rooms/${encodeURIComponent(id)}/send/m.room.message/l${n}-${i}`, {
        body: "hi",
      });
  }
  const { room_id: own } = await sender.call("POST", "createRoom", {});
  let count = 0;
  const timeSend = async (): Promise<number> => {
    const sentAt = performance.now();
    const path = `rooms/${encodeURIComponent(own)}/send/m.room.message/b${++count}`;
    await sender.call("PUT", path, { body: "hi" });
    return performance.now() - sentAt;
  };
  const alone: number[] = [];
  while (alone.length < 500) alone.push(await timeSend());
  const delays: number[] = [];
  let isOver = false;
  const startedAt = performance.now();
  const syncs = Promise.all(Array.from({ length: 10 }, () => discard(port, "sync", reader.token))).finally(
    () => (isOver = true),
  );
  while (!isOver) delays.push(await timeSend());
  await syncs;
  const tookMs = performance.now() - startedAt;
  for (const { close } of [reader, sender]) close();
  return { alone, delays, tookMs };
}

function size(path: string): number {
  return statSync(path).size;
}

async function register(port: number, name: string): Promise<Person> {
  const line = await openLine(port);
  const body = { username: name, password: "bench", auth: { type: "m.login.dummy" } };
  const { access_token: token } = await line.call("POST", "register", body);
  return { ...line, token, call: (method, path, data) => line.call(method, path, data, token) };
}

/** Reads a large response without parsing it, which would delay the other requests of this process. */
function discard(port: number, path: string, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    get({ port, path: `/_matrix/client/v3/${path}`, headers, agent: false }, (response) => {
      response.resume().on("end", resolve).on("error", reject);
    }).on("error", reject);
  });
}
