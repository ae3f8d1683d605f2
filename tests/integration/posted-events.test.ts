import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useFakeClaudes } from "../support/fake-claude.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const { started } = useRookeriesWithoutRooms(afterAll);
const claudes = useFakeClaudes();
const outside = useOutside();
const folder = mkdtempSync(join(tmpdir(), "rk-posted-"));
afterAll(() => rmSync(folder, { recursive: true }));

let rookery: Rookery;
let count = 0;
beforeAll(async () => {
  rookery = await started();
});

interface Victim {
  id: string;
  agent: string;
  pid: number;
}

/** A session whose process is known from its hooks. */
async function openVictim(): Promise<Victim> {
  const id = `victim-${++count}`;
  const { pid } = claudes.open();
  const transcript_path = join(folder, `${id}.jsonl`);
  const start = makePayload("SessionStart", { session_id: id, cwd: folder, transcript_path });
  await rookery.hook("SessionStart", start, { hostPid: pid });
  return { id, agent: readRow(id).agent, pid };
}

function readRow(id: string): any {
  const columns = "s.status, s.host, s.host_pid AS pid, s.transcript_path AS transcript, a.name AS agent";
  return rookery.query(
    `SELECT ${columns} FROM sessions s JOIN agents a ON a.id = s.agent_id WHERE s.id = ?`,
    id,
  )[0];
}

interface Request {
  method: string;
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

/**
 * Sends requests from a process of another agent; "PID" and "#PID" (a number) stand for the id of that process, "#PPID" for
 * the process of the person that started it.
 */
async function attack(requests: Request[]): Promise<{ status: number; text: string }[]> {
  const program = `
    const { readFileSync } = require("node:fs");
    const [daemonFile, token] = process.argv.slice(1);
    const url = "http://127.0.0.1:" + JSON.parse(readFileSync(daemonFile, "utf8")).port;
    (async () => {
      const answers = [];
      for (const request of JSON.parse(readFileSync(0, "utf8").replaceAll('"#PPID"', process.ppid).replaceAll('"#PID"', process.pid).replaceAll("PID", process.pid))) {
        const headers = { ...request.headers, authorization: "Bearer " + readFileSync(token, "utf8").trim() };
        if (request.body) headers["content-type"] = "application/json";
        const sent = { method: request.method, headers, body: request.body && JSON.stringify(request.body) };
        const answer = await fetch(url + request.path, sent);
        answers.push({ status: answer.status, text: await answer.text() });
      }
      console.log(JSON.stringify(answers));
    })();`;
  const { home, env } = rookery;
  const command = [process.execPath, "-e", program, home.daemonFile, home.token];
  const ran = await outside.run(command, { ...env, CLAUDECODE: "1" }, JSON.stringify(requests));
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ran.stdout);
}

const post = (name: string, fields: object, headers?: Record<string, string>): Request => {
  const [event = ""] = name.split("@");
  return {
    method: "POST",
    path: `/api/hooks/${name}`,
    body: makePayload(event, { ...fields }),
    ...(headers && { headers }),
  };
};

