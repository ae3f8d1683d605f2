import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { isLong, someRows } from "../support/long.ts";
import { makePayload, type Ran, type Rookery } from "../support/rookery.ts";
import { launcher } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const rookeries = useRookeriesWithoutRooms();
const person = useOutside();
const elsewhere = "http://127.0.0.1:1/";

/** A home in which this process is the claude of a session: every process that it starts belongs to an agent. */
async function openUnderAgent(env: Record<string, string> = {}): Promise<Rookery> {
  const rookery = await rookeries.started({ ROOKERY_DESKTOP_ENABLED: "off", ...env });
  await rookery.hook("SessionStart", makePayload("SessionStart", { session_id: "s-1" }));
  return rookery;
}

const cliOutside = (rookery: Rookery, ...args: string[]): Promise<Ran> =>
  person.run([...launcher, ...args], rookery.env);
const readConfig = async (rookery: Rookery): Promise<any> => (await rookery.call("GET", "/api/config")).json;
const readFile = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");
async function listAudit(rookery: Rookery): Promise<string[]> {
  const { entries } = (await rookery.call("GET", "/api/audit")).json;
  return entries.map((e: Record<string, string>) => `${e.action} ${e.result}: ${e.detail}`).toReversed();
}

describe("an agent", () => {
  test("cannot change a setting that sends, runs or opens something; the attempt is in the audit log", async () => {
    const rookery = await openUnderAgent();
    const before = readFile(rookery.home.config);
    for (const attempt of [
      () => rookery.callTcp("PATCH", "/api/config", { "slack.apiUrl": elsewhere }),
      () => rookery.callTcp("PATCH", "/api/config", { slack: { apiUrl: elsewhere } }),
      () => rookery.call("PATCH", "/api/config", { "matrix.command": "evil", "context.tokens": 900 }),
    ])
      expect(await attempt()).toMatchObject({ status: 403, json: { code: "may_not_decide" } });
    const ran = await rookery.cli("config", "model.executable", "/tmp/evil");
    expect(ran).toMatchObject({ code: 3, stdout: "" });
    expect(ran.stderr).toContain("your own terminal");
    expect(readFile(rookery.home.config)).toBe(before);
    expect(await listAudit(rookery)).toEqual([
      expect.stringMatching(
        /^change-setting refused: slack\.apiUrl: .*runs under (?:the agent of a session|Claude Code)/,
      ),
      expect.stringMatching(
        /^change-setting refused: slack: .*runs under (?:the agent of a session|Claude Code)/,
      ),
      expect.stringMatching(/^change-setting refused: matrix\.command: /),
      expect.stringMatching(
        /^change-setting refused: model\.executable: .*runs under (?:the agent of a session|Claude Code)/,
      ),
    ]);
  });

  test.each([
    { "presence.awaySeconds": 86_400 },
    { "notify.done": false },
    { notify: { failed: false, news: false } },
    { "notify.quietHours": "00:00-23:59" },
    { "matrix.enabled": false },
    { "matrix.perHour": 10_000 },
    { "desktop.enabled": "off" },
    { "ask.waitSeconds": 1 },
  ])("cannot silence the channels of its person: %j", async (patch) => {
    const rookery = await openUnderAgent({ ROOKERY_DESKTOP_ENABLED: "auto" });
    const before = await readConfig(rookery);
    expect(await rookery.callTcp("PATCH", "/api/config", patch)).toMatchObject({ status: 403 });
    expect(await readConfig(rookery)).toEqual(before);
  });

  test("cannot restore the database of the day before, with pairings that its person has revoked since", async () => {
    const rookery = await openUnderAgent();
    await waitFor(() => existsSync(rookery.home.backup));
    const { ino } = statSync(rookery.home.database);
    expect(await rookery.cli("restore")).toMatchObject({ code: 3, stdout: "" });
    expect(await listAudit(rookery)).toEqual([expect.stringMatching(/^restore refused: /)]);
    expect(existsSync(rookery.home.stoppedByUser)).toBe(false);
    await rookery.stop();
    rookery.env.CLAUDECODE = "1";
    // Also while no daemon runs.
    expect(await rookery.cli("restore")).toMatchObject({ code: 3, stdout: "" });
    expect(statSync(rookery.home.database).ino).toBe(ino);
  });

  test("cannot switch the memory of a project, or the handling of its leases", async () => {
    const rookery = await openUnderAgent();
    const [{ id, mode, leases }] = (await rookery.call("GET", "/api/projects")).json.projects;
    const path = `/api/projects/${encodeURIComponent(id)}`;
    for (const patch of [{ mode: "off" }, { mode: "isolated" }, { leases: "block" }])
      expect(await rookery.callTcp("PATCH", path, patch)).toMatchObject({ status: 403 });
    expect(await rookery.cli("projects", id, "off")).toMatchObject({ code: 3, stdout: "" });
    expect((await rookery.call("GET", "/api/projects")).json.projects).toMatchObject([{ id, mode, leases }]);
    expect((await cliOutside(rookery, "projects", id, "off")).code).toBe(0);
    expect((await listAudit(rookery)).at(-1)).toBe(`change-setting accepted: project ${id}`);
  });

  test("cannot say that its person is here, unless they have just shown it", async () => {
    const rookery = await openUnderAgent();
    const say = (body: object) => rookery.callTcp("POST", "/api/presence", body);
    const prompt = makePayload("UserPromptSubmit", { session_id: "s-1", prompt: "go" });
    await rookery.call("POST", "/api/hooks/UserPromptSubmit", prompt);
    for (const body of [{ seen: "viewer" }, { state: "here" }, { state: "auto" }])
      expect(await say(body)).toMatchObject({ status: 403, json: { code: "may_not_decide" } });
    expect(await rookery.cli("here")).toMatchObject({ code: 3, stdout: "" });
    expect((await rookery.call("GET", "/api/presence")).json).toMatchObject({
      isHere: false,
      lastSignAt: null,
    });
    expect((await say({ state: "away" })).status).toBe(200);
    await rookery.hook("UserPromptSubmit", prompt);
    expect(await rookery.cli("here")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^You are here/),
    });
  });

  test("can change a harmless setting", async () => {
    const rookery = await openUnderAgent();
    expect((await rookery.cli("config", "context.tokens", "900")).code).toBe(0);
    expect((await rookery.call("PATCH", "/api/config", { "delivery.wake": false })).status).toBe(200);
    expect(await listAudit(rookery)).toEqual([]);
  });

  test.each(
    someRows(
      [
        ["model", ["--provider", "openai", "--model", "m", "--key-from-env", "A_TOKEN"]],
        [
          "matrix",
          ["--homeserver", elsewhere.slice(0, -1), "--owner", "@eve:evil", "--token-from-env", "A_TOKEN"],
        ],
        ["matrix", ["--embedded"]],
        ["slack", ["--remove"]],
      ],
      2,
    ),
  )("cannot run `rookery setup %s` %j: nothing is stored", async (what, args) => {
    const rookery = await openUnderAgent({ A_TOKEN: "stored-by-an-agent" });
    writeFileSync(rookery.home.secrets, '{"slack":{"botToken":"xoxb-mine"}}', { mode: 0o600 });
    const ran = await rookery.cli("setup", what, ...args);
    expect(ran).toMatchObject({ code: 3, stdout: "" });
    expect(readFile(rookery.home.secrets)).toContain("xoxb-mine");
    expect(readFile(rookery.home.secrets)).not.toContain("stored-by-an-agent");
    expect(await listAudit(rookery)).toEqual([expect.stringMatching(/^change-setting refused: /)]);
  });

  test("is refused and recorded if it identifies itself, wherever it runs", async () => {
    const rookery = await rookeries.started({ ROOKERY_DESKTOP_ENABLED: "off" });
    const { question } = (await rookery.call("POST", "/api/questions", { question: "Which?" })).json;
    const env = { ...rookery.env, CLAUDE_PID: "1" };
    for (const args of [
      ["answer", question.id, "Redis"],
      ["config", "slack.userId", "U1"],
      ["pair", "slack"],
      ["pair", "--revoke", "abc"],
    ])
      expect(await person.run([...launcher, ...args], env)).toMatchObject({ code: 3, stdout: "" });
    expect(await listAudit(rookery)).toEqual([
      "answer refused: the command was started by an agent",
      "change-setting refused: slack.userId: the command was started by an agent",
      "offer-pairing refused: the command was started by an agent",
      "revoke refused: the command was started by an agent",
    ]);
  });

  test("does not start a daemon by trying", async () => {
    const rookery = rookeries.open();
    const env = { ...rookery.env, CLAUDECODE: "1" };
    const ran = await person.run([...launcher, "config", "slack.userId", "U1"], env);
    expect(ran).toMatchObject({ code: 3, stdout: "" });
    expect(existsSync(rookery.home.daemonFile)).toBe(false);
    expect(existsSync(rookery.home.config)).toBe(false);
  });
});

