import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launcher } from "../support/person-elsewhere.ts";
import { isRunning, waitFor, waitUntilGone } from "../support/processes.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { type ApiRequest, openScriptedApi, type ScriptedApi } from "../support/scripted-api.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const claude = fileURLToPath(new URL("../tools/node_modules/.bin/claude", import.meta.url));
const rookeries = useRookeriesWithoutRooms();
const person = useOutside();
let api: ScriptedApi;

beforeAll(async () => {
  api = await openScriptedApi();
});
afterAll(() => api.close());
beforeEach(() => {
  api.requests.length = 0;
  api.respondWith(goodAnswer);
});

/** Subjects with the number of the turn, so that no turn repeats an earlier one. */
const things = [
  "connection pool",
  "message queue",
  "thread table",
  "file cache",
  "port range",
  "session store",
];
let turns = 0;
const thingOf = (turn: number): string => things[turn % things.length] as string;
/** The model's title for the latest turn. */
const modelTitle = (): string => `Case ${turns}: ${thingOf(turns)} exhausted`;

/** Chooses the agent's last statement, by its number in the request. */
function goodAnswer({ text }: ApiRequest): { text: string } {
  const id = Number(/(\d+) final[^:]*: /.exec(text)?.[1] ?? 1);
  return { text: JSON.stringify({ notes: [{ ids: [id], type: "bugfix", title: modelTitle() }] }) };
}

/** A daemon whose model is the scripted service, through the real SDK. */
function withModel(settings: Record<string, string> = {}): Promise<Rookery> {
  return rookeries.started({
    ANTHROPIC_API_KEY: "sk-ant-test-0123456789",
    ROOKERY_MODEL_PROVIDER: "anthropic",
    ROOKERY_MODEL_BASE_URL: api.url,
    ...settings,
  });
}

/** One turn that fixes something, through the hook script. */
async function fix(rookery: Rookery, changes: { prompt?: string; final?: string } = {}): Promise<void> {
  const id = `p-${++turns}`;
  const hook = (event: string, fields: object) =>
    rookery.hook(event, makePayload(event, { prompt_id: id, ...fields }));
  await hook("UserPromptSubmit", { prompt: "requests time out under load, fix it", ...changes });
  await hook("PostToolUse", {
    tool_name: "Edit",
    tool_use_id: `${id}-1`,
    tool_input: { file_path: "/srv/pool.ts", old_string: "x", new_string: `pool(${turns})` },
    tool_response: "ok",
  });
  const final = `The ${thingOf(turns)} was exhausted in case ${turns} because every request opened its own client; it is shared now.`;
  await hook("Stop", { last_assistant_message: changes.final ?? final });
  await askForMemory(rookery);
}

/** The start of the next session triggers distilling at once, without waiting for the transcript. */
async function askForMemory(rookery: Rookery): Promise<void> {
  await rookery.hook("SessionStart", makePayload("SessionStart", { session_id: "s-2", source: "startup" }));
}

const status = async (rookery: Rookery) => (await rookery.call("GET", "/api/status")).json.model;
const outcomes = (rookery: Rookery): string[] =>
  rookery.query("SELECT outcome FROM model_calls ORDER BY started_at, id").map((row) => row.outcome);
const notes = (rookery: Rookery): { title: string; provenance: string }[] =>
  rookery.query("SELECT title, provenance FROM observations ORDER BY created_at, id");
const distilled = (rookery: Rookery, count: number) =>
  waitFor(() => rookery.query("SELECT id FROM turns WHERE distilled_at IS NOT NULL").length >= count, {
    describe: `${count} turns to be distilled`,
  });
const settled = (rookery: Rookery, expected: string[]) =>
  waitFor(() => JSON.stringify(outcomes(rookery)) === JSON.stringify(expected), {
    describe: () => `calls ${expected}; there are ${outcomes(rookery)}`,
  });

describe("by default", () => {
  it("no model is called, whatever keys and programs are present", async () => {
    const rookery = await rookeries.started({
      ANTHROPIC_API_KEY: "sk-ant-test-0123456789",
      ANTHROPIC_BASE_URL: api.url,
      ROOKERY_MODEL_BASE_URL: api.url,
    });
    await fix(rookery);
    await distilled(rookery, 1);
    expect(notes(rookery)).toMatchObject([{ provenance: "distil" }]);
    expect(api.requests).toEqual([]);
    expect(outcomes(rookery)).toEqual([]);
    expect(rookery.query("SELECT * FROM model_turns")).toEqual([]);
    expect(await status(rookery)).toMatchObject({ state: "off", today: { calls: 0, tokens: 0, usd: 0 } });
    expect((await rookery.call("POST", "/api/model/trial")).json.code).toBe("model_off");
    expect((await rookery.cli("spend")).stdout).toContain("Nothing was spent");
  });
});

