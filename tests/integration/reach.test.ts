import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { spawnDaemon } from "../support/daemon-process.ts";
import { type FakeDesktop, openFakeDesktop } from "../support/desktop.ts";
import { useFakeClaudes } from "../support/fake-claude.ts";
import { openQuestion } from "../support/person-elsewhere.ts";
import { startPermissionHook } from "../support/waiting-hook.ts";
import { openEventStream } from "../support/event-stream.ts";
import { openOutside, type Outside } from "../support/outside.ts";
import { processesMentioning, waitFor } from "../support/processes.ts";
import { makePayload, plugin, type Ran, type Rookery, runProcess } from "../support/rookery.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries(afterAll);
const claudes = useFakeClaudes();
const folder = mkdtempSync(join(tmpdir(), "rk-reach-"));
afterAll(() => rmSync(folder, { recursive: true }));
let homes = 0;

async function openHome(
  env: Record<string, string> = {},
): Promise<{ rookery: Rookery; desktop: FakeDesktop }> {
  const desktop = openFakeDesktop(join(folder, String(++homes)));
  const rookery = rookeries.open({
    PATH: `${desktop.folder}:/usr/bin:/bin`,
    DISPLAY: ":9",
    ROOKERY_NOTIFY_DONE_AFTER_SECONDS: "0",
    ROOKERY_PRESENCE_AWAY_SECONDS: "0",
    ...env,
  });
  await spawnDaemon(rookery);
  return { rookery, desktop };
}

const post = (rookery: Rookery, event: string, fields: Record<string, unknown> = {}) =>
  rookery.call("POST", `/api/hooks/${event}`, makePayload(event, fields));

async function finishTurn(rookery: Rookery, id: string, words: string): Promise<void> {
  const prompt = makePayload("UserPromptSubmit", { session_id: id, prompt: "go", prompt_id: `p-${id}` });
  await rookery.hook("UserPromptSubmit", prompt);
  await post(rookery, "Stop", { session_id: id, prompt_id: `p-${id}`, last_assistant_message: words });
}

let outside: Outside;
beforeAll(async () => {
  outside = await openOutside();
});
afterAll(() => outside.close());

const cliCommand = (...args: string[]): string[] => [
  ...[process.execPath, "--disable-warning=ExperimentalWarning", join(plugin, "dist/cli.js")],
  ...args,
];
const cliOutside = (rookery: Rookery, ...args: string[]): Promise<Ran> =>
  outside.run(cliCommand(...args), rookery.env);
const cli = (rookery: Rookery, ...args: string[]): Promise<Ran> => {
  const [command = "", ...rest] = cliCommand(...args);
  return runProcess(command, rest, "", rookery.env);
};

describe("an approval on the command line", () => {
  test("is reported on the other channels; one in the viewer is not", async () => {
    const { rookery, desktop } = await openHome();
    const viewer = await openEventStream(rookery, {}, "?viewer=1"); // The hook waits only if there is a place to answer.
    const approve = async (session: string, give: (id: string) => Promise<unknown>): Promise<void> => {
      const command = { tool_name: "Bash", tool_input: { command: `mkdir ${session}` } };
      const payload = makePayload("PermissionRequest", { session_id: session, ...command });
      const hook = startPermissionHook(rookery, payload, claudes.open().pid);
      const { id } = await openQuestion(rookery);
      await give(id);
      expect((await hook.done).stdout).toContain('"allow"');
    };
    const allow = (id: string) =>
      outside.call(rookery, "POST", `/api/questions/${id}/answer`, { allow: "once" });
    await approve("s-viewer", allow);
    // Neither hides the notice.
    await outside.call(rookery, "POST", "/api/presence", { state: "here" });
    const silent = await outside.call(rookery, "PATCH", "/api/config", { "notify.news": false });
    expect(silent.status).toBe(200);
    await approve("s-cli", (id) => cliOutside(rookery, "answer", id, "--allow"));
    const reports = () =>
      desktop.calls().filter((args) => args.join("\n").includes("Approved on the command line"));
    await waitFor(() => reports().length > 0, { describe: () => JSON.stringify(desktop.calls()) });
    expect(reports()).toHaveLength(1);
    expect(reports()[0]?.join("\n")).toContain("rookery audit");
    const { entries } = (await rookery.call("GET", "/api/audit")).json;
    expect(entries.map(({ place }: any) => place)).toEqual(["cli", "api", "viewer"]);
    viewer.close();
  });
});