describe("a person", () => {
  test("changes such a setting; the audit log names the key and not the value", async () => {
    const rookery = await rookeries.started({ ROOKERY_DESKTOP_ENABLED: "off" });
    expect(await cliOutside(rookery, "config", "matrix.publicUrl", "https://chat.example.org")).toMatchObject(
      {
        code: 0,
        stderr: "",
      },
    );
    const { values, running, unconfirmed } = await readConfig(rookery);
    expect(values["matrix.publicUrl"]).toBe("https://chat.example.org");
    expect({ running, unconfirmed }).toEqual({ running: {}, unconfirmed: [] });
    const viewer = await person.call(rookery, "PATCH", "/api/config", { "matrix.publicUrl": null });
    expect(viewer.status).toBe(200);
    expect(await listAudit(rookery)).toEqual(Array(2).fill("change-setting accepted: matrix.publicUrl"));
  });
});

describe("a change that no person made", () => {
  const key = "matrix.publicUrl";
  const edit = (rookery: Rookery, publicUrl: string): void =>
    writeFileSync(rookery.home.config, JSON.stringify({ matrix: { publicUrl }, context: { tokens: 700 } }));

  test("is not in force if made in the file, and is reported until a person accepts it", async () => {
    const rookery = await openUnderAgent();
    edit(rookery, "https://evil.example.org");
    expect((await rookery.cli("restart")).code).toBe(0);
    expect(await readConfig(rookery)).toMatchObject({ running: { [key]: "" }, unconfirmed: [key] });
    expect((await readConfig(rookery)).running).not.toHaveProperty("context.tokens");
    expect((await rookery.cli("status")).stdout).toMatch(/matrix\.publicUrl.*rookery config --accept/s);
    expect((await rookery.cli("doctor")).stdout).toMatch(/matrix\.publicUrl.*rookery config --accept/s);
    // Harmless changes do not confirm it.
    await rookery.call("PATCH", "/api/config", { "context.tokens": 800 });
    await rookery.cli("restart");
    expect(await readConfig(rookery)).toMatchObject({ running: { [key]: "" }, unconfirmed: [key] });
    expect(await rookery.cli("config", "--accept")).toMatchObject({ code: 3 });

    const accepted = await cliOutside(rookery, "config", "--accept");
    expect(accepted).toMatchObject({ code: 0, stderr: "" });
    expect(accepted.stdout).toContain(`${key} = "https://evil.example.org"`);
    expect(await readConfig(rookery)).toMatchObject({ running: {}, unconfirmed: [] });
    expect((await cliOutside(rookery, "config", "--accept")).stdout).toContain(
      "No setting needs your confirmation",
    );
    expect(await listAudit(rookery)).toEqual([
      `change-setting refused: ${key}: changed in config.json or the environment, not by a person`,
      expect.stringMatching(
        /^change-setting refused: matrix\.publicUrl: .*runs under (?:the agent of a session|Claude Code)/,
      ),
      `change-setting accepted: ${key}`,
    ]);
    // Reverting it by hand is also a change.
    edit(rookery, "");
    await rookery.cli("restart");
    expect(await readConfig(rookery)).toMatchObject({ unconfirmed: [key] });
  });

  test.runIf(isLong)(
    "is not in force if made in the environment of the process that starts the daemon",
    async () => {
      const rookery = await openUnderAgent();
      await rookery.stop();
      rookery.env.ROOKERY_MATRIX_PUBLIC_URL = "https://evil.example.org";
      rookery.env.ROOKERY_CONTEXT_TOKENS = "700";
      await rookery.start();
      const { running, unconfirmed, values } = await readConfig(rookery);
      expect({ running, unconfirmed }).toEqual({ running: { [key]: "" }, unconfirmed: [key] });
      expect(values["context.tokens"]).toBe(700);
    },
  );

  test("is accepted in a new home, which has no confirmed values yet", async () => {
    const rookery = await rookeries.started({ ROOKERY_MATRIX_PUBLIC_URL: "https://chat.example.org" });
    expect(await readConfig(rookery)).toMatchObject({ running: {}, unconfirmed: [] });
    // It stays in force if the next start does not set it.
    await rookery.stop();
    delete rookery.env.ROOKERY_MATRIX_PUBLIC_URL;
    await rookery.start();
    expect((await readConfig(rookery)).running).toEqual({ [key]: "https://chat.example.org" });
  });
});

