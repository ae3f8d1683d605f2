import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type EmbeddingsServer, openEmbeddingsServer } from "../support/embeddings-server.ts";
import { filesHolding } from "../support/grep-home.ts";
import { isLong, someRows } from "../support/long.ts";
import { launcher } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { openTerminal } from "../support/terminal.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

/** Words that are unrelated in the built-in table; the fake model gives the words of a group the same vector. */
const synonyms = [
  ["gizmotron", "floopenbark"],
  ["wexhollow", "quandrible"],
  ["overheat", "overheats"],
];
const dimensions = 192;
const rookeries = useRookeriesWithoutRooms();
const person = useOutside();
let server: EmbeddingsServer;

beforeAll(async () => {
  server = await openEmbeddingsServer(synonyms, dimensions);
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  server.respondWith(() => ({}));
});

function settings(changes: Record<string, string> = {}): Record<string, string> {
  return {
    ROOKERY_EMBEDDINGS_PROVIDER: "ollama",
    ROOKERY_EMBEDDINGS_BASE_URL: server.url,
    ROOKERY_EMBEDDINGS_NAME: "meaning",
    ROOKERY_EMBEDDINGS_DIMENSIONS: String(dimensions),
    ...changes,
  };
}

/** Saves notes in a project and returns their ids. */
async function saveNotes(rookery: Rookery, texts: string[], project = "aviary"): Promise<string[]> {
  const saved = texts.map((text) => rookery.call("POST", "/api/notes", { project, type: "discovery", text }));
  const answers = await Promise.all(saved);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  return answers.map(({ json }) => json.id);
}

const [firsts, seconds] = [
  "bra clu dre fli gro".split(" "),
  "mond pelt rick sund tave vorn west yalk zind holm".split(" "),
];
/** Fifty notes with different words. */
const fillers = (firsts ?? []).flatMap((first) =>
  (seconds ?? []).map(
    (second) => `The ${first}${second} carries ${second}${first} into ${first}nd${second}.`,
  ),
);

async function openProject(rookery: Rookery, name = "aviary"): Promise<void> {
  await rookery.hook(
    "SessionStart",
    makePayload("SessionStart", {
      cwd: join(rookery.folder, name),
      source: "startup",
      session_id: `s-${name}`,
    }),
  );
}

const embedded = (rookery: Rookery): number =>
  rookery.query<{ n: number }>("SELECT count(*) AS n FROM memory_embeddings")[0]?.n ?? 0;
const rows = (rookery: Rookery): number =>
  rookery.query<{ n: number }>("SELECT count(*) AS n FROM memory_rows")[0]?.n ?? 0;
const untilEmbedded = (rookery: Rookery, count = rows(rookery)): Promise<unknown> =>
  waitFor(() => embedded(rookery) === count, {
    describe: () => `${count} rows to be embedded; ${embedded(rookery)} are`,
  });
const search = async (
  rookery: Rookery,
  q: string,
): Promise<{ title: string; why: string; score: number }[]> =>
  (await rookery.call("GET", `/api/search?q=${encodeURIComponent(q)}`)).json.results;
/** Retries until the vector of the query has arrived: a search that would have to wait for it uses the built-in table. */
const findByMeaning = (rookery: Rookery, q: string, title: string) =>
  waitFor(async () => (await search(rookery, q)).find((found) => found.title.includes(title)), {
    describe: `${title} to be found by ${q}`,
  });
const report = async (rookery: Rookery) => (await rookery.call("GET", "/api/status")).json.embeddings;
const calls = (rookery: Rookery): { outcome: string; usd: number | null; tokens: number }[] =>
  rookery.query("SELECT outcome, usd, input_tokens AS tokens FROM model_calls ORDER BY started_at, id");

describe("by default", () => {
  it("nothing is sent, and search uses the built-in table", async () => {
    const rookery = await rookeries.started({ OPENAI_API_KEY: "sk-test-0123456789" });
    await saveNotes(rookery, ["The gizmotron is broken."]);
    expect(await search(rookery, "gizmotron")).toHaveLength(1);
    expect(await report(rookery)).toMatchObject({ provider: "off", state: "off", rows: 0, embedded: 0 });
    expect(server.requests).toEqual([]);
    expect(calls(rookery)).toEqual([]);
  });
});