test("an agent cannot drop a message to the person; the person can", async () => {
  const { rookery, desktop } = await openHome();
  desktop.fail(true);
  await finishTurn(rookery, "s-1", "All green.");
  const waiting = async () => (await rookery.call("GET", "/api/outbox")).json.messages;
  const { id } = await waitFor(async () =>
    (await waiting()).find((each: { state: string }) => each.state === "waiting"),
  );
  // Under this process, which is the claude of a session, and over the socket.
  await rookery.hook("SessionStart", makePayload("SessionStart", { session_id: "s-mine" }));
  expect(await cli(rookery, "outbox", "--drop", id)).toMatchObject({ code: 3, stdout: "" });
  for (const call of [rookery.callTcp, rookery.call])
    expect(await call("DELETE", `/api/outbox/${id}`)).toMatchObject({
      status: 403,
      json: { code: "may_not_decide" },
    });
  expect(await waiting()).toMatchObject([{ id }]);
  expect((await cliOutside(rookery, "outbox", "--drop", id)).stdout).toContain("dropped");
  expect(await waiting()).toEqual([]);
  const { entries } = (await rookery.call("GET", "/api/audit")).json;
  expect(entries.map(({ action, result, place }: any) => [action, result, place])).toEqual([
    ["drop-message", "accepted", "cli"],
    ...["over the command line", "over TCP", "over the socket"].map(() => ["drop-message", "refused", "api"]),
  ]);
});

