import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseSpoolName } from "../../src/protocol/spool-name.ts";
import { answerLikeDaemon, holdPrintf, type Peer, resetBehindGate } from "../support/fake-bell.ts";
import { expectHook, expectSpool, hookRunners, listSpool, openHookStage } from "../support/hook-runner.ts";
import { waitFor } from "../support/processes.ts";

const stage = openHookStage();
const secret = '{"prompt":"my secret"}';
/** 9 KB of what breaks shells: several bytes to a character, quotes, backslashes, formats, newlines at the end. */
const longReply = `${"🐦ü\"'`$(id)\\n%s%d\t\\".repeat(400)}\n\n`;

const strangers: [name: string, answer: string | Buffer][] = [
  ["a length", "500\n"],
  ["a zero", "0\n"],
  ["a negative length", "-1\n"],
  ["another protocol", "HTTP/1.1 400 Bad Request\r\nContent-Length: 5\r\n\r\nhello"],
  ["shell words", "x[$(id)]\n"],
  ["bytes", Buffer.from([0, 255, 10, 10, 0])],
  ["half a line", "12"],
];

describe.each(hookRunners)("the bell: $name", (runner) => {
  async function meet(
    peer: Peer,
  ): Promise<{ home: string; bell: Awaited<ReturnType<typeof stage.openBell>> }> {
    const home = stage.newHome();
    const bell = await stage.openBell(home, peer);
    bell.announce();
    return { home, bell };
  }
  const hasBreaker = (home: string): boolean => existsSync(join(home, "run/breaker"));
  /** Emulated bash 3.2 measures its timeout in full seconds, so it may end up to a second early. */
  const knowsTimeout = runner.name !== "bash 3.2, emulated";

  test.each(strangers)("a stranger that answers with %s cannot print into the session", async (_, answer) => {
    const { home, bell } = await meet({ onLine: (_name, { socket }) => socket.end(answer) });
    mkdirSync(join(home, "reply"));
    writeFileSync(join(home, "reply/planted"), "x".repeat(500));
    const envFile = join(home, "env");
    const env = { CLAUDE_ENV_FILE: envFile };
    expectHook(await stage.run(runner, "UserPromptSubmit", { home, payload: secret, env }));
    expectSpool(home, ["UserPromptSubmit", secret]);
    await waitFor(() => bell.calls[0]?.isClosed);
    const [name = ""] = readdirSync(join(home, "spool"));
    expect(parseSpoolName(name)).toBeDefined();
    expect(bell.calls.map(({ text }) => text)).toEqual([`${name}\n`]);
    expect(existsSync(envFile)).toBe(false);
  });

  test("a peer that closes immediately", async () => {
    const { home } = await meet({ onConnect: ({ socket }) => void socket.destroy() });
    const run = await stage.run(runner, "Stop", { home, payload: secret });
    expectHook(run);
    expectSpool(home, ["Stop", secret]);
    if (knowsTimeout) expect(hasBreaker(home)).toBe(false);
  });

  test("a peer that has closed and reset the connection before the hook writes", async () => {
    const gate = stage.newHome();
    const prelude = holdPrintf("*Stop.*", gate);
    const { home } = await meet(resetBehindGate(gate));
    expectHook(await stage.run(runner, "Stop", { home, payload: secret, prelude }));
    expectSpool(home, ["Stop", secret]);
    if (knowsTimeout) expect(hasBreaker(home)).toBe(false);
  });

  test("a claude that no longer reads the reply", async () => {
    const home = stage.newHome();
    const daemon = answerLikeDaemon(home, { reply: longReply });
    const bell = await stage.openBell(home, {
      onLine(name, call) {
        hook.child.stdout?.on("close", () => daemon.onLine?.(name, call));
        hook.child.stdout?.destroy();
      },
    });
    bell.announce();
    const hook = stage.start(runner, runner.script, ["Stop"], { home });
    hook.stdin.end("{}");
    expectHook(await hook.done);
    expect(daemon.taken.map(String)).toEqual(["4242\n{}"]);
  });

  test("a peer that sends slowly forever: one deadline for everything", async () => {
    const { home } = await meet({
      onLine(_name, { socket }) {
        const drip = setInterval(() => socket.write("1"), 600);
        socket.on("close", () => clearInterval(drip));
      },
    });
    const run = await stage.run(runner, "UserPromptSubmit", { home, payload: secret });
    expectHook(run);
    expectSpool(home, ["UserPromptSubmit", secret]);
    expect(hasBreaker(home)).toBe(true);
  });

  test.each(["PreToolUse", "Stop"])(
    "a peer that never answers %s: the next hook does not ring",
    async (event) => {
      const { home, bell } = await meet({});
      const run = await stage.run(runner, event, { home, payload: secret });
      expectHook(run);
      expect(readFileSync(join(home, "run/breaker"), "utf8")).toBe("");
      expectHook(await stage.run(runner, event, { home, payload: secret }));
      expectSpool(home, [event, secret], [event, secret]);
      expect(bell.calls).toHaveLength(1);
    },
  );

  test("the hook rings unless the breaker is set", async () => {
    const home = stage.newHome();
    const bell = await stage.openBell(home, answerLikeDaemon(home, { reply: "rung" }));
    bell.announce();
    writeFileSync(join(home, "run/breaker"), "");
    expectHook(await stage.run(runner, "Stop", { home, payload: secret }));
    expect(bell.calls).toHaveLength(0);
    expectSpool(home, ["Stop", secret]);
    // The spool exists, so only the breaker kept the hook from ringing.
    const next = stage.newHome();
    (await stage.openBell(next, answerLikeDaemon(next, { reply: "rung" }))).announce();
    expectHook(await stage.run(runner, "Stop", { home: next, payload: secret }), "rung");
    expectSpool(next);
  });

  test("a permission is asked about even then, because its dialog is open meanwhile", async () => {
    const home = stage.newHome();
    (await stage.openBell(home, answerLikeDaemon(home, { reply: "rung" }))).announce();
    writeFileSync(join(home, "run/breaker"), "");
    expectHook(await stage.run(runner, "PermissionRequest", { home, payload: secret }), "rung");
    expectSpool(home);
  });

  test("a reply of 9 KB is printed byte for byte", async () => {
    const home = stage.newHome();
    const daemon = answerLikeDaemon(home, { reply: longReply });
    (await stage.openBell(home, daemon)).announce();
    expectHook(await stage.run(runner, "UserPromptSubmit", { home, payload: secret }), longReply);
    expect(daemon.taken.map(String)).toEqual([`4242\n${secret}`]);
    expect(listSpool(home)).toEqual([]);
  });

  test.each([
    ["shorter than announced", { reply: "half of", announced: 8 }],
    ["longer than announced", { reply: "more than", announced: 4 }],
    ["missing", { reply: "gone", withoutFile: true }],
    ["announced as nothing", { reply: "unseen", announced: 0 }],
  ])("a reply that is %s is not printed", async (_, answer) => {
    const home = stage.newHome();
    (await stage.openBell(home, answerLikeDaemon(home, answer))).announce();
    expectHook(await stage.run(runner, "Stop", { home, payload: secret }));
    expectSpool(home);
  });

  test.each(["", "said as well"])("exports reach CLAUDE_ENV_FILE once, reply %j", async (reply) => {
    const home = stage.newHome();
    const exports = "export ROOKERY_AGENT='it'\\''s 🐦 100%s'\nexport B=\\\n";
    (await stage.openBell(home, answerLikeDaemon(home, { reply, exports }))).announce();
    const file = join(home, "env file");
    writeFileSync(file, "export A=1\n");
    const options = { home, payload: secret };
    expectHook(
      await stage.run(runner, "SessionStart", { ...options, env: { CLAUDE_ENV_FILE: file } }),
      reply,
    );
    expect(readFileSync(file, "utf8")).toBe(`export A=1\n${exports}`);
    const unwritable = { CLAUDE_ENV_FILE: join(home, "no/such/folder") };
    expectHook(await stage.run(runner, "SessionStart", { ...options, env: unwritable }), reply);
    expectHook(await stage.run(runner, "SessionStart", options), reply);
    expect(readFileSync(file, "utf8")).toBe(`export A=1\n${exports}`);
  });

  test.each(["", "\n", "nonsense\n", "99999999\n", "0\n"])("run/bell holds %j", async (content) => {
    const home = stage.newHome();
    mkdirSync(join(home, "run"), { recursive: true });
    writeFileSync(join(home, "run/bell"), content);
    expectHook(await stage.run(runner, "Stop", { home, payload: secret }));
    expectSpool(home, ["Stop", secret]);
    expect(hasBreaker(home)).toBe(false);
  });
});