describe.each(
  someRows([
    ["ollama", ""],
    ["openai", "/v1"],
  ]),
)("an endpoint of %s", (provider, path) => {
  it("embeds in the background and finds synonyms that the built-in table does not know", async () => {
    const rookery = await rookeries.started(
      settings({
        ROOKERY_EMBEDDINGS_PROVIDER: provider,
        ROOKERY_EMBEDDINGS_BASE_URL: `${server.url}${path}`,
      }),
    );
    await saveNotes(rookery, [...fillers, "The gizmotron overheats when the quandrible is closed."]);
    await untilEmbedded(rookery);
    const hit = await findByMeaning(rookery, "floopenbark wexhollow", "gizmotron");
    expect(hit.why).toContain("similar text");
    // A chance match must score less than half as much.
    const [chance] = await search(rookery, "entirely unseen of zyzzyva");
    expect(chance?.score ?? 0).toBeLessThan(hit.score / 2);
    const requests = server.requests.filter(({ input }) => input.length > 1);
    expect(requests.length).toBeGreaterThan(0);
    expect(Math.max(...requests.map(({ input }) => input.length))).toBeLessThanOrEqual(32);
    await waitFor(async () => (await report(rookery)).embedded === 51);
    expect(await report(rookery)).toMatchObject({ state: "ready", rows: 51, embedded: 51 });
    expect((await rookery.cli("status")).stdout).toContain("51 of 51 texts embedded");
    // A local endpoint costs nothing, and every call is in the ledger.
    expect(calls(rookery)).toHaveLength(server.requests.length);
    expect(
      calls(rookery).every(({ outcome, usd, tokens }) => outcome === "kept" && usd === 0 && tokens > 0),
    ).toBe(true);
    expect((await rookery.call("GET", "/api/status")).json.model.today).toMatchObject({
      tokens: 0,
      calls: 0,
    });
  });
});

describe("a prompt that paraphrases a note", () => {
  it.each([
    ["recalls the note with an endpoint", true],
    ["does not recall it without one", false],
  ])("%s", async (_case, isOn) => {
    const rookery = await rookeries.started(isOn ? settings() : {});
    const cwd = join(rookery.folder, "aviary");
    await openProject(rookery);
    await saveNotes(rookery, [...fillers, "The gizmotron overheats when the quandrible is closed."]);
    const prompt = "why does the floopenbark overheat near the wexhollow?";
    if (isOn) {
      await untilEmbedded(rookery);
      await findByMeaning(rookery, prompt, "gizmotron");
    }
    const given = await rookery.hook(
      "UserPromptSubmit",
      makePayload("UserPromptSubmit", { session_id: "s-aviary", cwd, prompt }),
    );
    expect(given.stdout.includes("gizmotron")).toBe(isOn);
  });
});