describe("news on the desktop", () => {
  test("a finished turn is shown once, also after kill -9, and without its secrets", async () => {
    const { rookery, desktop } = await openHome();
    await finishTurn(rookery, "s-1", "All green. password=hunter2hunter2 <b>bold</b>");
    await waitFor(() => desktop.calls().length === 1);
    const [args = []] = desktop.calls();
    expect(args.join("\n")).toContain("is done");
    expect(args.join("\n")).toContain("All green.");
    expect(args.join("\n")).not.toMatch(/hunter2|<b>/);
    await waitFor(() => rookery.query("SELECT 1 FROM outbox WHERE state = 'sent'").length === 1);
    await rookery.kill9();
    await spawnDaemon(rookery);
    await finishTurn(rookery, "s-2", "The second.");
    await waitFor(() => desktop.calls().length === 2);
    expect(desktop.calls()[1]?.join("\n")).toContain("The second.");
  });

  test("is kept across restarts, listed, and shown later if it cannot be shown now", async () => {
    const { rookery, desktop } = await openHome();
    desktop.fail(true);
    await finishTurn(rookery, "s-1", "All green.");
    const waiting = async () => (await rookery.call("GET", "/api/outbox")).json.messages;
    const message = await waitFor(async () =>
      (await waiting()).find(
        (each: { attempts: number; state: string }) => each.attempts > 0 && each.state === "waiting",
      ),
    );
    expect(message).toMatchObject({
      channel: "desktop",
      error: expect.stringContaining("no notification daemon"),
    });
    expect((await cli(rookery, "outbox")).stdout).toContain("no notification daemon");
    const status = JSON.parse((await cli(rookery, "status", "--json")).stdout);
    expect(status).toMatchObject({
      outbox: { waiting: 1 },
      channels: [
        { name: "desktop", state: "failing" },
        { name: "matrix", state: "off" },
      ],
    });
    const { findings } = JSON.parse((await cli(rookery, "doctor", "--json")).stdout);
    expect(findings).toContainEqual(expect.objectContaining({ check: "Reaching you", verdict: "problem" }));
    expect((await cli(rookery, "outbox", "--retry", message.id)).code).toBe(0);

    await rookery.kill9();
    // An attempt that the killed daemon started must have failed before the desktop works again.
    await waitFor(async () => (await processesMentioning(rookery.folder)).length === 0);
    desktop.fail(false);
    await spawnDaemon(rookery);
    // By now the delay after the last failed attempt may exceed the test's timeout.
    await waitFor(async () => {
      await rookery.call("POST", `/api/outbox/${message.id}/retry`);
      return desktop.calls().length > 0;
    });
    await waitFor(async () => (await waiting()).length === 0);
    expect(desktop.calls()).toHaveLength(1);
    expect((await cliOutside(rookery, "outbox", "--drop", message.id)).code).toBe(4);
    expect((await cliOutside(rookery, "outbox", "--drop", "nothing")).code).toBe(4);
  });

  test("is still sent if it is forgotten before, without its text", async () => {
    const { rookery, desktop } = await openHome();
    desktop.fail(true);
    await finishTurn(rookery, "s-1", "All green.");
    const list = async () => (await rookery.call("GET", "/api/outbox")).json.messages;
    const { id } = await waitFor(async () =>
      (await list()).find(({ attempts, state }: any) => attempts > 0 && state === "waiting"),
    );
    for (const body of [{ from: 0 }, { query: "All green" }, { query: "forgotten" }])
      expect((await rookery.call("POST", "/api/forget", body)).status).toBe(200);
    expect(rookery.query("SELECT 1 FROM outbox WHERE notice LIKE '%All green%'")).toEqual([]);
    desktop.fail(false);
    await waitFor(async () => {
      await rookery.call("POST", `/api/outbox/${id}/retry`);
      return desktop.calls().length > 0;
    });
    expect(desktop.calls()[0]?.join("\n")).toContain("Forgotten before it could be sent to you");
    expect(desktop.calls()[0]?.join("\n")).not.toContain("All green");
    await waitFor(async () => (await list()).length === 0);
    expect((await rookery.call("POST", "/api/forget", { from: 0 })).status).toBe(200);
    expect(rookery.query("SELECT 1 FROM outbox")).toEqual([]);
  });

  test("is held while the person is here, and sent when they say they leave", async () => {
    const { rookery, desktop } = await openHome({ ROOKERY_PRESENCE_AWAY_SECONDS: "3600" });
    await finishTurn(rookery, "s-1", "All green.");
    const { json } = await rookery.call("GET", "/api/presence");
    expect(json).toMatchObject({
      isHere: true,
      reason: expect.stringMatching(/^last prompt \d s ago$/),
      isQuiet: false,
    });
    expect((await rookery.call("GET", "/api/outbox")).json.messages).toMatchObject([{ state: "held" }]);
    expect(desktop.calls()).toEqual([]);
    expect((await cli(rookery, "away")).stdout).toMatch(/^You are away: set by hand/);
    await waitFor(() => desktop.calls().length === 1);
  });

  test("is sent without a word from them once the configured time has passed", async () => {
    const { rookery, desktop } = await openHome({ ROOKERY_PRESENCE_AWAY_SECONDS: "2" });
    await finishTurn(rookery, "s-1", "All green.");
    await waitFor(() => desktop.calls().length === 1);
    const { json } = await rookery.call("GET", "/api/presence");
    expect(json).toMatchObject({ isHere: false });
  });
});

