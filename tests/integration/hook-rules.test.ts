import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerLikeDaemon } from "../support/fake-bell.ts";
import {
  expectHook,
  expectSpool,
  hookRunners,
  makeShellSetup,
  openHookStage,
  shellRunners,
} from "../support/hook-runner.ts";
import { waitFor } from "../support/processes.ts";
import { plugin } from "../support/rookery.ts";

const stage = openHookStage();
const payload = '{"source":"startup"}';

/** In place of bin/rookery: records its arguments, prints noise, and opens the bell where hooks expect it. */
function installLauncher(port: number): void {
  const launcher = join(stage.root, "plugin/bin/rookery");
  const script = [
    "#!/usr/bin/env bash",
    "echo noise; echo noise >&2",
    'cat >"$ROOKERY_HOME/launcher-stdin"',
    `printf '%s\\n' ${port} >"$ROOKERY_HOME/run/bell"`,
    `printf '<%s>' "$@" >>"$ROOKERY_HOME/launched"`,
  ];
  writeFileSync(launcher, script.join("\n"));
  chmodSync(launcher, 0o755);
}

const launches = (home: string): string =>
  existsSync(join(home, "launched")) ? readFileSync(join(home, "launched"), "utf8") : "";

describe.each(hookRunners)("SessionStart starts the daemon: $name", (runner) => {
  test("no listener: it starts the daemon, rings again and prints the reply", async () => {
    const home = stage.newHome();
    const daemon = answerLikeDaemon(home, { reply: "welcome back" });
    const bell = await stage.openBell(home, daemon);
    installLauncher(bell.port);
    expectHook(await stage.run(runner, "SessionStart", { home, payload }), "welcome back");
    expect(launches(home)).toBe("<start><--from-hook>");
    expect(readFileSync(join(home, "launcher-stdin"), "utf8")).toBe("");
    expect(daemon.taken.map(String)).toEqual([`4242\n${payload}`]);
    expectSpool(home);
  });

  test.each(["", "0\n", "500\n", "HTTP/1.1 400 Bad Request\r\n\r\n"])(
    "a stranger on the port, answering %j, is not taken for the daemon",
    async (answer) => {
      const home = stage.newHome();
      (await stage.openBell(home, { onLine: (_, { socket }) => socket.end(answer) })).announce();
      const bell = await stage.openBell(home, answerLikeDaemon(home, { reply: "the real one" }));
      installLauncher(bell.port);
      const run = await stage.run(runner, "SessionStart", { home, payload });
      expectHook(run, "the real one");
      expect(launches(home)).toBe("<start><--from-hook>");
      expectSpool(home);
    },
  );

  test("a daemon that does not start costs one attempt", async () => {
    const home = stage.newHome();
    installLauncher(1);
    expectHook(await stage.run(runner, "SessionStart", { home, payload }));
    expect(launches(home)).toBe("<start><--from-hook>");
    expectSpool(home, ["SessionStart", payload]);
  });

  test("breaker present: it starts a daemon without waiting for it, and does not ring", async () => {
    const home = stage.newHome();
    const bell = await stage.openBell(home, answerLikeDaemon(home, { reply: "not asked" }));
    bell.announce();
    writeFileSync(join(home, "run/breaker"), "");
    installLauncher(bell.port);
    expectHook(await stage.run(runner, "SessionStart", { home, payload }));
    await waitFor(() => launches(home) === "<start><--from-hook>");
    expect(bell.calls).toHaveLength(0);
    expectSpool(home, ["SessionStart", payload]);
  });

  test("other events start nothing", async () => {
    const home = stage.newHome();
    const bell = await stage.openBell(home, answerLikeDaemon(home));
    installLauncher(bell.port);
    for (const event of ["UserPromptSubmit", "SessionEnd"])
      expectHook(await stage.run(runner, event, { home, payload }));
    expect(launches(home)).toBe("");
    expect(bell.calls).toHaveLength(0);
  });
});

