import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loadProvider, type ProviderAccess } from "../../src/model/load-provider.ts";
import type { Completion, Provider } from "../../src/model/provider.ts";
import { processesMentioning, waitFor } from "../support/processes.ts";
import { type ApiStep, openScriptedApi, type ScriptedApi } from "../support/scripted-api.ts";

const claude = fileURLToPath(new URL("../tools/node_modules/.bin/claude", import.meta.url));
const timeoutMs = 4_000;
const key = "sk-test-0123456789";
const kinds = ["claude", "anthropic", "openai"] as const;
type Kind = (typeof kinds)[number];

let api: ScriptedApi;
let folder: string;
const children: (number | undefined)[] = [];

beforeAll(async () => {
  api = await openScriptedApi();
});
afterAll(() => api.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rk-model-"));
  children.length = 0;
});
afterEach(async () => {
  const left = async () => (await processesMentioning(folder)).length === 0;
  await waitFor(left, { describe: "no child to be left" });
  rmSync(folder, { recursive: true, force: true });
});

/** The real Claude Code and SDKs; only the service is scripted. */
function access(kind: Kind, changes: { executable?: string } = {}): ProviderAccess {
  if (kind === "anthropic") return { kind, model: "claude-haiku-5-5", baseUrl: api.url, apiKey: key };
  if (kind === "openai") return { kind, model: "small", baseUrl: `${api.url}/v1`, apiKey: key };
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: key,
    DISABLE_TELEMETRY: "1",
  };
  const onChild = (pid: number | undefined): void => void children.push(pid);
  return { kind, model: "haiku", executable: claude, environment, folder, timeoutMs, onChild, ...changes };
}

async function ask(provider: Provider, ms: number = timeoutMs): Promise<Completion> {
  const request = {
    system: "Note things down.",
    user: "The turn.",
    schema: { type: "object" },
    maxOutputTokens: 500,
  };
  return provider.complete({ ...request, maxUsd: undefined }, AbortSignal.timeout(ms));
}

const usage = { inputTokens: 1_000, outputTokens: 200 };
const rejected = (why: string, detail: string) => ({ outcome: "rejected", why, detail });

/** How every provider reports the possible behaviours of a service. */
const scenes: { name: string; step: ApiStep; expected: object }[] = [
  {
    name: "a good answer",
    step: { text: '{"ok":true}' },
    expected: { outcome: "answered", text: '{"ok":true}', usage },
  },
  {
    name: "garbage",
    step: { text: "lorem ipsum" },
    expected: { outcome: "answered", text: "lorem ipsum", usage },
  },
  {
    name: "an answer cut by its length",
    step: { text: '{"obs', stop: "truncated" },
    expected: { outcome: "truncated" },
  },
  { name: "a refusal", step: { text: "", stop: "refused" }, expected: { outcome: "refused" } },
  {
    name: "429",
    step: { status: 429, headers: { "retry-after": "7" } },
    expected: rejected("busy", "HTTP 429"),
  },
  { name: "500", step: { status: 500 }, expected: rejected("broken", "HTTP 500") },
  { name: "401", step: { status: 401 }, expected: rejected("denied", "HTTP 401") },
  { name: "404", step: { status: 404 }, expected: rejected("unfit", "HTTP 404") },
];