describe("presence", () => {
  test("set by hand survives a restart, and can be reset", async () => {
    const { rookery } = await openHome({ ROOKERY_PRESENCE_AWAY_SECONDS: "60" });
    const stream = await openEventStream(rookery);
    expect((await cliOutside(rookery, "here")).stdout).toMatch(/^You are here: set by hand/);
    expect((await stream.next("presence.changed", ({ isHere }) => isHere)).data.reason).toContain("by hand");
    stream.close();
    await rookery.kill9();
    await spawnDaemon(rookery);
    expect((await rookery.call("GET", "/api/presence")).json).toMatchObject({ isHere: true });
    expect((await cliOutside(rookery, "here", "--auto")).stdout).toMatch(
      /^You are away: no sign of you yet\. /,
    );
    const seen = await outside.call(rookery, "POST", "/api/presence", { seen: "viewer" });
    expect(seen.json).toMatchObject({ isHere: true, reason: "last use of the viewer 0 s ago" });
    for (const body of [{}, { state: "gone" }, { seen: "viewer", state: "here" }])
      expect((await rookery.call("POST", "/api/presence", body)).status).toBe(400);
  });

  test("a person with an open viewer can be reached until it is closed; other API clients do not count", async () => {
    const { rookery } = await openHome();
    const canBeReached = async () => (await rookery.call("GET", "/api/presence")).json.canBeReached;
    const listener = await openEventStream(rookery);
    expect(await canBeReached()).toBe(false);
    const viewer = await openEventStream(rookery, {}, "?viewer=1");
    expect(await canBeReached()).toBe(true);
    viewer.close();
    await waitFor(async () => !(await canBeReached()));
    listener.close();
  });

  test("an invalid quiet-hours range is reported at start", async () => {
    const rookery = rookeries.open({ ROOKERY_NOTIFY_QUIET_HOURS: "22-7" });
    const ran = await rookery.cli("start");
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("Setting notify.quietHours must look like 22:00-07:00.");
  });
});

describe("the agent cannot pair itself", () => {
  test("through the command line, the API with the token, or the socket", async () => {
    const { rookery } = await openHome();
    // This process is the claude of a session: the processes that it starts belong to the agent.
    await rookery.hook("SessionStart", makePayload("SessionStart", { session_id: "s-1" }));
    const ran = await cli(rookery, "pair", "slack");
    expect(ran).toMatchObject({ code: 3, stdout: "" });
    expect(ran.stderr).toContain("under the agent of a session");
    expect(ran.stderr).toContain("your own terminal");
    for (const answer of [
      await rookery.callTcp("POST", "/api/pairings", { channel: "slack" }),
      await rookery.call("POST", "/api/pairings", { channel: "slack" }),
      await rookery.callTcp("DELETE", "/api/pairings/x"),
    ])
      expect(answer).toMatchObject({ status: 403, json: { code: "may_not_decide" } });
    expect((await rookery.call("GET", "/api/pairings")).json).toEqual({ people: [], pending: [] });
    const { entries } = (await rookery.call("GET", "/api/audit")).json;
    expect(entries.map(({ action, result }: Record<string, string>) => `${action} ${result}`)).toEqual([
      "revoke refused",
      ...Array(3).fill("offer-pairing refused"),
    ]);
  });

  test("but the person's shell can, three times, and it is recorded", async () => {
    const { rookery } = await openHome();
    const ran = await cliOutside(rookery, "pair", "matrix", "--json");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      channel: "matrix",
      code: expect.stringMatching(/^[A-HJKMNP-Z2-9]{6}$/),
    });
    expect((await cliOutside(rookery, "pair", "matrix")).stdout).toMatch(/\n {4}[A-Z2-9]{3} [A-Z2-9]{3}\n/);
    expect((await cliOutside(rookery, "pair", "matrix")).code).toBe(0);
    const fourth = await cliOutside(rookery, "pair", "matrix");
    expect(await outside.call(rookery, "POST", "/api/pairings", { channel: "matrix" })).toMatchObject({
      status: 409,
      json: { code: "too_many_pairings" },
    });
    expect(fourth).toMatchObject({ code: 5 });
    expect(fourth.stderr).toContain("3 pairing codes");
    expect((await cliOutside(rookery, "pair", "telegraph")).code).toBe(2);
    const notSetUp = await cliOutside(rookery, "pair", "telegram");
    expect(notSetUp).toMatchObject({ code: 2, stdout: "" });
    expect(notSetUp.stderr).toContain("rookery setup telegram");
    expect((await cliOutside(rookery, "pair", "--revoke", "nobody")).code).toBe(4);
    expect((await cli(rookery, "pair", "--list")).stdout).toMatch(
      /^No account is paired[^]*A code for matrix waits until/,
    );
    const audit = await cli(rookery, "audit");
    expect(audit.stdout).toMatch(/offer-pairing +accepted +matrix +terminal/);
    expect(audit.stdout).not.toContain(JSON.parse(ran.stdout).code);
  });
});