describe.each(hookRunners)("the spool has a limit: $name", (runner) => {
  const alwaysLook = join(stage.root, "always-look.mjs");
  const fakeBin = join(stage.root, "fake-bin");
  writeFileSync(alwaysLook, "Math.random = () => 0;");
  mkdirSync(fakeBin, { recursive: true });

  test.each([
    [525_000, true],
    [524_000, false],
  ])("%i KB in it", async (kilobytes, isFull) => {
    const home = stage.newHome();
    mkdirSync(join(home, "spool"), { recursive: true });
    mkdirSync(join(home, "run"));
    // The Node hook adds up file sizes; bash uses du, which counts blocks, so du is replaced.
    writeFileSync(join(home, "spool/sparse"), "");
    truncateSync(join(home, "spool/sparse"), kilobytes * 1024);
    writeFileSync(join(fakeBin, "du"), `#!/bin/sh\nprintf '%s\\t%s\\n' ${kilobytes} "$2"\n`, { mode: 0o755 });
    const env = { PATH: `${fakeBin}:/usr/bin:/bin`, NODE_OPTIONS: `--import=${alwaysLook}` };
    const prelude = "unset RANDOM\nRANDOM=0\n";
    expectHook(await stage.run(runner, "Stop", { home, payload, env, prelude }));
    expect(existsSync(join(home, "run/full"))).toBe(isFull);
  });
});

describe.each(shellRunners)("a shell with foreign settings: $name", (runner) => {
  test.each([
    ["exported strict options", { SHELLOPTS: "braceexpand:errexit:hashall:interactive-comments:nounset" }],
    ["POSIX mode", { POSIXLY_CORRECT: "1" }],
    ["a locale of several bytes to a character", { LC_ALL: "C.UTF-8" }],
    ["variables that steer builtins", { TMOUT: "1", CDPATH: "/", IFS: "4" }],
  ])("%s", async (_, env) => {
    const home = stage.newHome();
    const daemon = answerLikeDaemon(home, { reply: "ü🐦" });
    const bell = await stage.openBell(home, daemon);
    bell.announce();
    expectHook(await stage.run(runner, "Stop", { home, payload, env }), "ü🐦");
    await bell.close();
    expectHook(await stage.run(runner, "Stop", { home, payload, env }));
    expectSpool(home, ["Stop", payload]);
  });

  test("POSIX mode, where a failed redirection ends the shell", async () => {
    const home = stage.newHome();
    (await stage.openBell(home)).announce();
    // It does not exist for `-e`, and cannot be written.
    symlinkSync(join(home, "no/such/folder"), join(home, "run/breaker"));
    expectHook(await stage.run(runner, "PreToolUse", { home, payload, env: { POSIXLY_CORRECT: "1" } }));
    expectSpool(home, ["PreToolUse", payload]);
  });

  test.each([{ ROOKERY_OFF: "1" }, {}])("a PATH without anything, %o", async (env) => {
    const home = stage.newHome();
    expectHook(await stage.run(runner, "Stop", { home, env, prelude: "PATH=/nonexistent\n" }));
    expect(existsSync(home)).toBe(false);
  });
});

test("BASH_ENV and exported functions of the user change neither the payload nor the reply", async () => {
  const [runner] = shellRunners;
  if (!runner) throw new Error("there is no bash runner");
  const home = stage.newHome();
  const env = makeShellSetup(stage.root);
  const daemon = answerLikeDaemon(home, { reply: "the reply" });
  const bell = await stage.openBell(home, daemon);
  bell.announce();
  expectHook(await stage.run(runner, "UserPromptSubmit", { home, payload, env }), "the reply");
  expect(daemon.taken.map(String)).toEqual([`4242\n${payload}`]);
  await bell.close();
  expectHook(await stage.run(runner, "Stop", { home, payload, env }));
  expectSpool(home, ["Stop", payload]);
});