describe("a turn", () => {
  it("is distilled without a model at once, then replaced after one call, which is in the ledger", async () => {
    const rookery = await withModel();
    await fix(rookery);
    await settled(rookery, ["kept"]);
    expect(notes(rookery)).toEqual([{ title: modelTitle(), provenance: "model" }]);
    expect(rookery.query("SELECT provenance FROM summaries WHERE turn_id IS NOT NULL")).toEqual([
      { provenance: "distil" },
    ]);
    const [hit] = (await rookery.call("GET", "/api/search?q=own%20client&kind=note")).json.results;
    expect(hit.title).toBe(modelTitle());
    expect((await rookery.call("GET", "/api/search?q=exhausted&kind=note")).json.results).toHaveLength(1);
    expect(api.requests).toHaveLength(1);
    // 1,000 input tokens at $0.10 per million and 200 output tokens at $0.50.
    const spent = (await rookery.call("GET", "/api/spend")).json.rows;
    expect(spent).toMatchObject([
      {
        provider: "anthropic",
        model: "claude-haiku-5-5",
        calls: 1,
        answered: 1,
        inputTokens: 1000,
        outputTokens: 200,
      },
    ]);
    expect(spent[0].usd).toBeCloseTo(0.0002, 8);
    expect((await rookery.cli("status")).stdout).toMatch(
      /Model +claude-haiku-5-5 \(anthropic\), today 1 call, 1200 of/,
    );
    expect((await rookery.cli("spend")).stdout).toContain("anthropic claude-haiku-5-5");
    expect((await rookery.call("GET", "/api/metrics")).text).toContain("rookery_model_tokens_today 1200");
    await rookery.cli("restart");
    await fix(rookery);
    await settled(rookery, ["kept", "kept"]);
    expect(api.requests).toHaveLength(2);
  });

  it("sends no secret, no private span and no key, and stores no key", async () => {
    const rookery = await withModel();
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    await fix(rookery, { prompt: `fix it with ${secret} <private>the merger</private>` });
    await settled(rookery, ["kept"]);
    expect(api.requests[0]?.text).toContain("fix it with");
    expect(api.requests[0]?.text).not.toMatch(/ghp_|merger/);
    expect(readFileSync(rookery.home.log, "utf8")).not.toContain("sk-ant-test");
    expect(rookery.query("SELECT * FROM model_calls").flatMap(Object.values).join(" ")).not.toContain(
      "sk-ant",
    );
  });

  it.each([
    ["garbage", { text: "Sure! Here is what I noticed." }, "invalid"],
    ["a wrong shape", { text: '{"notes":[{"type":"thought"}]}' }, "invalid"],
    ["half an answer", { text: '{"not', stop: "truncated" }, "truncated"],
    ["a refusal", { stop: "refused" }, "refused"],
    ["a broken line", { isCut: true }, "lost"],
  ] as const)("stays as it was after %s, and is not sent again", async (_case, step, outcome) => {
    const rookery = await withModel();
    api.respondWith(() => step);
    await fix(rookery);
    await settled(rookery, [outcome]);
    expect(notes(rookery)).toMatchObject([{ provenance: "distil" }]);
    expect(rookery.query("SELECT state, note FROM model_turns")).toEqual([
      { state: "dropped", note: outcome },
    ]);
    expect((await status(rookery)).today.tokens).toBeGreaterThan(0);
    expect(api.requests).toHaveLength(1);
  });

  it("waits as long as a busy service asks, costs nothing meanwhile, and is retried once", async () => {
    const rookery = await withModel();
    let at = 0;
    api.respondWith((request) => {
      if (at) return goodAnswer(request);
      at = Date.now();
      return { status: 429, headers: { "retry-after": "1" } };
    });
    await fix(rookery);
    await settled(rookery, ["rejected"]);
    expect((await status(rookery)).today).toMatchObject({ tokens: 0, usd: 0 });
    await settled(rookery, ["rejected", "kept"]);
    expect(Date.now() - at).toBeGreaterThan(950);
    expect(notes(rookery)).toMatchObject([{ title: modelTitle() }]);
  });

  it("is given up after a time-out", async () => {
    const rookery = await withModel({ ROOKERY_MODEL_TIMEOUT_MS: "300" });
    api.respondWith(() => ({ isSilent: true }));
    await fix(rookery);
    await settled(rookery, ["lost"]);
    expect(notes(rookery)).toMatchObject([{ provenance: "distil" }]);
  });

  it("keeps the notes that the user edited in the meantime", async () => {
    const rookery = await withModel();
    api.respondWith(async (request) => {
      const [note] = rookery.query("SELECT id FROM observations");
      await rookery.call("DELETE", `/api/notes/${note.id}`);
      return goodAnswer(request);
    });
    await fix(rookery);
    await settled(rookery, ["overtaken"]);
    expect(notes(rookery)).toEqual([]);
  });
});

