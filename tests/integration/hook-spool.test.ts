import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseSpoolName } from "../../src/protocol/spool-name.ts";
import { answerLikeDaemon } from "../support/fake-bell.ts";
import { expectHook, expectSpool, hookRunners, listSpool, openHookStage } from "../support/hook-runner.ts";
import { descendantsOf, waitFor, waitUntilGone } from "../support/processes.ts";

const stage = openHookStage();
const payload = '{"session_id":"s","prompt":"it\'s \\"quoted\\" 🐦\\n"}\n';
const isRoot = process.getuid?.() === 0;
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe.each(hookRunners)("spool files of a hook: $name", (runner) => {
  test("no listener: the event waits in the spool", async () => {
    const home = stage.newHome();
    expectHook(await stage.run(runner, "Stop", { home, payload }));
    expectHook(await stage.run(runner, "PreToolUse", { home, payload: "{}" }));
    expect(listSpool(home)).toHaveLength(2);
    expect(listSpool(home)).toContainEqual({ event: "PreToolUse", content: "4242\n{}" });
    expect(existsSync(join(home, "run/breaker"))).toBe(false);
  });

  test("the home is ~/.rookery without ROOKERY_HOME", async () => {
    const HOME = stage.newHome();
    expectHook(await stage.run(runner, "Stop", { home: "", payload, env: { HOME } }));
    expectSpool(join(HOME, ".rookery"), ["Stop", payload.replace("🐦", "\xf0\x9f\x90\xa6")]);
  });

  test.runIf(isRoot)("writes nothing if neither HOME nor ROOKERY_HOME is set", async () => {
    const env = { HOME: undefined, ROOKERY_HOME: undefined };
    expectHook(await stage.run(runner, "Stop", { home: "", payload, env, asNobody: true }));
    expect(existsSync("/.rookery")).toBe(false);
  });

  test.each([["spaces  and tab\t"], [`'single' "double" $HOME \`id\``], ["new\nline"], ["-n * ? [a]"]])(
    "works with a home named %j",
    async (name) => {
      const home = stage.newHome(`${runner.script.length}${runner.prelude.length}/${name}`);
      const peer = answerLikeDaemon(home, { reply: "hello" });
      (await stage.openBell(home, peer)).announce();
      expectHook(await stage.run(runner, "UserPromptSubmit", { home, payload: "{}" }), "hello");
      expect(peer.taken.map(String)).toEqual(["4242\n{}"]);
      expect(listSpool(home)).toEqual([]);
    },
  );

  test("is silent if the home's parent is a file", async () => {
    const file = stage.newHome();
    writeFileSync(file, "");
    expectHook(await stage.run(runner, "SessionStart", { home: join(file, "home"), payload }));
    expect(readFileSync(file, "utf8")).toBe("");
  });

  test("is silent if the spool is not writable", async () => {
    const home = stage.newHome();
    for (const folder of ["spool", "reply", "run"]) mkdirSync(join(home, folder), { recursive: true });
    chmodSync(join(home, "spool"), 0o555);
    expectHook(await stage.run(runner, "Stop", { home, payload, asNobody: isRoot }));
    chmodSync(join(home, "spool"), 0o755);
    expectSpool(home);
  });

  test("NUL bytes and invalid UTF-8 pass unchanged", async () => {
    const bytes = Buffer.from([0, 1, 127, 128, 255, 0xc3, 0x28, 10, 13, 0xed, 0xa0, 0x80, 0, 10, 10]);
    const home = stage.newHome();
    expectHook(await stage.run(runner, "Stop", { home, payload: bytes }));
    expectSpool(home, ["Stop", bytes.toString("latin1")]);
  });

  test("spools an empty payload and an empty pid", async () => {
    const home = stage.newHome();
    expectHook(await stage.run(runner, "Stop", { home, env: { CLAUDE_PID: undefined } }));
    expect(listSpool(home)).toEqual([{ event: "Stop", content: "\n" }]);
  });

  test("spools a payload of 50 MB unchanged", async () => {
    const home = stage.newHome();
    const large = Buffer.alloc(50_000_000);
    for (let at = 0; at < large.length; at += 4096) large.writeUInt32LE(at, at);
    expectHook(await stage.run(runner, "PostToolUse", { home, payload: large }));
    const [name = ""] = readdirSync(join(home, "spool"));
    const content = readFileSync(join(home, "spool", name));
    expect(content.subarray(0, 5).toString()).toBe("4242\n");
    expect(content.subarray(5).equals(large)).toBe(true);
  });

  test("writes no file and prints nothing if the disk is full", async () => {
    const home = stage.newHome();
    for (const blocks of [0, 4]) {
      const large = "x".repeat(100_000);
      expectHook(await stage.run(runner, "Stop", { home, payload: large, before: `ulimit -f ${blocks}` }));
      expectSpool(home);
    }
  });

  test("counts and drops an event if run/full exists, but spools SessionStart", async () => {
    const home = stage.newHome();
    mkdirSync(join(home, "run"), { recursive: true });
    mkdirSync(join(home, "spool"));
    writeFileSync(join(home, "run/full"), "..");
    const large = Buffer.alloc(1_000_000, "x");
    const dropped = await stage.run(runner, "PostToolUse", { home, payload: large });
    expectHook(dropped);
    expect(dropped.brokeStdin).toBe(false);
    expectSpool(home);
    expect(readFileSync(join(home, "run/full"), "utf8")).toBe("...");
    expectHook(await stage.run(runner, "SessionStart", { home, payload: "{}" }));
    expectSpool(home, ["SessionStart", "{}"]);
    expect(readFileSync(join(home, "run/full"), "utf8")).toBe("...");
  });

  test("ROOKERY_OFF: no file is touched, stdin is read to its end, and a closed stdin is not an error", async () => {
    const home = stage.newHome();
    const env = { ROOKERY_OFF: "1" };
    const off = await stage.run(runner, "SessionStart", { home, payload: Buffer.alloc(1_000_000), env });
    expectHook(off);
    expect(off.brokeStdin).toBe(false);
    expectHook(await stage.run(runner, "Stop", { home, env, before: "exec <&-" }));
    expect(existsSync(home)).toBe(false);
  });

  test("after an uninstall, hooks of sessions that were running at the time do nothing; other hooks work", async () => {
    const home = stage.newHome();
    mkdirSync(join(home, "run"), { recursive: true });
    writeFileSync(join(home, "run/left"), "17 4242 99\n");
    const muted = await stage.run(runner, "SessionStart", { home, payload: Buffer.alloc(1_000_000) });
    expectHook(muted);
    expect(muted.brokeStdin).toBe(false);
    expect(readdirSync(home)).toEqual(["run"]);
    writeFileSync(join(home, "run/left"), "17 42\n");
    expectHook(await stage.run(runner, "Stop", { home, payload: "{}" }));
    expectSpool(home, ["Stop", "{}"]);
  });

  test("killed while writing: the partial file stays, and the next hook works", async () => {
    const home = stage.newHome();
    const hook = stage.start(runner, runner.script, ["Stop"], { home });
    hook.stdin.write('{"half":');
    await waitFor(() => listSpool(home)[0]?.content === '4242\n{"half":');
    const descendants = await descendantsOf(hook.pid);
    hook.child.kill("SIGKILL");
    hook.stdin.end();
    expect((await hook.done).signal).toBe("SIGKILL");
    await waitUntilGone(descendants.map(({ pid }) => pid));
    expectSpool(home, ["Stop", '{"half":']);
    const peer = answerLikeDaemon(home, { reply: "next" });
    (await stage.openBell(home, peer)).announce();
    expectHook(await stage.run(runner, "Stop", { home, payload: "{}" }), "next");
    expect(peer.taken.map(String)).toEqual(["4242\n{}"]);
    expectSpool(home, ["Stop", '{"half":']);
  });

  test.runIf(process.platform === "linux")(
    "reads stdin from a unix socket, as Claude Code passes it",
    async () => {
      const home = stage.newHome();
      const hook = stage.start(runner, runner.script, ["Stop"], { home });
      expect(readlinkSync(`/proc/${hook.pid}/fd/0`)).toMatch(/^socket:/);
      hook.stdin.end("{}");
      expectHook(await hook.done);
      expectSpool(home, ["Stop", "{}"]);
    },
  );

  test("20 concurrent hooks use 20 distinct names", async () => {
    const home = stage.newHome();
    const numbers = Array.from({ length: 20 }, (_, index) => String(index));
    const runs = await Promise.all(
      numbers.map((n) => stage.run(runner, "PostToolUse", { home, payload: n })),
    );
    for (const run of runs) expectHook(run);
    const names = readdirSync(join(home, "spool"));
    expect(new Set(names.map((name) => parseSpoolName(name)?.id)).size).toBe(20);
    const contents = listSpool(home).map(({ content }) => Number(content.slice(5)));
    expect(contents.toSorted((a, b) => a - b).map(String)).toEqual(numbers);
  });

  test("everything is private under umask 022", async () => {
    const home = stage.newHome();
    const before = "umask 022";
    expectHook(await stage.run(runner, "Stop", { home, payload, before }));
    for (const folder of ["", "spool", "reply", "run"]) expect(mode(join(home, folder))).toBe("700");
    (await stage.openBell(home)).announce(); // Never answers, so that the hook writes run/breaker.
    expectHook(await stage.run(runner, "PreToolUse", { home, payload, before }));
    expect(mode(join(home, "run/breaker"))).toBe("600");
    expect(readdirSync(join(home, "spool"))).toHaveLength(2);
    for (const name of readdirSync(join(home, "spool"))) expect(mode(join(home, "spool", name))).toBe("600");
  });
});