describe("an endpoint that fails", () => {
  async function started(changes: Record<string, string> = {}): Promise<Rookery> {
    const rookery = await rookeries.started(settings(changes));
    await saveNotes(rookery, [...fillers.slice(0, 5), "The gizmotron overheats under load."]);
    return rookery;
  }
  const outcomes = (rookery: Rookery): string[] => calls(rookery).map(({ outcome }) => outcome);

  it.each(
    someRows([
      ["500", { status: 500 }, "rejected"],
      ["a truncated response", { isCut: true }, "lost"],
      ["a sign-in page of a proxy", { body: "<html>Sign in</html>" }, "lost"],
      ["the wrong number of dimensions", { dimensions: 128 }, "lost"],
      ["fewer vectors than texts", { missing: 1 }, "lost"],
    ]),
  )(
    "%s: stores nothing, pauses, and search falls back to words and the built-in table",
    async (_name, step, outcome) => {
      server.respondWith(() => step);
      const rookery = await started();
      await waitFor(async () => (await report(rookery)).state === "paused");
      expect(embedded(rookery)).toBe(0);
      expect(new Set(outcomes(rookery))).toEqual(new Set([outcome]));
      const sent = server.requests.length;
      expect(sent).toBeLessThanOrEqual(4);
      expect((await search(rookery, "gizmotron overheats"))[0]?.title).toContain("gizmotron");
      expect(server.requests).toHaveLength(sent);
      const doctor = await rookery.cli("doctor");
      expect(doctor.stdout).toMatch(/Embeddings.*ollama is paused/);
    },
  );

  it("401: no call for an hour, and the reason is shown", async () => {
    server.respondWith(() => ({ status: 401 }));
    const rookery = await started();
    await waitFor(async () => (await report(rookery)).state === "paused");
    expect(await report(rookery)).toMatchObject({ reason: "denied: HTTP 401" });
    expect(server.requests).toHaveLength(1);
  });

  it.runIf(isLong)("429 with Retry-After: waits that long, then continues", async () => {
    let answeredAt = 0;
    server.respondWith(() => {
      if (answeredAt > 0) return {};
      answeredAt = Date.now();
      return { status: 429, headers: { "retry-after": "2" } };
    });
    const rookery = await started();
    await waitFor(() => server.requests.length > 1);
    expect(Date.now() - answeredAt).toBeGreaterThanOrEqual(2_000);
    await untilEmbedded(rookery);
    expect(outcomes(rookery).slice(0, 2)).toEqual(["rejected", "kept"]);
  });

  it.runIf(isLong)("a text that it rejects is left out, and the others are embedded", async () => {
    server.respondWith(({ input }) =>
      input.some((text) => text.includes("gizmotron")) ? { status: 400 } : {},
    );
    const rookery = await started();
    await untilEmbedded(rookery, rows(rookery) - 1);
    expect((await search(rookery, "gizmotron"))[0]?.title).toContain("gizmotron");
  });

  it("no response: a search falls back to the built-in table in time", async () => {
    const rookery = await started();
    await untilEmbedded(rookery);
    server.respondWith(() => ({ isSilent: true }));
    const startedAt = Date.now();
    expect((await search(rookery, "gizmotron overheats"))[0]?.title).toContain("gizmotron");
    expect(Date.now() - startedAt).toBeLessThan(10_000); // The limit of the call itself.
  });
});

describe("a daemon killed in the middle", () => {
  it("neither loses a vector nor asks again for a stored one", async () => {
    const rookery = await rookeries.started(settings());
    let hasGoneSilent = false;
    server.respondWith(({ input }) => {
      hasGoneSilent ||= embedded(rookery) > 0 && input.length > 1;
      return hasGoneSilent ? { isSilent: true } : {};
    });
    await openProject(rookery);
    await saveNotes(rookery, fillers);
    await waitFor(() => hasGoneSilent, { describe: "a batch in flight" });
    const stored = embedded(rookery);
    const inFlight = server.requests.at(-1)?.input ?? [];
    await rookery.kill9();
    server.respondWith(() => ({}));
    await rookery.start();
    await untilEmbedded(rookery);
    expect(stored).toBeGreaterThan(0);
    const times = Map.groupBy(server.texts(), (text) => text);
    for (const text of fillers) expect(times.get(`${text}\n${text}`)?.length ?? 0).toBeGreaterThan(0);
    const twice = [...times].filter(([, sent]) => sent.length > 1).map(([text]) => text);
    expect(twice.toSorted()).toEqual([...new Set(inFlight)].toSorted());
    expect(calls(rookery).filter(({ outcome }) => outcome === "lost")).toHaveLength(1);
    expect(calls(rookery).filter(({ outcome }) => outcome === "reserved")).toEqual([]);
  });
});