describe("the status line", () => {
  test("is printed by the launcher without Node, and stops when the daemon is gone", async () => {
    const { rookery } = await openHome();
    const launch = () =>
      runProcess(join(plugin, "bin", "rookery"), ["statusline"], '{"session_id":"s-1"}', {
        HOME: rookery.env.HOME ?? "",
        ROOKERY_HOME: rookery.home.root,
        PATH: "/nowhere",
      });
    const away = { code: 0, stdout: "rookery ○ away · 0 notes\n", stderr: "" };
    await expect.poll(launch).toEqual(away); // The line is written after the start.
    await post(rookery, "SessionStart", { session_id: "s-1" });
    const { agents } = (await rookery.call("GET", "/api/agents")).json;
    await outside.call(rookery, "POST", "/api/deliveries", { to: agents[0].name, body: "hello" });
    await outside.call(rookery, "POST", "/api/presence", { state: "here" });
    await waitFor(async () => (await launch()).stdout === "rookery ● here · 1 unread · 0 notes\n");
    expect(JSON.parse((await cli(rookery, "statusline", "--json")).stdout)).toEqual({
      line: "rookery ● here · 1 unread · 0 notes",
    });
    await rookery.kill9();
    // The killed daemon has a process id until init reaps it.
    await waitFor(async () => (await launch()).stdout === "");
    expect(await launch()).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("is added to the existing settings, and removed again", async () => {
    const rookery = rookeries.open({ PATH: "/usr/bin:/bin" });
    const settings = join(rookery.env.HOME ?? "", ".claude", "settings.json");
    const theirs = { model: "opus", statusLine: { type: "command", command: "~/mine.sh" }, hooks: {} };
    const read = () => JSON.parse(readFileSync(settings, "utf8"));

    expect((await cli(rookery, "statusline", "--install")).code).toBe(0);
    expect(read()).toEqual({
      statusLine: { type: "command", command: expect.stringMatching(/bin\/rookery' statusline$/) },
    });
    expect((await cli(rookery, "statusline", "--install")).stdout).toContain("already");
    expect((await cli(rookery, "statusline", "--remove")).stdout).toContain("is restored");
    expect(existsSync(settings)).toBe(false);

    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, JSON.stringify(theirs));
    await cli(rookery, "statusline", "--install");
    expect(read()).toMatchObject({
      model: "opus",
      statusLine: { command: expect.stringContaining("rookery") },
    });
    const [copy = ""] = readdirSync(rookery.home.backups).filter((name) => name.startsWith("settings.json."));
    expect(readFileSync(join(rookery.home.backups, copy), "utf8")).toBe(JSON.stringify(theirs));
    await cli(rookery, "uninstall");
    expect(readFileSync(settings, "utf8")).toBe(JSON.stringify(theirs));
    expect(existsSync(rookery.home.backups)).toBe(false);

    writeFileSync(settings, "{ not json");
    const ran = await cli(rookery, "statusline", "--install");
    expect(ran.code).toBe(5);
    expect(readFileSync(settings, "utf8")).toBe("{ not json");
  });
});