describe("nothing is sent", () => {
  it("for machine turns and empty turns", async () => {
    const rookery = await withModel();
    await rookery.hook(
      "UserPromptSubmit",
      makePayload("UserPromptSubmit", { prompt_id: "a", prompt: "thanks!" }),
    );
    await rookery.hook(
      "Stop",
      makePayload("Stop", { prompt_id: "a", last_assistant_message: "You are welcome." }),
    );
    await fix(rookery, { prompt: "<task-notification>\n<summary>done</summary>\n</task-notification>" });
    await distilled(rookery, 2);
    expect(rookery.query("SELECT * FROM model_turns")).toEqual([]);
    expect(api.requests).toEqual([]);
  });

  it.each([
    ["an isolated project", "isolated", undefined, 0],
    ["an isolated project that was named", "isolated", "NAME", 1],
    ["a project that was not named", "on", "another", 0],
  ])("for %s: %s, %s → %i", async (_case, mode, named, calls) => {
    const probe = await withModel();
    await fix(probe, { final: "Fixed." });
    await distilled(probe, 1);
    const [project] = (await probe.call("GET", "/api/projects")).json.projects;
    await person.call(probe, "PATCH", `/api/projects/${project.id}`, { mode });
    const list = named === "NAME" ? project.name : named;
    await person.call(probe, "PATCH", "/api/config", { "model.projects": list === undefined ? [] : [list] });
    await probe.cli("restart");
    const before = outcomes(probe).length;
    await fix(probe);
    await distilled(probe, 2);
    if (calls > 0) await settled(probe, [...outcomes(probe).slice(0, before), "kept"]);
    expect(outcomes(probe).length - before).toBe(calls);
  });
});

describe("the budget", () => {
  it("stops the calls during the day, and status reports it; turns are distilled without a model", async () => {
    // One call reserves about 3,500 tokens and uses 1,200: the third no longer fits.
    const rookery = await withModel({ ROOKERY_MODEL_DAILY_TOKENS: "5400" });
    for (let n = 0; n < 3; n++) {
      api.respondWith(goodAnswer);
      await fix(rookery);
      await waitFor(
        () => rookery.query("SELECT 1 FROM model_turns WHERE state IN ('done', 'dropped')").length > n,
        {
          describe: `turn ${n} to be over`,
        },
      );
    }
    expect(outcomes(rookery)).toEqual(["kept", "kept"]);
    expect(api.requests).toHaveLength(2);
    expect(notes(rookery).map(({ provenance }) => provenance)).toEqual(["model", "model", "distil"]);
    expect(await status(rookery)).toMatchObject({
      state: "spent",
      today: { tokens: 2400 },
      budget: { tokens: 5400 },
    });
    expect((await rookery.cli("status")).stdout).toContain("SPENT: today's budget is used up");
    expect((await rookery.call("POST", "/api/model/trial")).json.code).toBe("model_failed");
    expect(api.requests).toHaveLength(2);
  });

  it("is enforced in money, too", async () => {
    const rookery = await withModel({ ROOKERY_MODEL_DAILY_USD: "0.001" });
    await fix(rookery);
    await waitFor(() => rookery.query("SELECT 1 FROM model_turns WHERE note = 'budget'").length === 1);
    expect(api.requests).toEqual([]);
  });
});

describe("kill -9 during a call", () => {
  it("causes no second call: a possibly paid call counts as paid", async () => {
    const rookery = await withModel();
    api.respondWith(() => ({ isSilent: true }));
    await fix(rookery);
    await waitFor(() => api.requests.length === 1);
    expect(outcomes(rookery)).toEqual(["reserved"]);
    await rookery.kill9();
    api.respondWith(goodAnswer);
    await rookery.start();
    await settled(rookery, ["lost"]);
    expect((await status(rookery)).today.tokens).toBeGreaterThan(2_000);
    await fix(rookery);
    await settled(rookery, ["lost", "kept"]);
    expect(api.requests).toHaveLength(2);
  });

  it("if it comes just before the call, nothing is lost: the next daemon makes it", async () => {
    const rookery = await withModel({ ROOKERY_MODEL_TIMEOUT_MS: "300" });
    api.respondWith(() => ({ status: 429, headers: { "retry-after": "3" } }));
    await fix(rookery);
    await settled(rookery, ["rejected"]);
    await rookery.kill9();
    api.respondWith(goodAnswer);
    await rookery.start();
    await settled(rookery, ["rejected", "kept"]);
  });
});