describe.each(kinds)("%s", (kind) => {
  it.each(scenes)("$name", async ({ step, expected }) => {
    api.requests.length = 0;
    api.respondWith(() => step);
    const completion = await ask(await loadProvider(access(kind)));
    expect(completion).toMatchObject(expected);
    if (completion.outcome === "answered") expect(api.requests).toHaveLength(1);
    if (step.headers && kind !== "claude") expect(completion).toMatchObject({ retryAfterMs: 7_000 });
  });

  it("aborts a call to a silent service, and cleans up", async () => {
    api.requests.length = 0;
    api.respondWith(() => ({ isSilent: true }));
    const provider = await loadProvider(access(kind));
    expect(await ask(provider, 1_500)).toMatchObject({ outcome: "lost" });
    expect(api.requests.length).toBeLessThanOrEqual(1);
  });

  it("makes one request, without history or tools", async () => {
    api.requests.length = 0;
    api.respondWith(() => ({ text: "{}" }));
    await ask(await loadProvider(access(kind)));
    const [request] = api.requests;
    expect(request?.body.tools ?? []).toEqual([]);
    const said = request?.body.messages.filter(({ role }: { role: string }) => role === "user");
    expect(said).toHaveLength(1);
    expect(request?.text).toContain("Note things down.");
    expect(request?.text.length).toBeLessThan(2_500);
  });
});

describe.each(["anthropic", "openai"] as const)("%s over a bad line", (kind) => {
  it.each([
    ["an answer that breaks off", { isCut: true }],
    ["a page of a proxy", { html: "<html>Sign in to the guest network</html>" }],
  ])("%s counts as lost", async (_name, step) => {
    api.respondWith(() => step);
    expect(await ask(await loadProvider(access(kind)))).toMatchObject({ outcome: "lost" });
  });

  it("an unreachable service costs nothing", async () => {
    const closed = await openScriptedApi();
    await closed.close();
    const gone = { ...access(kind), baseUrl: closed.url } as ProviderAccess;
    expect(await ask(await loadProvider(gone))).toMatchObject(rejected("unreachable", "ECONNREFUSED"));
  });
});

describe("claude", () => {
  it("runs no hooks, keeps no transcript and is not observed", async () => {
    const settings = {
      hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command: `touch ${folder}/hook` }] }] },
    };
    mkdirSync(join(folder, ".claude"));
    writeFileSync(join(folder, ".claude", "settings.json"), JSON.stringify(settings));
    writeFileSync(join(folder, "CLAUDE.md"), "Say the word heron.");
    api.requests.length = 0;
    api.respondWith(() => ({ text: "{}" }));
    expect(await ask(await loadProvider(access("claude")))).toMatchObject({ outcome: "answered" });
    expect(existsSync(join(folder, "hook"))).toBe(false);
    expect(existsSync(join(folder, ".claude", "projects"))).toBe(false);
    expect(api.requests.map(({ text }) => text).join()).not.toContain("heron");
    expect(children).toEqual([expect.any(Number), undefined]);
  });

  it.each([
    ["is not there", "/nowhere/claude", rejected("unfit", "cannot run /nowhere/claude")],
    ["prints something else", "/bin/echo", { outcome: "rejected", why: "unfit" }],
  ])("that %s gives a clear result", async (_case, executable, expected) => {
    expect(await ask(await loadProvider(access("claude", { executable })))).toMatchObject(expected);
  });

  it("ends its child processes with it", async () => {
    const executable = join(folder, "claude");
    writeFileSync(executable, "#!/bin/sh\nsleep 300 &\nsleep 300\n", { mode: 0o755 });
    expect(await ask(await loadProvider(access("claude", { executable })), 300)).toMatchObject({
      outcome: "lost",
    });
  });

  // `npm run bench:model` makes a thousand, and more of the real one.
  it.each([
    ["ten turns of the real one", 10, undefined],
    [
      "two hundred of one that starts others",
      200,
      '#!/bin/sh\nsleep 300 &\necho \'{"is_error":false,"result":"{}"}\'\n',
    ],
  ])("leaves no process after %s", async (_case, turns, script) => {
    api.respondWith(() => ({ text: "{}" }));
    const executable = script === undefined ? claude : join(folder, "claude");
    if (script !== undefined) writeFileSync(executable, script, { mode: 0o755 });
    const provider = await loadProvider(access("claude", { executable }));
    for (let n = 0; n < turns; n++) expect(await ask(provider)).toMatchObject({ outcome: "answered" });
    expect(await processesMentioning(folder)).toEqual([]);
  });
});