describe("re-embedding", () => {
  it("covers changed notes, and all notes after a model change; a forgotten note loses its vector", async () => {
    const rookery = await rookeries.started(settings());
    const [first = "", second = ""] = await saveNotes(rookery, fillers.slice(0, 5));
    await untilEmbedded(rookery, 5);
    await rookery.call("PATCH", `/api/notes/${first}`, { text: "The wexhollow is new." });
    await waitFor(() => server.texts().some((text) => text.includes("wexhollow")));
    await untilEmbedded(rookery, 5);
    const sent = server.texts().length;
    expect(sent).toBe(6);
    await rookery.call("DELETE", `/api/notes/${second}`);
    expect(embedded(rookery)).toBe(4);
    expect(server.texts()).toHaveLength(sent);
    await rookery.stop();
    rookery.env.ROOKERY_EMBEDDINGS_NAME = "another";
    await rookery.start();
    // Changed outside `rookery setup`: a person has to confirm it first.
    await person.run([...launcher, "config", "--accept"], rookery.env);
    await person.run([...launcher, "restart"], rookery.env);
    await waitFor(() => server.requests.some(({ model }) => model === "another"));
    await waitFor(async () => (await report(rookery)).embedded === 4);
    expect(embedded(rookery)).toBe(4);
  });
});

describe("isolated projects", () => {
  it("are not sent, nor are searches in them, until they are switched on", async () => {
    const rookery = await rookeries.started(settings());
    await openProject(rookery, "open");
    await openProject(rookery, "closed");
    await person.call(rookery, "PATCH", "/api/projects/closed", { mode: "isolated" });
    await saveNotes(rookery, ["The gizmotron stays secret."], "closed");
    await saveNotes(rookery, ["The lantern is public."], "open");
    await waitFor(() => server.texts().length > 0);
    await rookery.call("GET", "/api/search?q=floopenbark&project=closed");
    await rookery.call("GET", "/api/search?q=harbour&project=open");
    await waitFor(() => server.texts().includes("harbour"));
    expect(server.texts().join()).not.toMatch(/gizmotron|floopenbark/);
    await person.call(rookery, "PATCH", "/api/projects/closed", { mode: "on" });
    await waitFor(() => server.texts().join().includes("gizmotron"));
  });
});

describe("the daily budget", () => {
  it.runIf(isLong)("is not exceeded by a paid endpoint", async () => {
    const rookery = await rookeries.started(
      settings({ ROOKERY_EMBEDDINGS_INPUT_USD: "0.02", ROOKERY_MODEL_DAILY_TOKENS: "1400" }),
    );
    await saveNotes(rookery, fillers.slice(0, 5));
    await untilEmbedded(rookery);
    await saveNotes(rookery, fillers.slice(5));
    await waitFor(async () => (await report(rookery)).state === "spent");
    const spent = calls(rookery).reduce((sum, { tokens }) => sum + tokens, 0);
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(1_400);
    expect(embedded(rookery)).toBeLessThan(fillers.length);
    expect((await search(rookery, "bramond carries")).length).toBeGreaterThan(0);
  });
});

