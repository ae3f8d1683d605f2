import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Peer, peerOf } from "../../src/http/peer.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { processStartMark } from "../../src/shared/processes.ts";
import { type CallerVerdict, makeCallerCheck } from "../../src/daemon/ask/caller.ts";
import { openPeerLookup } from "../../src/daemon/ask/peer-processes.ts";
import { spawnDaemon } from "../support/daemon-process.ts";
import { launcher, listQuestions } from "../support/person-elsewhere.ts";
import type { Ran, Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

const folder = mkdtempSync(join(tmpdir(), "rk-caller-"));
let server: Server;
let store: Store;
let check: (peer: Peer) => Promise<CallerVerdict>;
/** Resolved in the order of the connections, each while its connection is open. */
let verdicts: ((verdict: CallerVerdict) => void)[];

async function judgeNext(peer: Peer): Promise<void> {
  const verdict = await check(peer);
  verdicts.shift()?.(verdict);
}

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on("error", () => {});
    void judgeNext(peerOf(socket)).finally(() => socket.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  verdicts = [];
  store = openStore(":memory:", () => 0);
  check = makeCallerCheck(store).mayDecide;
});

const cleanEnv = { PATH: "/usr/bin:/bin" };
const connectScript = (): string =>
  `exec 3<>/dev/tcp/127.0.0.1/${(server.address() as { port: number }).port}; read -t 10 _ <&3`;

/** The verdict on the process that `start` lets connect. */
function judge(start: () => ChildProcess): Promise<CallerVerdict> {
  return new Promise((resolve) => {
    const child = start();
    verdicts.push((verdict) => {
      resolve(verdict);
      child.kill("SIGKILL");
    });
  });
}

const peer = (remotePort: number, localPort: number): Peer => ({
  remoteAddress: "127.0.0.1",
  remotePort,
  localAddress: "127.0.0.1",
  localPort,
});

const shell = (script: string, env: Record<string, string> = cleanEnv): ChildProcess =>
  spawn("bash", ["-c", script], { env, stdio: "ignore" });

/** A process that is not a descendant of these tests, which an agent may have started. */
const outside = (script: string, env: Record<string, string> = cleanEnv): ChildProcess =>
  spawn("setsid", ["--fork", "bash", "-c", script], { env, stdio: "ignore" });

function knowClaude(pid: number): void {
  store.agents.insert({ id: "a", name: "x-rook", project: "x", projectName: "x", seat: 0, createdAt: 0 });
  store.sessions.insert({
    ...{
      id: "s",
      agentId: "a",
      host: "claude-code",
      project: "x",
      cwd: null,
      transcriptPath: null,
      hostPid: pid,
    },
    ...{
      pidStarted: processStartMark(pid),
      source: "startup",
      model: null,
      title: null,
      branch: null,
      status: "active",
    },
    statusAt: 0,
    endReason: null,
    startedAt: 0,
    lastEventAt: 0,
  });
}