describe("the user's own Claude Code", () => {
  const withClaude = () =>
    withModel({
      ANTHROPIC_BASE_URL: api.url,
      DISABLE_TELEMETRY: "1",
      ROOKERY_MODEL_PROVIDER: "claude",
      ROOKERY_MODEL_BASE_URL: "",
      ROOKERY_MODEL_EXECUTABLE: claude,
    });

  it("is called by the daemon, never observed, and has exited afterwards", async () => {
    const rookery = await withClaude();
    await fix(rookery);
    await settled(rookery, ["kept"]);
    expect(notes(rookery)).toMatchObject([{ title: modelTitle(), provenance: "model" }]);
    expect(rookery.query("SELECT id FROM sessions")).toEqual([{ id: "s-1" }, { id: "s-2" }]);
    expect((await rookery.call("GET", "/api/spend")).json.rows).toMatchObject([
      { provider: "claude", model: "haiku" },
    ]);
  });

  it("is ended by the next daemon if it outlived a killed one", async () => {
    const rookery = await withClaude();
    api.respondWith(() => ({ isSilent: true }));
    await fix(rookery);
    await waitFor(() => api.requests.length === 1);
    const child = Number(readFileSync(rookery.home.modelChild, "utf8").split(" ")[0]);
    await rookery.kill9();
    expect(await isRunning(child)).toBe(true);
    await rookery.start();
    await waitUntilGone([child]);
  });
});

describe("rookery setup model", () => {
  it("stores the key privately under its address, tests it on request, and switches off again", async () => {
    const rookery = await rookeries.started({ MY_KEY: "sk-mine-0123456789" });
    const flags = [
      "--provider",
      "openai",
      "--model",
      "small",
      "--base-url",
      `${api.url}/v1`,
      "--key-from-env",
      "MY_KEY",
    ];
    const set = await person.run([...launcher, "setup", "model", ...flags, "--test"], rookery.env);
    expect(set).toMatchObject({ code: 0, stderr: "" });
    expect(set.stdout).toContain("Its price is not known");
    expect(set.stdout).toMatch(/The model answered in \d+ ms: 1000 tokens in, 200 out/);
    expect(statSync(rookery.home.secrets).mode & 0o777).toBe(0o600);
    expect(readFileSync(rookery.home.config, "utf8")).not.toContain("sk-mine");
    expect(api.requests).toHaveLength(1);
    expect(api.requests[0]?.headers.authorization).toBe("Bearer sk-mine-0123456789");
    await fix(rookery);
    await settled(rookery, ["kept", "kept"]);
    expect((await rookery.cli("spend")).stdout).toContain("without a price");
    const off = await person.run([...launcher, "setup", "model", "--off"], rookery.env);
    expect(off.stdout).toContain("The model is switched off.");
    expect(await status(rookery)).toMatchObject({ state: "off" });
  });

  it("makes no call without being asked", async () => {
    const rookery = await rookeries.started();
    const flags = ["--provider", "ollama", "--model", "m", "--base-url", `${api.url}/v1`];
    const set = await person.run([...launcher, "setup", "model", ...flags], rookery.env);
    expect(set.stdout).toContain("A turn costs about $0.00");
    expect(api.requests).toEqual([]);
  });

  it.each([
    [["setup", "model"], 2, "Missing --provider"],
    [["setup", "model", "--provider", "nobody"], 2, 'Unknown provider "nobody"'],
    [["setup", "model", "--provider", "openai"], 2, "needs --model"],
    [
      ["setup", "model", "--provider", "openai", "--model", "m", "--key-from-env", "UNSET"],
      2,
      "UNSET is not set",
    ],
    [["setup", "model", "--provider", "anthropic", "--key-from-env", "PATH"], 2, "needs no stored key"],
    [["setup", "modle"], 2, "Did you mean model?"],
  ])("%j is refused with a reason", async (args, code, said) => {
    const ran = await rookeries.open().cli(...args);
    expect(ran.stderr).toContain(said);
    expect(ran.code).toBe(code);
  });
});