test("`rookery setup slack` sends the tokens to the address in force, not to the one in the file", async () => {
  const rookery = await openUnderAgent({ ROOKERY_SLACK_API_URL: elsewhere, SLACK_BOT_TOKEN: "xoxb-1" });
  let asked = 0;
  const evil = createServer((_request, response) => void response.end(String(++asked)));
  await new Promise<void>((resolve) => void evil.listen(0, "127.0.0.1", resolve));
  const apiUrl = `http://127.0.0.1:${(evil.address() as AddressInfo).port}/`;
  writeFileSync(rookery.home.config, JSON.stringify({ slack: { apiUrl } }));
  delete rookery.env.ROOKERY_SLACK_API_URL;
  const ran = await cliOutside(rookery, "setup", "slack", "--user", "ada");
  await new Promise((resolve) => evil.close(resolve));
  expect(ran.code).not.toBe(0);
  expect(asked).toBe(0);
});

test.runIf(isLong)("people are unpaired when the place they were paired at changes", async () => {
  const rookery = await rookeries.started({
    ROOKERY_MATRIX_ENABLED: "true",
    ROOKERY_DESKTOP_ENABLED: "off",
    ROOKERY_SLACK_API_URL: elsewhere,
    SLACK_BOT_TOKEN: "xoxb-1",
    ROOKERY_SLACK_USER_ID: "U1",
  });
  const names = async (): Promise<string[]> =>
    (await rookery.call("GET", "/api/pairings")).json.people.map(({ name }: { name: string }) => name);
  await rookery.stop();
  const store = openStore(rookery.home.database, Date.now);
  for (const channel of ["slack", "matrix"])
    store.access.addPerson({ id: channel, channel, sender: "U1", team: "T1", name: channel, pairedAt: 1 });
  store.close();
  await rookery.start();
  expect(await names()).toEqual(["slack", "matrix"]);

  await rookery.stop();
  rookery.env.SLACK_BOT_TOKEN = "xoxb-2";
  await rookery.start();
  expect(await names()).toEqual(["matrix"]);
  expect((await cliOutside(rookery, "config", "matrix.homeserver", "http://127.0.0.1:1")).code).toBe(0);
  expect(await names()).toEqual([]);
  expect((await listAudit(rookery)).filter((line) => line.startsWith("revoke"))).toEqual([
    "revoke accepted: slack: another address or token",
    "revoke accepted: matrix: another homeserver",
  ]);
});
