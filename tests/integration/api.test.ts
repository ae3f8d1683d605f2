import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { spawnDaemon } from "../support/daemon-process.ts";
import { useFakeClaudes } from "../support/fake-claude.ts";
import { waitFor } from "../support/processes.ts";
import type { Answer } from "../support/exchange.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries(afterAll);
const claudes = useFakeClaudes(afterAll);
let rookery: Rookery;
let port: number;
beforeAll(async () => {
  rookery = rookeries.open();
  await spawnDaemon(rookery);
  port = JSON.parse(readFileSync(rookery.home.daemonFile, "utf8")).port;
});

/** None of these may leave the daemon. */
const internals = [/ {4}at /, /node_modules/, /SqliteError|SQLITE_/, /\/dist\//, /TypeError|RangeError/];

function expectError(answer: Answer, status: number, code: string): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.json).toEqual({ code, message: expect.any(String), hint: expect.any(String) });
  for (const pattern of internals) expect(answer.text).not.toMatch(pattern);
}

async function expectAlive(): Promise<void> {
  expect((await rookery.callTcp("GET", "/health")).json).toEqual({
    status: "ok",
    version: expect.any(String),
  });
}

describe("over TCP", () => {
  test.each<[string, () => Record<string, string>, number, string]>([
    ["a wrong token", () => ({ authorization: `Bearer ${"0".repeat(64)}` }), 401, "unauthorized"],
    ["Host attacker.com", () => ({ host: "attacker.com" }), 403, "forbidden_origin"],
  ])("%s is refused without leaking content", async (_name, headers, status, code) => {
    const answer = await rookery.callTcp("GET", "/api/status", undefined, headers());
    expectError(answer, status, code);
    expect(answer.text).not.toContain(rookery.home.root);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("the token is accepted", async () => {
    const answer = await rookery.callTcp("GET", "/api/status");
    expect(answer.json).toMatchObject({ status: "ok", home: rookery.home.root });
  });

  test("/health needs no token and returns only the health", async () => {
    const response = await fetch(`http://127.0.0.1:${port}/health`);
    expect(Object.keys((await response.json()) as object)).toEqual(["status", "version"]);
  });
});

const deep = (levels: number): string =>
  `{"session_id":"deep","x":${"[".repeat(levels)}${"]".repeat(levels)}}`;

describe("bad input is refused with code, message and hint, and the daemon keeps running", () => {
  test.each<[string, string, string, unknown, number, string]>([
    [
      "an encoded path that climbs",
      "GET",
      "/api/sessions/..%2f..%2fetc%2fpasswd",
      undefined,
      404,
      "session_not_found",
    ],
    ["a broken escape", "GET", "/api/sessions/%E0%A4%A", undefined, 404, "session_not_found"],
    ["malformed JSON", "POST", "/api/hooks/Stop", "{", 400, "invalid_json"],
    ["an empty body", "POST", "/api/hooks/Stop", "", 400, "invalid_json"],
    ["a NUL in the body", "POST", "/api/hooks/Stop", '{"session_id":"a\u0000b"}', 400, "invalid_json"],
    [
      "invalid UTF-8 where JSON needs a brace",
      "POST",
      "/api/hooks/Stop",
      Buffer.from([0xff, 0xfe]),
      400,
      "invalid_json",
    ],
    ["a list", "POST", "/api/hooks/Stop", [], 400, "invalid_payload"],
    ["null", "POST", "/api/hooks/Stop", "null", 400, "invalid_payload"],
    ["no session_id", "POST", "/api/hooks/Stop", {}, 400, "invalid_payload"],
    ["an empty session_id", "POST", "/api/hooks/Stop", { session_id: "" }, 400, "invalid_payload"],
    ["a session_id of the wrong type", "POST", "/api/hooks/Stop", { session_id: 7 }, 400, "invalid_payload"],
    [
      "a cwd of the wrong type",
      "POST",
      "/api/hooks/Stop",
      { session_id: "s", cwd: [] },
      400,
      "invalid_payload",
    ],
    ["an unknown event", "POST", "/api/hooks/Nonsense", { session_id: "s" }, 400, "unknown_event"],
    [
      "an event that is a property of all objects",
      "POST",
      "/api/hooks/constructor",
      { session_id: "s" },
      400,
      "unknown_event",
    ],
    ["deep JSON where the shape is known", "POST", "/api/sessions", deep(100_000), 400, "invalid_payload"],
    ["an unknown session", "GET", "/api/sessions/nobody", undefined, 404, "session_not_found"],
    [
      "a delivery from a process that is no session's",
      "POST",
      "/api/deliveries",
      { to: "x", body: "x", hostPid: 1 },
      404,
      "session_not_found",
    ],
    ["a delivery that is unknown", "GET", "/api/deliveries/x", undefined, 404, "delivery_not_found"],
  ])("%s", async (_name, method, path, body, status, code) => {
    expectError(await rookery.callTcp(method, path, body), status, code);
    await expectAlive();
  });

  test("an event id with characters that an id may not have", async () => {
    const answer = await rookery.callTcp("POST", "/api/hooks/Stop", makePayload("Stop"), {
      "x-rookery-event-id": "a b",
    });
    expectError(answer, 400, "invalid_payload");
  });

  test.each([
    ["announced", { "content-length": String(65 * 1024 * 1024) }],
    ["not announced", { "transfer-encoding": "chunked" }],
  ])("65 MB, %s", async (_name, headers: Record<string, string>) => {
    const body = Buffer.alloc(65 * 1024 * 1024, " ");
    expectError(await rookery.callTcp("POST", "/api/hooks/Stop", body, headers), 400, "payload_too_large");
    await expectAlive();
  });

  test("JSON of 100,000 levels in an event is stored cut, or refused, and nothing breaks", async () => {
    for (const levels of [20_000, 100_000, 1_000_000]) {
      const answer = await rookery.callTcp("POST", "/api/hooks/Notification", deep(levels));
      expect([200, 400], answer.text).toContain(answer.status);
      if (answer.status === 400) expectError(answer, 400, answer.json.code);
    }
    await expectAlive();
  });

  test("invalid UTF-8 inside a text becomes replacement characters", async () => {
    const body = Buffer.concat([
      Buffer.from('{"session_id":"utf8","prompt":"a'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('b"}'),
    ]);
    expect((await rookery.callTcp("POST", "/api/hooks/UserPromptSubmit", body)).status).toBe(200);
    expect(rookery.query("SELECT text FROM prompts WHERE session_id = 'utf8'")).toEqual([
      { text: "a\ufffd\ufffdb" },
    ]);
  });
});

test("an internal error is a 500 with only an id; the log has the details under that id", async () => {
  const broken = rookeries.open();
  await spawnDaemon(broken);
  await broken.callTcp("POST", "/api/hooks/Notification", makePayload("Notification"));
  const db = openDatabase(broken.home.database);
  db.script("DROP TABLE prompts");
  db.close();
  const answer = await broken.callTcp("GET", "/api/sessions/s-1");
  expectError(answer, 500, "internal");
  expect(answer.text).not.toContain("prompts");
  const id = /\(([0-9a-f-]{36})\)/.exec(answer.json.message)?.[1] ?? "missing";
  const lines = (): string[] => readFileSync(broken.home.log, "utf8").split("\n");
  const line = await waitFor(() => lines().find((each) => each.includes(id)));
  expect(line).toContain("no such table: prompts");
});

describe("events and sessions", () => {
  test("the same event id is stored once, even if posted by different clients", async () => {
    const headers = { "x-rookery-event-id": "other-host:1" };
    const payload = makePayload("UserPromptSubmit", { session_id: "idem", prompt: "hi" });
    const first = await rookery.callTcp("POST", "/api/hooks/UserPromptSubmit", payload, headers);
    expect(first.json).toMatchObject({ id: "other-host:1", duplicate: false, session: "idem" });
    const again = await rookery.call("POST", "/api/hooks/UserPromptSubmit", payload, headers);
    expect(again.json).toMatchObject({ id: "other-host:1", duplicate: true, session: "idem" });
    const other = await rookery.call(
      "POST",
      "/api/hooks/Stop",
      makePayload("Stop", { session_id: "idem-2" }),
      headers,
    );
    expect(other.json).toMatchObject({ duplicate: true, session: "idem" });
    expect((await rookery.call("GET", "/api/sessions/idem")).json.counts).toMatchObject({
      prompts: 1,
      events: 1,
    });
  });

  test("an event may name its host; the session keeps it", async () => {
    const post = (event: string, session_id: string, fields = {}) =>
      rookery.call("POST", `/api/hooks/${event}`, makePayload("UserPromptSubmit", { session_id, ...fields }));
    expect((await post("UserPromptSubmit@codex", "of-codex", { prompt: "hi" })).status).toBe(200);
    expect((await post("UserPromptSubmit", "of-claude", { prompt: "hi", prompt_id: "p" })).status).toBe(200);
    expectError(await post("UserPromptSubmit@nobody", "x"), 400, "unknown_event");
    expectError(await post("UserPromptSubmit@", "x"), 400, "unknown_event");
    const hosts = rookery.query("SELECT id, host FROM sessions WHERE id LIKE 'of-%' ORDER BY id");
    expect(hosts).toEqual([
      { id: "of-claude", host: "claude-code" },
      { id: "of-codex", host: "codex" },
    ]);
    expect(rookery.query("SELECT DISTINCT event FROM events WHERE session_id LIKE 'of-%'")).toEqual([
      { event: "prompt" },
    ]);
  });

  test.each([
    ["x-host-pid", "hostPid"],
    ["x-claude-pid", "claudePid"],
  ])("the host process is named by %s and %s", async (header, field) => {
    const session_id = `named-by-${field}`;
    const { pid } = claudes.open();
    const start = makePayload("SessionStart", { session_id, source: "startup" });
    await rookery.call("POST", "/api/hooks/SessionStart", start, { [header]: String(pid) });
    const [row] = rookery.query(`SELECT host_pid AS pid FROM sessions WHERE id = '${session_id}'`);
    expect(row).toEqual({ pid });
    const lease = { globs: [`${field}/**`], [field]: pid };
    expect((await rookery.callTcp("POST", "/api/leases", lease)).status).toBe(201);
  });

  test("a session can be created, read, listed, renamed, ended and resumed", async () => {
    const made = await rookery.callTcp("POST", "/api/sessions", {
      id: "made/1 ü",
      cwd: "/tmp",
      title: "first",
      model: "m",
    });
    expect(made.status).toBe(201);
    const path = `/api/sessions/${encodeURIComponent("made/1 ü")}`;
    expect(made.json).toMatchObject({
      id: "made/1 ü",
      title: "first",
      source: "api",
      status: "active",
      counts: { notes: 0, observations: 0 },
    });
    expect((await rookery.callTcp("POST", "/api/sessions", { id: "made/1 ü", cwd: "/tmp" })).status).toBe(
      201,
    );
    expect((await rookery.callTcp("GET", path)).json).toMatchObject({
      title: "first",
      counts: { events: 1 },
    });
    await rookery.call("POST", "/api/hooks/UserPromptSubmit", { session_id: "made/1 ü", prompt: "go" });
    expect((await rookery.callTcp("PATCH", path, { title: "second", status: "ended" })).json).toMatchObject({
      title: "second",
      status: "ended",
      endReason: "api",
    });
    expect(rookery.query("SELECT 1 FROM turns WHERE session_id = 'made/1 ü' AND ended_at IS NULL")).toEqual(
      [],
    );
    expect((await rookery.callTcp("PATCH", path, { status: "active" })).json).toMatchObject({
      status: "active",
      endReason: null,
    });
    expectError(await rookery.callTcp("PATCH", path, { status: "asleep" }), 400, "invalid_payload");
    expectError(await rookery.callTcp("PATCH", "/api/sessions/nobody", {}), 404, "session_not_found");
    const { sessions } = (await rookery.callTcp("GET", "/api/sessions?limit=2")).json;
    expect(sessions).toHaveLength(2);
  });
});

describe("settings", () => {
  test.each([
    [{ prot: 1 }, /Unknown setting prot\. Did you mean port\?/],
    [{ "delivery.wak": true }, /Unknown setting delivery\.wak\. Did you mean delivery\.wake\?/],
    [{ "delivery.wake": "yes" }, /delivery\.wake/],
    [{ port: 70_000 }, /port/],
    [{ "__proto__.polluted": true }, /Unknown setting/],
    [{ "constructor.prototype.polluted": true }, /Unknown setting/],
    [{ delivery: { wak: 1 } }, /delivery\.wak/],
  ])("%j is refused by name, and the file is unchanged", async (patch, message) => {
    writeFileSync(rookery.home.config, '{ "log": { "level": "debug" } }');
    const answer = await rookery.callTcp("PATCH", "/api/config", patch);
    expectError(answer, 400, "invalid_config");
    expect(answer.json.message).toMatch(message);
    expect(readFileSync(rookery.home.config, "utf8")).toBe('{ "log": { "level": "debug" } }');
    expect((await rookery.callTcp("GET", "/api/config")).json.values).not.toHaveProperty("polluted");
    expect((await rookery.callTcp("GET", "/api/sessions/nobody")).json).not.toHaveProperty("polluted");
  });

  test("a valid value is written and shown with its source; null removes it", async () => {
    const { json } = await rookery.callTcp("PATCH", "/api/config", { "delivery.wake": false });
    expect(json).toMatchObject({
      running: { "delivery.wake": true },
      values: { "delivery.wake": false },
      sources: { "delivery.wake": "file" },
    });
    const back = (await rookery.callTcp("PATCH", "/api/config", { "delivery.wake": null })).json;
    expect(back).toMatchObject({
      values: { "delivery.wake": true },
      sources: { "delivery.wake": "default" },
    });
    expect(back.running).not.toHaveProperty("delivery.wake");
    expect(readdirSync(rookery.home.root)).toContain("config.json");
  });
});

test("/api/metrics is Prometheus text", async () => {
  await rookery.hook("Stop", makePayload("Stop"));
  const { text, headers } = await rookery.callTcp("GET", "/api/metrics");
  expect(headers["content-type"]).toMatch(/^text\/plain/);
  const number = String.raw`-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|[+-]Inf)`;
  const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"`;
  const sample = new RegExp(String.raw`^([a-zA-Z_:][\w:]*)(?:\{${label}(?:,${label})*\})? ${number}$`);
  let family = "";
  const seen = new Set<string>();
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.trimEnd().split("\n")) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line);
    if (comment?.[1] === "HELP") {
      expect(seen.has(comment[2] ?? ""), `${comment[2]} twice`).toBe(false);
      seen.add((family = comment[2] ?? ""));
    } else if (comment) {
      expect([comment[2], comment[3]]).toEqual([family, expect.stringMatching(/^(gauge|counter)$/)]);
    } else expect(sample.exec(line)?.[1], line).toBe(family);
  }
  expect(text).toMatch(/^rookery_up 1$/m);
  expect(text).toMatch(/^rookery_events_total\{event="turn.ended",via="hook"\} [1-9]/m);
  expect(text).toMatch(/^rookery_hook_latency_milliseconds\{event="turn.ended",quantile="0.5"\} /m);
});