describe.each(hookRunners)("a host that drops the arguments: $name", (runner) => {
  const hostile = '{"prompt":"$(touch ran) `touch ran`"}';

  test.each([[[]], [[""]], [["../Stop"]], [["Stop Stop"]], [["$(touch ran)"]], [["Stop2"]]])(
    "called with %j it reads the payload to its end and leaves nothing",
    async (args) => {
      const home = stage.newHome();
      const bell = await stage.openBell(home, answerLikeDaemon(home, { reply: "not asked" }));
      bell.announce();
      const hook = stage.start(runner, runner.script, args, { home });
      hook.stdin.end(hostile.padEnd(300_000));
      const run = await hook.done;
      expectHook(run);
      expect(run.brokeStdin).toBe(false);
      expect(bell.calls).toHaveLength(0);
      expect(existsSync(join(home, "spool"))).toBe(false);
      expect(existsSync(join(stage.root, "ran"))).toBe(false);
    },
  );
});

describe.runIf(process.getuid?.() === 0).each(shellRunners)("no HOME in the environment: $name", (runner) => {
  test("the home is resolved as in the daemon, and is never the root folder", async () => {
    const record = stage.newHome();
    writeFileSync(record, "");
    chmodSync(record, 0o666);
    const prelude = `mkdir() { builtin printf '%s\n' "$2" ~nobody/.rookery/spool >'${record}'; }\n`;
    const env = { HOME: undefined, ROOKERY_HOME: undefined };
    expectHook(await stage.run(runner, "Stop", { home: "", payload, env, prelude, asNobody: true }));
    const [wanted, expected] = readFileSync(record, "utf8").split("\n");
    expect(wanted).toBe(expected);
  });
});

describe("syntax that bash 3.2 cannot parse", () => {
  const newer: [what: string, pattern: RegExp][] = [
    ["associative arrays", /\b(declare|local|typeset)\s+-\w*A/],
    ["nameref", /\b(declare|local|typeset)\s+-\w*n/],
    ["global from a function", /\b(declare|typeset)\s+-\w*g/],
    ["case conversion", /\$\{\w+(,|\^)/],
    ["transformation", /\$\{\w+@[A-Za-z]\}/],
    ["&>>", /&>>/],
    ["|&", /\|&/],
    ["time format", /printf.*%\([^)]*\)T/],
    ["printf -v to an array element", /printf\s+-v\s+\w+\[/],
    ["mapfile, readarray, coproc", /\b(mapfile|readarray|coproc)\b/],
    ["negative index", /\$\{\w+\[\s*-/],
    ["wait -n", /\bwait\s+-\w*n/],
    ["read -N, read -i", /\bread\b[^;|&<]*\s-\w*[Ni]/],
    ["named file descriptors", /\{\w+\}[<>]/],
    [";& and ;;&", /;;?&/],
    ["-v test", /\[\s+-v\s/],
    ["brace step", /\{\d+\.\.\d+\.\.\d+\}/],
    ["case inside $( )", /\$\([^)]*\bcase\b/],
  ];

  test.each(["hooks/hook.sh", "hooks/wait.sh", "hooks/listen.sh", "monitors/wake.sh", "mcp/greet.sh"])(
    "%s holds nothing newer",
    (script) => {
      const code = readFileSync(join(plugin, script), "utf8").replace(/(^|\s)#.*$/gm, "");
      expect(code.length).toBeGreaterThan(300);
      expect(newer.filter(([, pattern]) => pattern.test(code)).map(([what]) => what)).toEqual([]);
    },
  );

  test.each([
    "declare -A map",
    "local -n name=x",
    'echo "${x,,}" "${x^^}"',
    "echo x &>>file",
    "a |& b",
    "printf '%(%s)T' -1",
    "mapfile -t lines",
    "echo ${a[-1]}",
    "wait -n",
    "read -r -N 5 x",
    "exec {fd}>file",
  ])("%j would be detected", (line) => {
    expect(newer.some(([, pattern]) => pattern.test(line))).toBe(true);
  });
});