describe("a decision", () => {
  test("is accepted from the person's shell", async () => {
    expect(await judge(() => outside(connectScript()))).toEqual({ may: true });
  });

  test("is refused from a descendant of a known session's process", async () => {
    const verdict = await judge(() => {
      // The outer shell acts as the host; its grandchild connects.
      const claude = shell(`bash -c '${connectScript()}; :' ; :`);
      knowClaude(claude.pid ?? 0);
      return claude;
    });
    expect(verdict).toEqual({
      may: false,
      why: expect.stringMatching(/^process \d+ runs under the agent of a session \(process \d+\)$/),
      host: expect.any(Number),
    });
  });

  test.each([
    ["Claude Code", "CLAUDECODE"],
    ["Claude Code", "CLAUDE_PID"],
    ["Claude Code", "CLAUDE_CODE_SESSION_ID"],
    ["Codex", "CODEX_THREAD_ID"],
    ["Codex", "CODEX_SESSION_ID"],
    ["Codex", "CODEX_CI"],
    ["Codex", "CODEX_SANDBOX"],
    ["Gemini CLI", "GEMINI_CLI"],
    ["Qwen Code", "QWEN_CODE"],
    ["Qwen Code", "QWEN_CODE_SESSION_ID"],
    ["OpenCode", "OPENCODE"],
    ["OpenCode", "OPENCODE_PID"],
    ["Copilot CLI", "COPILOT_CLI"],
    ["Copilot CLI", "COPILOT_AGENT_SESSION_ID"],
    ["Cline", "CLINE_ACTIVE"],
    ["Cursor", "CURSOR_AGENT"],
    ["a coding agent", "AI_AGENT"],
  ])("no reparented process of %s: %s is in its environment", async (host, variable) => {
    const verdict = await judge(() => outside(connectScript(), { ...cleanEnv, [variable]: "1" }));
    expect(verdict).toEqual({
      may: false,
      why: expect.stringMatching(
        new RegExp(`^process \\d+ was started by ${host} \\(${variable} is set\\)$`),
      ),
    });
  });

  test("is refused from a process that cleared its environment under a marked parent", async () => {
    const script = `env -u CODEX_THREAD_ID bash -c '${connectScript()}; :'; :`;
    const verdict = await judge(() => outside(script, { ...cleanEnv, CODEX_THREAD_ID: "t" }));
    expect(verdict).toMatchObject({
      may: false,
      why: expect.stringMatching(/runs under Codex \(process \d+/),
    });
  });

  test.each([
    ["claude", "Claude Code"],
    ["codex", "Codex"],
    ["opencode", "OpenCode"],
    ["copilot", "Copilot CLI"],
    ["gemini", "Gemini CLI"],
    ["qwen", "Qwen Code"],
    ["droid", "Droid"],
    ["cline", "Cline"],
    ["cursor-agent", "Cursor"],
  ])("no child of a process named %s", async (name, host) => {
    const program = join(folder, name);
    copyFileSync("/bin/bash", program);
    const verdict = await judge(() => outside(`${program} -c "bash -c '${connectScript()}; :'; :"; :`));
    expect(verdict).toMatchObject({ may: false, why: expect.stringContaining(`runs under ${host}`) });
  });

  test.each([
    ["@github/copilot/index.js", "Copilot CLI"],
    ["@google/gemini-cli/dist/index.js", "Gemini CLI"],
    ["@qwen-code/qwen-code/cli.js", "Qwen Code"],
    ["@openai/codex/bin/codex.js", "Codex"],
    ["@anthropic-ai/claude-code/cli.js", "Claude Code"],
    ["bin/gemini", "Gemini CLI"],
  ])("no child of node that runs %s", async (path, host) => {
    const script = join(folder, "node_modules", path);
    mkdirSync(dirname(script), { recursive: true });
    writeFileSync(
      script,
      `require("node:child_process").spawnSync("bash", ["-c", ${JSON.stringify(`${connectScript()}; :`)}]);`,
    );
    const verdict = await judge(() => outside(`"${process.execPath}" --no-warnings "${script}"; :`));
    expect(verdict).toMatchObject({ may: false, why: expect.stringContaining(`runs under ${host}`) });
  });

  test.each([
    ["AGENT, which people set themselves", { AGENT: "1" }],
    ["a terminal in VS Code", { TERM_PROGRAM: "vscode", VSCODE_PID: "1", CLAUDE_CODE_SSE_PORT: "4711" }],
    ["a terminal in Cursor", { TERM_PROGRAM: "vscode", CURSOR_TRACE_ID: "1" }],
    ["settings of hosts", { CODEX_HOME: "/x", GEMINI_CLI_IDE_SERVER_PORT: "1", COPILOT_MODEL: "x" }],
    ["a mark that is set to nothing", { CLAUDECODE: "" }],
  ])("a person with %s", async (_what, env) => {
    expect(await judge(() => outside(connectScript(), { ...cleanEnv, ...env }))).toEqual({ may: true });
  });

  describe("a decision on the command line", () => {
    beforeEach(() => {
      check = (peer) => makeCallerCheck(store).mayDecide(peer, { needsTerminal: true });
    });
    /** A shell on a terminal of its own; `before` runs on the same terminal. */
    const onTerminal = (before = ""): ChildProcess => {
      const script = `${before} ${connectScript()}`;
      const args = ["--fork", "script", "-qec", `exec bash -c '${script}'`, "/dev/null"];
      return spawn("setsid", args, { env: cleanEnv, stdio: "ignore" });
    };

    test("is accepted from the person's terminal", async () => {
      expect(await judge(() => onTerminal())).toEqual({ may: true });
    });

    test("is refused from a program without a terminal", async () => {
      expect(await judge(() => outside(connectScript()))).toEqual({
        may: false,
        why: expect.stringMatching(/^process \d+ has no terminal/),
      });
    });

    test("is refused from a program on the terminal of a session", async () => {
      const pidFile = join(folder, "suspended");
      check = (peer) => {
        knowClaude(Number(readFileSync(pidFile, "utf8")));
        return makeCallerCheck(store).mayDecide(peer, { needsTerminal: true });
      };
      expect(await judge(() => onTerminal(`sleep 60 & echo $! >${pidFile};`))).toEqual({
        may: false,
        why: expect.stringMatching(/^the terminal of process \d+ belongs to a session \(process \d+\)$/),
      });
      process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
    });
  });

  test("is refused from an unknown caller: a unix socket, a connection without a process", async () => {
    expect(await check(null)).toMatchObject({ may: false });
    expect(await check(peer(1, 2))).toMatchObject({ may: false });
  });

  test("is refused on a system without the tools to check", async () => {
    const elsewhere = makeCallerCheck(store, "darwin").mayDecide;
    expect(await elsewhere(peer(1, 2))).toMatchObject({ may: false });
  });
});

describe("without /proc", () => {
  const tools = join(folder, "tools");
  const systemPath = process.env.PATH;
  afterEach(() => {
    process.env.PATH = systemPath;
  });

  /** Programs that print the output of macOS lsof and ps for process 300 and its parent 200. */
  function installTools(parent: { program: string; command: string }): void {
    mkdirSync(tools, { recursive: true });
    const write = (name: string, script: string): void =>
      writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    write(
      "lsof",
      String.raw`printf 'p300\nf5\nn127.0.0.1:1000->127.0.0.1:2000\np400\nf5\nn127.0.0.2:1000->127.0.0.1:2000\n'`,
    );
    write(
      "ps",
      `case "$*" in
        "-axo pid=,ppid=,tty=,comm=") printf '  1 0 ?? /sbin/launchd\\n200 1 ttys001 ${parent.program}\\n300 200 ttys001 /bin/zsh\\n' ;;
        "-axEww -o pid=,command=") printf '200 ${parent.command}\\n300 /bin/zsh\\n' ;;
        *) exit 1 ;;
      esac`,
    );
    process.env.PATH = `${tools}:${systemPath}`;
  }
  const judgeAsOnMac = (): Promise<CallerVerdict> =>
    makeCallerCheck(store, "darwin").mayDecide(peer(1000, 2000));

  test.each([
    ["Copilot CLI", { program: "node", command: "node /x/@github/copilot/index.js -p hi HOME=/Users/ada" }],
    ["Gemini CLI", { program: "/bin/zsh", command: "/bin/zsh HOME=/Users/ada GEMINI_CLI=1" }],
    ["Claude Code", { program: "/Users/ada/My Apps/claude", command: "/Users/ada/My Apps/claude" }],
  ])("a process under %s is refused", async (host, parent) => {
    installTools(parent);
    expect(await judgeAsOnMac()).toMatchObject({
      may: false,
      why: expect.stringContaining(`process 300 runs under ${host} (process 200`),
    });
  });

  test("the person's own shell is accepted", async () => {
    installTools({ program: "/usr/bin/login", command: "login -pf ada TERM=xterm" });
    expect(await judgeAsOnMac()).toEqual({ may: true });
  });
});

describe("the address of a caller", () => {
  const connectFrom = (address: string, port: number): string => {
    const to = JSON.stringify({
      port: (server.address() as { port: number }).port,
      host: "127.0.0.1",
      localAddress: address,
      localPort: port,
    });
    return `require("node:net").connect(${to}).on("error", () => process.exit(1)).resume()`;
  };
  const node = (source: string): string[] => [process.execPath, "-e", source];

  test("must be 127.0.0.1", async () => {
    const verdict = await judge(() =>
      spawn("setsid", ["--fork", ...node(connectFrom("127.0.0.2", 0))], { env: cleanEnv, stdio: "ignore" }),
    );
    expect(verdict).toEqual({ may: false, why: expect.stringContaining("127.0.0.2") });
  });

  test("includes its port: two processes may have the same port at different addresses", async () => {
    const accepted = Promise.withResolvers<Peer>();
    const looked = Promise.withResolvers<void>();
    check = async (peer) => {
      if (peer?.remoteAddress === "127.0.0.2") accepted.resolve(peer);
      await looked.promise; // Keeps the connections open.
      return { may: false, why: "" };
    };
    const { port: localPort } = server.address() as { port: number };
    const person = connect({ port: localPort, host: "127.0.0.1" });
    await once(person, "connect");
    const remotePort = person.localPort ?? 0;
    const session = spawn(process.execPath, ["-e", connectFrom("127.0.0.2", remotePort)], { env: cleanEnv });
    expect(await accepted.promise).toMatchObject({ remotePort, localPort });
    const find = openPeerLookup();
    const findAt = (remoteAddress: string): Promise<number[]> =>
      find({ remoteAddress, remotePort, localAddress: "127.0.0.1", localPort });
    expect(await findAt("127.0.0.2")).toEqual([session.pid]);
    expect(await findAt("127.0.0.1")).toEqual([process.pid]);
    expect(await findAt("127.0.0.3")).toEqual([]);
    looked.resolve();
    session.kill("SIGKILL");
    person.destroy();
  });
});

describe("a command in the shell tool of", () => {
  const rookeries = useRookeries(afterAll);
  const person = useOutside();
  let rookery: Rookery;
  let question: string;
  beforeAll(async () => {
    rookery = rookeries.open();
    await spawnDaemon(rookery);
    question = JSON.parse((await rookery.cli("ask", "May I?", "--json")).stdout).id;
  });

  const run = (env: Record<string, string>, ...command: string[]): Promise<Ran> =>
    person.run(command, { ...rookery.env, ...env });
  const post = (env: Record<string, string>, path: string, body: object): Promise<Ran> => {
    const { port } = JSON.parse(readFileSync(rookery.home.daemonFile, "utf8"));
    const options = {
      method: "POST",
      headers: {
        authorization: `Bearer ${readFileSync(rookery.home.token, "utf8").trim()}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    };
    const url = `http://127.0.0.1:${port}${path}`;
    const source = `const answer = await fetch(${JSON.stringify(url)}, ${JSON.stringify(options)});
      console.log(answer.status, await answer.text());`;
    return run(env, process.execPath, "--input-type=module", "-e", source);
  };

  test.each([
    ["Claude Code", { CLAUDECODE: "1", CLAUDE_PID: "1" }],
    ["Codex", { CODEX_THREAD_ID: "t", CODEX_SESSION_ID: "s", CODEX_CI: "1" }],
    ["Gemini CLI", { GEMINI_CLI: "1" }],
    ["Qwen Code", { QWEN_CODE: "1", QWEN_CODE_SESSION_ID: "s" }],
    ["OpenCode", { OPENCODE: "1", OPENCODE_PID: "1", AGENT: "1" }],
    ["Copilot CLI", { COPILOT_CLI: "1", COPILOT_AGENT_SESSION_ID: "s" }],
  ])("%s can neither pair nor answer, by command or by API", async (host, env) => {
    const refused = [
      await post(env, "/api/pairings", { channel: "slack" }),
      await post(env, `/api/questions/${question}/answer`, { answers: [["yes"]] }),
    ];
    for (const { stdout } of refused) {
      expect(stdout).toMatch(/^403 .*may_not_decide/);
      expect(stdout).toContain(`was started by ${host}`);
    }
    expect(await run(env, ...launcher, "pair", "slack")).toMatchObject({ code: 3, stdout: "" });
    expect(await run(env, ...launcher, "answer", question, "yes")).toMatchObject({
      code: 3,
      stdout: "",
      stderr: expect.stringContaining("started by an agent"),
    });
    expect((await rookery.call("GET", "/api/pairings")).json).toEqual({ people: [], pending: [] });
    expect((await listQuestions(rookery)).map(({ state }) => state)).toEqual(["open"]);
  });

  test("a program with the token alone can neither answer nor get the secret of a tab", async () => {
    const { port } = JSON.parse(readFileSync(rookery.home.daemonFile, "utf8"));
    const token = readFileSync(rookery.home.token, "utf8").trim();
    const source = `
      const post = async (path, body, headers = {}) => {
        const answer = await fetch("http://127.0.0.1:${port}" + path, { method: "POST", body: JSON.stringify(body),
          headers: { authorization: "Bearer ${token}", "content-type": "application/json", ...headers } });
        return { status: answer.status, ...await answer.json() };
      };
      const { url } = await post("/api/viewer/codes", {});
      const { consent } = await post("/viewer/token", { code: url.split("#code=")[1] });
      const answer = "/api/questions/${question}/answer";
      const yes = { answers: [["yes"]], place: "viewer" };
      console.log(JSON.stringify([consent, await post(answer, yes), await post(answer, yes, { "x-rookery-consent": "x".repeat(43) })]));`;
    // It has left its parents, its environment and its terminal, as an agent's program can.
    const command = ["setsid", "--wait", process.execPath, "--input-type=module", "-e", source];
    const [consent, ...refused] = JSON.parse((await person.run(command, cleanEnv)).stdout);
    expect(consent).toBeNull();
    for (const answer of refused)
      expect(answer).toMatchObject({
        status: 403,
        code: "may_not_decide",
        message: expect.stringContaining("has no terminal"),
      });
    expect((await listQuestions(rookery)).map(({ state }) => state)).toEqual(["open"]);
  });

  test("the person's own terminal can do both", async () => {
    expect((await post({}, "/api/pairings", { channel: "matrix" })).stdout).toMatch(/^201 /);
    expect(await run({ AGENT: "1" }, ...launcher, "pair", "matrix")).toMatchObject({ code: 0 });
    expect(await run({}, ...launcher, "answer", question, "yes")).toMatchObject({ code: 0 });
  });
});