describe("rookery setup embeddings", () => {
  const key = "sk-mine-0123456789abcdef";
  const flags = (url = `${server.url}/v1`, model = "meaning"): string[] => {
    const named = ["--provider", "openai", "--base-url", url, "--model", model];
    return [...launcher, "setup", "embeddings", ...named, "--key-from-env", "MY_KEY"];
  };

  it("tests the endpoint, stores the key privately, embeds, and switches off again", async () => {
    const rookery = await rookeries.started({ MY_KEY: key });
    await saveNotes(rookery, [...fillers, "The gizmotron overheats under load."]);
    const before = await search(rookery, "floopenbark");
    expect(before.filter(({ title }) => title.includes("gizmotron"))).toEqual([]);
    const set = await person.run(flags(), rookery.env);
    expect(set).toMatchObject({ code: 0, stderr: "" });
    expect(set.stdout).toContain(`with ${dimensions} dimensions`);
    expect(server.requests[0]).toMatchObject({ model: "meaning", authorization: `Bearer ${key}` });
    await untilEmbedded(rookery);
    await findByMeaning(rookery, "floopenbark", "gizmotron");
    expect(statSync(rookery.home.secrets).mode & 0o777).toBe(0o600);
    expect(filesHolding(rookery.home.root, key)).toEqual(["secrets.json"]);
    const audit = await rookery.cli("audit");
    expect(audit.stdout).toContain("embeddings.provider");
    const off = await person.run([...launcher, "setup", "embeddings", "--off"], rookery.env);
    expect(off.stdout).toContain("built-in table from now on");
    expect(await report(rookery)).toMatchObject({ state: "off" });
    const sent = server.requests.length;
    await search(rookery, "floopenbark");
    expect(server.requests).toHaveLength(sent);
  });

  it("keeps the working configuration if the new one fails", async () => {
    const rookery = await rookeries.started({ MY_KEY: key });
    expect(await person.run(flags(), rookery.env)).toMatchObject({ code: 0 });
    const before = [rookery.home.config, rookery.home.secrets].map((file) => readFileSync(file, "utf8"));
    const pid = rookery.pid();
    server.respondWith(() => ({ status: 404 }));
    const failed = await person.run(flags(`${server.url}/v1`, "unknown"), rookery.env);
    expect(failed.code).toBe(6);
    expect(failed.stderr).toContain("unfit: HTTP 404");
    expect([rookery.home.config, rookery.home.secrets].map((file) => readFileSync(file, "utf8"))).toEqual(
      before,
    );
    expect(rookery.pid()).toBe(pid);
  });

  it.runIf(isLong)("asks for missing values on a terminal, and does not show the key", async () => {
    const rookery = await rookeries.started();
    const terminal = await openTerminal({
      directory: rookery.folder,
      name: "setup",
      command: [...launcher, "setup", "embeddings"],
      env: { ...rookery.env, TERM: "xterm" },
      cwd: rookery.folder,
    });
    try {
      for (const [question, answer] of [
        ["Provider (ollama, openai): ", "openai"],
        ["URL [https://api.openai.com/v1]: ", `${server.url}/v1`],
        ["Model [text-embedding-3-small]: ", "meaning"],
      ] as const) {
        await terminal.waitForScreen(question.trimEnd());
        await terminal.type(answer);
        await terminal.press("Enter");
      }
      await terminal.waitForScreen("Key (empty if it needs none");
      for (const letter of "qxz7") await terminal.press(letter);
      await terminal.press("Enter");
      const screen = await terminal.waitForScreen(`with ${dimensions} dimensions`);
      expect(screen).not.toContain("qxz7");
    } finally {
      await terminal.close();
    }
    expect(server.requests[0]).toMatchObject({ model: "meaning", authorization: "Bearer qxz7" });
    expect(await report(rookery)).toMatchObject({ provider: "openai", state: "ready" });
  });

  it("prints the result of the test call with --json", async () => {
    const rookery = await rookeries.started({ MY_KEY: key });
    const set = await person.run([...flags(), "--json"], rookery.env);
    expect(JSON.parse(set.stdout)).toMatchObject({
      provider: "openai",
      state: "ready",
      trial: { dimensions, inputTokens: expect.any(Number), usd: 0 },
    });
  });

  it("may only be run by a person: an agent is refused and audited, and nothing is sent", async () => {
    const rookery = await rookeries.started({ MY_KEY: key });
    const ran = await person.run(flags(), { ...rookery.env, CLAUDECODE: "1" });
    expect(ran.code).toBe(3);
    const refused = await rookery.call("POST", "/api/embeddings/trial", { provider: "ollama" });
    expect(refused.json.code).toBe("may_not_decide");
    expect(server.requests).toEqual([]);
    expect(rookery.query("SELECT result, detail FROM audit")).toEqual([
      { result: "refused", detail: expect.stringContaining("embeddings (trial)") },
      { result: "refused", detail: expect.stringContaining("embeddings (trial)") },
    ]);
  });

  it.each([
    [["--provider", "nobody"], 2, "Unknown value nobody for --provider"],
    [[], 2, "Missing --provider"],
    [["--provider", "openai", "--key-from-env", "UNSET"], 2, "UNSET is not set"],
  ])("%j: fails with a usage error", async (args, code, said) => {
    const ran = await rookeries.open().cli("setup", "embeddings", ...args);
    expect(ran.stderr).toContain(said);
    expect(ran.code).toBe(code);
  });
});
