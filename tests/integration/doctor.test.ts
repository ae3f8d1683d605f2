import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeDatabase, copyCheckout, damage, place, runCli } from "../support/broken-home.ts";
import { examine, expectFinding, listProblems, type ExpectedFinding } from "../support/doctor.ts";
import { isLong } from "../support/long.ts";
import { isRunning, waitFor, signalProcess } from "../support/processes.ts";
import { makePayload, plugin, type Rookery } from "../support/rookery.ts";
import { placeTranscript } from "../support/transcripts.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries(afterAll);
const children: ChildProcess[] = [];
const deep = mkdtempSync(join(tmpdir(), "rk-deep-"));
afterAll(() => rmSync(deep, { recursive: true }));
/** A foreign process on the port. */
const squatter = createServer((socket) => socket.destroy());
beforeAll(() => new Promise<void>((resolve) => squatter.listen(0, "127.0.0.1", resolve)));
afterAll(async () => {
  squatter.close();
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(
    children
      .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      .map((child) => once(child, "exit")),
  );
});

interface Scene {
  /** Only with `--long`. */
  isRare?: true;
  env?: () => Record<string, string>;
  /** Breaks a real home; returns the plugin to run doctor from, if it is another one. */
  arrange(rookery: Rookery): Promise<string | void>;
  finds: ExpectedFinding[];
  exit: 0 | 6;
  fixes?: { did: RegExp[]; finds?: ExpectedFinding[]; exit: 0 | 6; check?(rookery: Rookery): Promise<void> };
}

const oldNode = "#!/bin/sh\necho 20.11.1\n";
const hour = 3_600_000;
const day = 24 * hour;

/** The daemon rewrites daemon.json when its homeserver is up. */
async function describedWhole({ home }: Rookery): Promise<{ matrixPort?: number }> {
  const read = () => JSON.parse(readFileSync(home.daemonFile, "utf8"));
  await waitFor(() => read().matrixPort > 0, { describe: "the homeserver" });
  return read();
}