describe("an agent cannot take over the session of another", () => {
  const ways: [string, (victim: Victim) => Request[]][] = [
    [
      "by a new session in its process",
      ({ pid }) => [post("SessionStart", { session_id: `new-${count}` }, { "x-host-pid": `${pid}` })],
    ],
    [
      "by another process for its session",
      ({ id }) => [post("SessionStart", { session_id: id, source: "resume" }, { "x-host-pid": "PID" })],
    ],
    [
      "by another process for its session, at a later event",
      ({ id }) => [post("Stop", { session_id: id }, { "x-claude-pid": "PID" })],
    ],
    [
      "by a prompt, whose answer would hold its messages",
      ({ id }) => [post("UserPromptSubmit", { session_id: id, prompt: "x" })],
    ],
    [
      "by another transcript",
      ({ id }) => [post("Stop", { session_id: id, transcript_path: "/tmp/other.jsonl" })],
    ],
    [
      "by another host",
      ({ id }) => [
        post("Stop@codex", { session_id: id }),
        { method: "PATCH", path: `/api/sessions/${id}`, body: { hostPid: "#PID" } },
      ],
    ],
    ["by its end", ({ id }) => [post("SessionEnd", { session_id: id })]],
    [
      "by its end, as a change of the session",
      ({ id }) => [{ method: "PATCH", path: `/api/sessions/${id}`, body: { status: "ended" } }],
    ],
    [
      "by a start of a session that is known",
      ({ id }) => [{ method: "POST", path: "/api/sessions", body: { id, cwd: "/" } }],
    ],
  ];
  test.each(ways)("%s", async (_way, makeRequests) => {
    const victim = await openVictim();
    const before = readRow(victim.id);
    expect(before).toMatchObject({ pid: victim.pid, status: "active" });
    const answers = await attack(makeRequests(victim));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    expect(readRow(victim.id)).toEqual(before);
    expect(rookery.query("SELECT id FROM sessions WHERE host_pid = ?", victim.pid)).toEqual([
      { id: victim.id },
    ]);
  });

  test("whose process has ended", async () => {
    const victim = await openVictim();
    const { id } = victim;
    process.kill(victim.pid, "SIGKILL");
    const { json } = await outside.call(rookery, "POST", "/api/deliveries", { to: victim.agent, body: "hi" });
    const answers = await attack([
      post("SessionStart", { session_id: id, source: "resume" }, { "x-host-pid": "PID" }),
      post("UserPromptSubmit", { session_id: id, prompt: "x" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(readRow(id).pid).toBe(victim.pid);
    expect((await rookery.call("GET", `/api/deliveries/${json.id}`)).json.state).toBe("queued");
  });

  test("of a host whose processes run many sessions, which name their process by API", async () => {
    const [mine, other] = [`codex-${++count}`, `codex-${++count}`];
    const claim = (id: string, hostPid: number | string): Request => ({
      method: "PATCH",
      path: `/api/sessions/${id}`,
      body: { hostPid },
    });
    for (const session_id of [mine, other])
      await rookery.call(
        "POST",
        "/api/hooks/SessionStart@codex",
        makePayload("SessionStart", { session_id }),
      );
    const { pid } = claudes.open();
    const { method, path, body } = claim(mine, pid);
    expect((await rookery.call(method, path, body)).status).toBe(200);
    const answers = await attack([claim(mine, "#PID"), claim(other, pid)]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect([readRow(mine).pid, readRow(other).pid]).toEqual([pid, null]);
  });
});

describe("an agent cannot lock its person out by making their shell the process of a session", () => {
  const id = "not-a-session";
  test.each<[string, Request[]]>([
    [
      "by a new session",
      [{ method: "POST", path: "/api/sessions", body: { id, cwd: folder, hostPid: "#PPID" } }],
    ],
    [
      "by a session of a host whose processes run many",
      [
        post("SessionStart@codex", { session_id: id }),
        { method: "PATCH", path: `/api/sessions/${id}`, body: { hostPid: "#PPID" } },
      ],
    ],
  ])("%s", async (_way, requests) => {
    expect((await attack(requests)).at(-1)?.status).toBe(403);
    const decided = await outside.call(rookery, "PATCH", "/api/config", { "notify.done": false });
    expect(decided).toMatchObject({ status: 200 });
  });

  test("but it can name a process of its own", async () => {
    const session = { id: "own-process", cwd: folder, hostPid: "#PID" };
    expect((await attack([{ method: "POST", path: "/api/sessions", body: session }]))[0]?.status).toBe(201);
  });
});

test("the first start of a session gives its sign-in link to a hook, not to a program that posts it", async () => {
  const fresh = await started();
  const start = (id: string): object => makePayload("SessionStart", { session_id: id, cwd: folder });
  const posted = await fresh.call("POST", "/api/hooks/SessionStart", start("posted"));
  expect(posted).toMatchObject({ status: 200, json: { session: "posted" } });
  expect(posted.text).not.toContain("#code=");
  expect((await fresh.hook("SessionStart", start("hooked"))).stdout).toContain("#code=");
});