const scenes: Record<string, Scene> = {
  "nothing was ever started": {
    async arrange() {},
    exit: 6,
    finds: [
      {
        check: "Home",
        verdict: "problem",
        message: /does not exist/,
        fix: /^rookery start$/,
        isFixable: true,
      },
      {
        check: "Daemon",
        verdict: "problem",
        message: /^not running$/,
        fix: /^rookery start$/,
        isFixable: true,
      },
      { check: "Database", verdict: "ok", message: /none yet/ },
      { check: "Hook", verdict: "skipped" },
      { check: "Plugin", verdict: "warning", message: /no `claude`/, fix: /rookery install$/ },
    ],
    fixes: {
      did: [/Home: created /, /Daemon: started the daemon/],
      exit: 0,
      finds: [
        { check: "Hook", verdict: "ok", message: /round trip through .*hook\.sh in \d+ ms/ },
        { check: "Waiting hook", verdict: "ok", message: /round trip through .*wait\.sh in \d+ ms/ },
        { check: "Node hook", verdict: "ok", message: /round trip through .*hook-leaf\.js/ },
        { check: "Homeserver", verdict: "ok", message: /answers at/ },
        { check: "Events", verdict: "warning", message: /no event stored yet/ },
      ],
    },
  },

  "a daemon was killed and left files and processes behind": {
    env: () => ({ ROOKERY_NODE: "", ROOKERY_PROT: "1" }),
    async arrange(rookery) {
      const { home } = rookery;
      await rookery.start();
      await rookery.hook("SessionStart", makePayload("SessionStart", { source: "startup" }));
      await rookery.kill9();
      place(rookery, `${home.secrets}.4711`, '{"slack":{}}', { ageMs: hour });
      place(rookery, join(home.spool, "Stop.1700000000000000.1.1"), "1\n{broken", { ageMs: hour });
      const whole = `1\n${JSON.stringify(makePayload("Stop"))}`;
      place(rookery, join(home.rejected, "Stop.1700000000000000.1.2"), whole, { ageMs: hour });
      place(rookery, join(home.rejected, "Stop.1700000000000000.1.3"), "1\n{broken");
      place(rookery, `${home.database}.damaged-2026-01-01`, "x");
      const node = join(rookery.folder, "old-node");
      place(rookery, node, oldNode, { mode: 0o755 });
      place(rookery, join(home.run, "node"), `${node}\n`);
      place(rookery, home.spoolFull, "....");
      const complaint = { at: new Date().toISOString(), level: "error", message: "sweep failed" };
      writeFileSync(home.log, `${JSON.stringify(complaint)}\n`, { flag: "a" });
      chmodSync(home.token, 0o644);
      chmodSync(home.root, 0o755);
      mkdirSync(home.app, { mode: 0o700 });
      mkdirSync(join(home.app, "cache"), { mode: 0o755 }); // Node's own, of compiled code.
    },
    exit: 6,
    finds: [
      {
        check: "Launcher",
        verdict: "problem",
        message: /is version 20\.11\.1/,
        fix: /^rm .*run\/node$/,
        isFixable: true,
      },
      {
        check: "Permissions",
        verdict: "problem",
        message: /other users can read .*\(0755\) and 1 more/,
        fix: /^chmod -R go-rwx /,
      },
      {
        check: "Leftovers",
        verdict: "warning",
        message: /secrets\.json\.4711/,
        fix: /^rm -r /,
        isFixable: true,
      },
      {
        check: "Variables",
        verdict: "warning",
        message: /Unknown variable ROOKERY_PROT.*ROOKERY_PORT\?/,
        fix: /^unset ROOKERY_PROT$/,
      },
      { check: "Daemon", verdict: "problem", message: /^not running$/, isFixable: true },
      {
        check: "Socket",
        verdict: "warning",
        message: /left behind by a daemon that no longer runs/,
        fix: /^rookery start$/,
      },
      {
        check: "Bell",
        verdict: "warning",
        message: /left behind by a daemon that no longer runs/,
        isFixable: true,
      },
      {
        check: "Breaker",
        verdict: "problem",
        message: /spool was full: 4 events dropped/,
        fix: /^rookery start$/,
      },
      { check: "Errors", verdict: "warning", message: /1 error .*sweep failed/, fix: /rookery logs/ },
      {
        check: "Set aside",
        verdict: "warning",
        message: /1 damaged database kept/,
        fix: /rookery import transcripts/,
      },
      {
        check: "Spool",
        verdict: "warning",
        message: /1 file waiting, the oldest for 1 h/,
        fix: /^rookery start$/,
      },
      { check: "Rejected", verdict: "warning", message: /2 files .* 1 of them complete/, isFixable: true },
      { check: "Events", verdict: "ok", message: /last event \d+ s ago/ },
    ],
    fixes: {
      did: [
        /Launcher: removed .*run\/node/,
        /Permissions: made 2 files private/,
        /Leftovers: removed secrets\.json\.4711/,
        /Daemon: started the daemon/,
        /Socket: kept .*: a process listens/,
        /Bell: kept the bell/,
        /Rejected: put 1 event back/,
      ],
      exit: 0,
      finds: [
        { check: "Permissions", verdict: "ok" },
        { check: "Daemon", verdict: "ok" },
        { check: "Set aside", verdict: "warning" },
        { check: "Variables", verdict: "warning" },
      ],
      async check(rookery) {
        const { home } = rookery;
        expect(statSync(home.token).mode & 0o777).toBe(0o600);
        expect(statSync(home.root).mode & 0o777).toBe(0o700);
        expect(existsSync(`${home.secrets}.4711`)).toBe(false);
        expect(existsSync(`${home.database}.damaged-2026-01-01`)).toBe(true);
        const stored = () => rookery.query("SELECT id FROM events WHERE id = ?", "1700000000000000.1.2");
        await waitFor(() => stored().length === 1, { describe: "the rejected event" });
      },
    },
  },

  "a daemon runs, but its bell is gone, its port taken, a shell of a dead session left": {
    isRare: true,
    env: () => ({ ROOKERY_PORT: String((squatter.address() as { port: number }).port) }),
    async arrange(rookery) {
      await rookery.start();
      const transcript = placeTranscript(join(rookery.folder, ".claude"), "{}\n", "never-seen");
      place(rookery, transcript, "{}\n", { ageMs: 28 * day });
      const claude = spawn("sleep", ["60"]);
      const shell = spawn(join(plugin, "monitors", "wake.sh"), {
        env: { ...rookery.env, CLAUDE_PID: String(claude.pid) },
        stdio: "ignore",
      });
      children.push(claude, shell);
      await waitFor(async () => (await rookery.call("GET", "/api/status")).json.monitors === 1);
      shell.kill("SIGSTOP");
      claude.kill("SIGKILL");
      await once(claude, "exit");
      rmSync(rookery.home.bell);
    },
    exit: 6,
    finds: [
      {
        check: "Bell",
        verdict: "problem",
        message: /bell is missing/,
        fix: /^rookery restart$/,
        isFixable: true,
      },
      {
        check: "Ports",
        verdict: "warning",
        message: /^port \d+ is used by another program; the viewer is on \d+/,
        fix: /lsof -i :\d+/,
      },
      {
        check: "Orphans",
        verdict: "warning",
        message: /left over from an ended session/,
        fix: /^kill \d+$/,
        isFixable: true,
      },
      {
        check: "Transcripts",
        verdict: "warning",
        message: /1 transcript .*after 30 days/,
        fix: /^rookery import transcripts$/,
      },
      { check: "Hook", verdict: "problem", message: /no answer/, fix: /rookery restart/ },
    ],
    fixes: {
      did: [/Bell: restarted the daemon/, /Orphans: ended process \d+/],
      exit: 0,
      finds: [
        { check: "Orphans", verdict: "ok" },
        { check: "Hook", verdict: "ok" },
      ],
    },
  },

  "the daemon was stopped by a signal": {
    isRare: true,
    async arrange(rookery) {
      await rookery.start();
      process.kill(rookery.pid(), "SIGSTOP");
    },
    exit: 6,
    finds: [
      {
        check: "Daemon",
        verdict: "problem",
        message: /process \d+ was stopped by a signal/,
        fix: /^kill -CONT \d+$/,
        isFixable: true,
      },
    ],
    fixes: { did: [/Daemon: resumed process \d+/], exit: 0, finds: [{ check: "Hook", verdict: "ok" }] },
  },

  "the daemon's socket was cleaned away": {
    async arrange(rookery) {
      await rookery.start();
      rmSync(rookery.home.socket);
    },
    exit: 6,
    finds: [
      {
        check: "Daemon",
        verdict: "problem",
        message: /process \d+ runs, but does not answer/,
        fix: /^kill \d+; rookery start/,
      },
    ],
    fixes: { did: [/Daemon: ended process \d+ and started/], exit: 0 },
  },

  "the home was deleted and recreated while a daemon hung": {
    isRare: true,
    async arrange(rookery) {
      await rookery.start();
      await describedWhole(rookery);
      signalProcess(rookery.pid(), "SIGSTOP"); // A running daemon would notice, and exit.
      renameSync(rookery.home.root, `${rookery.home.root}-gone`);
      await rookery.start();
    },
    exit: 6,
    finds: [
      {
        check: "Other daemons",
        verdict: "problem",
        message: /process \d+ is another daemon of this home/,
        fix: /^kill -9 \d+$/,
      },
      { check: "Daemon", verdict: "ok" },
    ],
    fixes: {
      did: [/Other daemons: ended process \d+/],
      exit: 0,
      async check(rookery) {
        const { pid } = JSON.parse(readFileSync(join(`${rookery.home.root}-gone`, "daemon.json"), "utf8"));
        expect(await isRunning(pid)).toBe(false);
        expect((await rookery.call("GET", "/health")).status).toBe(200);
      },
    },
  },

  "daemon.json describes another process": {
    isRare: true,
    async arrange(rookery) {
      await rookery.start();
      const about = await describedWhole(rookery);
      writeFileSync(rookery.home.daemonFile, JSON.stringify({ ...about, pid: 1 }));
    },
    exit: 6,
    finds: [
      {
        check: "Daemon",
        verdict: "problem",
        message: /answers, but .*daemon\.json names 1/,
        isFixable: true,
      },
    ],
    fixes: { did: [/Daemon: restarted the daemon/], exit: 0 },
  },

  "the daemon is of an older build": {
    async arrange(rookery) {
      const old = copyCheckout(rookery, "old");
      const about = JSON.parse(readFileSync(join(old, "dist", "build.json"), "utf8"));
      writeFileSync(
        join(old, "dist", "build.json"),
        JSON.stringify({ ...about, build: "older", builtAt: 1 }),
      );
      expect((await runCli(rookery, ["start"], old)).code).toBe(0);
    },
    exit: 0,
    finds: [
      {
        check: "Daemon",
        verdict: "warning",
        message: /build older/,
        fix: /^rookery restart$/,
        isFixable: true,
      },
    ],
    fixes: { did: [/Daemon: restarted the daemon/], exit: 0, finds: [{ check: "Daemon", verdict: "ok" }] },
  },

  "the command is of an older build, and its checkout half built": {
    isRare: true,
    async arrange(rookery) {
      await rookery.start();
      const old = copyCheckout(rookery, "old");
      const about = JSON.parse(readFileSync(join(old, "dist", "build.json"), "utf8"));
      writeFileSync(
        join(old, "dist", "build.json"),
        JSON.stringify({ ...about, build: "older", builtAt: 1 }),
      );
      place(rookery, join(old, "dist.next"), "", { ageMs: hour });
      return old;
    },
    exit: 0,
    finds: [
      {
        check: "Daemon",
        verdict: "warning",
        message: /which is older/,
        fix: /plugin\/bin\/rookery$/,
        isFixable: false,
      },
      { check: "Leftovers", verdict: "warning", message: /dist\.next/, isFixable: true },
    ],
    fixes: { did: [/Leftovers: removed dist\.next/], exit: 0 },
  },

  "the settings are wrong": {
    env: () => ({ ROOKERY_DELIVERY_WAKE: "perhaps" }),
    async arrange(rookery) {
      place(rookery, rookery.home.config, '{"prot": 1, "log": {"level": "loud"}, "slack": {"user": "U1"}}');
      place(rookery, rookery.home.secrets, '{"slack": {"bot": "xoxb-1"}}');
      expect((await runCli(rookery, ["start"])).code).toBe(2);
    },
    exit: 6,
    finds: [
      {
        check: "Configuration",
        verdict: "problem",
        message: /Unknown setting prot\. Did you mean port\?/,
        fix: /config\.json/,
      },
      { check: "Configuration", verdict: "problem", message: /Setting log\.level/ },
      {
        check: "Configuration",
        verdict: "problem",
        message: /Unknown setting slack\.user\. Did you mean slack\.userId\?/,
      },
      { check: "Configuration", verdict: "problem", message: /Setting delivery\.wake/ },
      {
        check: "Secrets",
        verdict: "problem",
        message: /secrets\.json: slack\.bot is not valid/,
        fix: /rookery setup/,
      },
      {
        check: "Daemon",
        verdict: "problem",
        message: /the last start failed: .*Setting|Unknown/,
        fix: /rookery config --explain/,
      },
    ],
    fixes: { did: [/Daemon: failed/], exit: 6 },
  },

  "the database is damaged": {
    async arrange(rookery) {
      await rookery.start();
      for (let n = 0; n < 40; n++) {
        const event = makePayload("Notification", { message: `${n} ${"word ".repeat(2_000)}` });
        await rookery.call("POST", "/api/hooks/Notification", event);
      }
      await rookery.stop();
      damage(rookery.home.database);
    },
    exit: 6,
    finds: [
      {
        check: "Database",
        verdict: "problem",
        message: /^damaged: /,
        fix: /rookery stop; touch .*\.suspect; rookery start/,
        isFixable: false,
      },
      {
        check: "Daemon",
        verdict: "warning",
        message: /stopped by you/,
        fix: /^rookery start/,
        isFixable: false,
      },
    ],
  },

  "the database was written by a newer Rookery": {
    isRare: true,
    async arrange(rookery) {
      await rookery.start();
      await rookery.stop();
      changeDatabase(rookery, "PRAGMA user_version = 9999");
      expect((await runCli(rookery, ["start"])).code).toBe(5);
    },
    exit: 6,
    finds: [
      {
        check: "Database",
        verdict: "problem",
        message: /written by a newer Rookery \(schema 9999/,
        fix: /^Update Rookery/,
      },
      { check: "Daemon", verdict: "problem", message: /the last start failed: .*9999/, fix: /update/ },
    ],
  },

  "the clock was ahead, and the user stopped the daemon": {
    isRare: true,
    async arrange(rookery) {
      await rookery.start();
      await rookery.call("POST", "/api/hooks/Stop", makePayload("Stop"));
      await rookery.stop();
      changeDatabase(rookery, `UPDATE events SET stored_at = ${Date.now() + day}`);
    },
    exit: 0,
    finds: [
      { check: "Clock", verdict: "warning", message: /1 recent event dated in the future/ },
      { check: "Daemon", verdict: "warning", message: /stopped by you \d+ s ago/, isFixable: false },
    ],
  },

  "channels and homeserver are wrong": {
    env: () => ({ SLACK_BOT_TOKEN: "nonsense", ROOKERY_MATRIX_HOMESERVER: "http://127.0.0.1:1" }),
    arrange: (rookery) => rookery.start(),
    exit: 6,
    finds: [
      {
        check: "Reaching you",
        verdict: "problem",
        message: /slack is misconfigured/,
        fix: /SLACK_BOT_TOKEN is malformed/,
      },
      {
        check: "Homeserver",
        verdict: "problem",
        message: /http:\/\/127\.0\.0\.1:1 does not answer/,
        fix: /rookery setup matrix/,
      },
    ],
  },

  "the home is a file": {
    async arrange(rookery) {
      writeFileSync(rookery.home.root, "");
    },
    exit: 6,
    finds: [
      {
        check: "Home",
        verdict: "problem",
        message: /is not a folder/,
        fix: /export ROOKERY_HOME/,
        isFixable: false,
      },
    ],
  },

  "the path of the home is too long for a socket": {
    env: () => ({ ROOKERY_HOME: join(deep, "x".repeat(120)), XDG_RUNTIME_DIR: join(deep, "y".repeat(90)) }),
    async arrange() {},
    exit: 6,
    finds: [
      {
        check: "Socket",
        verdict: "problem",
        message: /is \d+ bytes long, the limit is 107/,
        fix: /export ROOKERY_HOME=/,
      },
    ],
  },

  "there is no bash": {
    env: () => ({ PATH: "/nowhere", ROOKERY_OFF: "1" }),
    async arrange(rookery) {
      const checkout = copyCheckout(rookery, "elsewhere");
      const script = join(checkout, "hooks", "hook.sh");
      writeFileSync(script, readFileSync(script, "utf8").replace("#!/bin/bash", "#!/nowhere/bash"));
      return checkout;
    },
    exit: 6,
    finds: [
      { check: "bash", verdict: "problem", message: /\/nowhere\/bash is missing/, fix: /Without bash/ },
      { check: "Variables", verdict: "warning", message: /ROOKERY_OFF is set/, fix: /^unset ROOKERY_OFF$/ },
    ],
  },

  "settings name bash as the command of our hooks": {
    async arrange(rookery) {
      await rookery.start();
      const hook = { type: "command", command: "bash", args: [join(plugin, "hooks", "hook.sh"), "Stop"] };
      const settings = join(rookery.folder, ".claude", "settings.json");
      place(rookery, settings, JSON.stringify({ hooks: { Stop: [{ hooks: [hook] }] } }));
    },
    exit: 6,
    finds: [
      {
        check: "Settings hooks",
        verdict: "problem",
        message: /settings\.json starts bash with our hook as its argument/,
        fix: /^rookery up/,
      },
    ],
  },

  "a session runs without hooks": {
    isRare: true,
    async arrange(rookery) {
      await rookery.start();
      const claude = join(rookery.folder, "claude");
      copyFileSync("/bin/sleep", claude);
      chmodSync(claude, 0o755);
      const [silent, reported] = [0, 1].map(() =>
        spawn(claude, ["120"], { env: rookery.env, stdio: "ignore" }),
      );
      children.push(silent as ChildProcess, reported as ChildProcess);
      const start = makePayload("SessionStart", { source: "startup" });
      await rookery.hook("SessionStart", start, { hostPid: reported?.pid ?? 0 });
      const startedAt = Date.now();
      await waitFor(() => Date.now() - startedAt > 10_500, { intervalMs: 250 });
    },
    exit: 0,
    finds: [
      {
        check: "Silent sessions",
        verdict: "warning",
        message: /^1 running session \(process \d+\) without/,
        fix: /\/hooks/,
      },
    ],
  },
};

describe("doctor finds problems, names the fix, and applies safe fixes", { concurrent: true }, () => {
  test.each(Object.entries(scenes).filter(([, { isRare }]) => isLong || !isRare))(
    "%s",
    async (_name, { env = () => ({}), arrange, finds, exit, fixes }) => {
      const rookery = rookeries.open({ PATH: "/usr/bin:/bin", ...env() });
      const from = (await arrange(rookery)) ?? plugin;
      const first = await examine(rookery, [], from);
      for (const seen of finds) expectFinding(first.report, seen);
      expect(first.code, listProblems(first.report)).toBe(exit);
      for (const finding of first.report.findings)
        if (finding.verdict === "problem" || finding.isFixable)
          expect(finding.fix, finding.message).toBeTruthy();
      if (!fixes) return;
      const { code, report } = await examine(rookery, ["--fix"], from);
      const done = (report.fixed ?? []).map(
        ({ check, did, failed }) => `${check}: ${did ?? `failed: ${failed}`}`,
      );
      expect(done.length, done.join("\n")).toBe(fixes.did.length);
      for (const [index, pattern] of fixes.did.entries()) expect(done[index]).toMatch(pattern);
      for (const seen of fixes.finds ?? []) expectFinding(report, seen);
      expect(code, listProblems(report)).toBe(fixes.exit);
      await fixes.check?.(rookery);
    },
  );
});

test.concurrent("a damaged database is set aside by the commands that doctor names", async () => {
  const rookery = await rookeries.started({ PATH: "/usr/bin:/bin" });
  await rookery.stop();
  writeFileSync(rookery.home.database, "this is no database".repeat(1_000));
  const { report } = await examine(rookery);
  const { fix = "" } = report.findings.find(({ check }) => check === "Database") ?? {};
  const [stop, touch = "", start] = fix.split("; ");
  expect([stop, start]).toEqual(["rookery stop", "rookery start"]);
  writeFileSync(touch.slice("touch ".length), "");
  expect((await runCli(rookery, ["start"])).code).toBe(0);
  const after = await examine(rookery);
  expect(after.code).toBe(0);
  expectFinding(after.report, { check: "Set aside", verdict: "warning", message: /1 damaged database kept/ });
});

const planted = {
  bot: ["xoxb", "1234567890", "AbCdEfGhIjKlMnOpQrStUvWx"].join("-"),
  odd: "correct.horse.battery",
  key: `sk-ant-api03-${"Zy9".repeat(20)}`,
  words: "violet submarine",
  user: "adalovelace",
};

test.concurrent("the report is useful, and contains no secrets, names or text", async () => {
  const { bot, odd, key, words, user } = planted;
  const rookery = rookeries.open({
    PATH: "/usr/bin:/bin",
    USER: user,
    ANTHROPIC_API_KEY: key,
    ROOKERY_SLACK_API_URL: "http://127.0.0.1:1/",
  });
  const { home } = rookery;
  const secrets = { matrix: { password: odd }, slack: { botToken: bot } };
  place(rookery, home.secrets, JSON.stringify(secrets));
  place(rookery, home.config, JSON.stringify({ matrix: { command: `run --token ${bot}`, owner: user } }));
  await rookery.start();
  const prompt = { prompt: `about the ${words}`, prompt_id: "p" };
  await rookery.hook("UserPromptSubmit", makePayload("UserPromptSubmit", prompt));
  const note = { project: "/tmp/x", text: `the ${words} is blue` };
  expect((await rookery.call("POST", "/api/notes", note)).status).toBe(201);
  // The log has the reason, and the parser's message quotes the text.
  place(rookery, join(home.spool, "Stop.1700000000000000.1.1"), `1\n${words} {`, { ageMs: hour });
  await waitFor(async () => (await rookery.call("GET", "/api/status")).json.spool.rejected === 1);
  const error = { name: "Error", message: `cannot use ${odd} of ${user}, said "${words}"` };
  const complaint = { at: new Date().toISOString(), level: "error", message: "it failed", key, odd, error };
  writeFileSync(home.log, `${JSON.stringify(complaint)}\n`, { flag: "a" });

  const file = join(rookery.folder, "report.md");
  const { report } = await examine(rookery, ["--bundle", file]);
  expect(report.bundle?.path).toBe(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, "utf8");
  const token = readFileSync(home.token, "utf8").trim();
  for (const word of [...Object.values(planted), "violet", token, rookery.folder])
    expect(text.toLowerCase().includes(word.toLowerCase()), word).toBe(false);
  for (const part of ["## Versions", "## Findings", "rookery_up 1", "it failed", "matrix.owner", "~/home"])
    expect(text).toContain(part);
  expect(text).toContain("event set aside");

  const again = await runCli(rookery, ["doctor", "--bundle", file]);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("Cannot write") });
  expect((await runCli(rookery, ["doctor", file])).code).toBe(2);
});
