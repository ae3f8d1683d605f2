import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openOutside, type Outside } from "../support/outside.ts";
import { signalProcess, waitFor } from "../support/processes.ts";
import { makePayload, openRookery, plugin, type Rookery } from "../support/rookery.ts";
import { idOf, ringBell, spoolEvent } from "../support/spool-writer.ts";
import { spawnDaemon } from "../support/daemon-process.ts";
import { makeRandom, type Random } from "./seeded.ts";
import { makeSetAside, noTruth, settle, type Totals, type Truth } from "./truth.ts";

interface Session {
  id: string;
  pid: number;
  cwd: string;
  /** Writes an event as its hook does, and rings. */
  emit(event: string, fields?: Record<string, unknown>): Promise<void>;
  /** Ends its fake agent. */
  end(): void;
}

export interface HookTime {
  event: string;
  ms: number;
  /** The slowest of the shells that ran meanwhile, one after another: each writes the same file and rings nobody. */
  controlMs: number;
  during: string;
}

/** The file system of the home. */
export interface Disk {
  mount(root: string): void;
  unmount(root: string): void;
}

/** A home under load, whose daemon has one fault after another. */
export interface World {
  rookery: Rookery;
  random: Random;
  truth: Truth;
  totals: Totals;
  sessions: Session[];
  hooks: HookTime[];
  addSession(project: string): Promise<Session>;
  /** Starts the daemon as our child; `before` is shell code, such as a limit. */
  startDaemon(before?: string): Promise<void>;
  /** Changes the system time of the daemon. */
  setClock(differenceMs: number): void;
  breakThread(thread: "homeserver" | "worker", fault: "exit" | "stall" | "memory"): void;
  /** Runs the load during the work of one fault. */
  underLoad(fault: string, work: () => Promise<void>): Promise<void>;
  /** Waits until all is quiet, compares, and begins to count again. */
  settle(): Promise<void>;
  /** The last warnings and errors of the daemon. */
  complaints(): string;
  close(): Promise<void>;
}

const inside = fileURLToPath(new URL("inside.mjs", import.meta.url));

export async function openWorld(
  random: Random,
  totals: Totals,
  env: Record<string, string>,
  disk: Disk,
): Promise<World> {
  const rookery = openRookery({
    ROOKERY_MATRIX_PER_PAIR_AND_MINUTE: "1000",
    ROOKERY_MATRIX_PER_HOUR: "10000",
    ...env,
  });
  const { folder, home } = rookery;
  const clockFile = join(folder, "clock");
  const threadFile = join(folder, "thread");
  Object.assign(rookery.env, { TORTURE_CLOCK: clockFile, TORTURE_THREAD: threadFile });
  disk.mount(home.root);
  const person: Outside = await openOutside();
  const children = new Set<ChildProcess>();
  /** Lanes take turns in an order that no seed repeats, so they leave the faults' random numbers alone. */
  const chance = makeRandom(0);
  let count = 0;

  const world: World = {
    rookery,
    random,
    totals,
    truth: noTruth(),
    sessions: [],
    hooks: [],
    async addSession(project) {
      const cwd = join(folder, "projects", project);
      mkdirSync(join(cwd, ".git"), { recursive: true });
      const sleeper = spawn("sleep", ["3600"], { stdio: "ignore" });
      children.add(sleeper);
      const { pid } = sleeper;
      if (pid === undefined) throw new Error("sleep did not start");
      const id = `s-${++count}`;
      const session: Session = {
        id,
        pid,
        cwd,
        async emit(event, fields = {}) {
          const payload = makePayload(event, { session_id: id, cwd, ...fields });
          const name = tryTo(() => spoolEvent(home, event, payload, pid));
          if (name === undefined) return; // The disk is full or read-only: nothing was promised.
          world.truth.events.add(idOf(name));
          await ringBell(home, name, 500).catch(() => "late");
        },
        end: () => void sleeper.kill("SIGKILL"),
      };
      world.sessions.push(session);
      await session.emit("SessionStart", { source: "startup" });
      return session;
    },
    async startDaemon(before = "") {
      const node = `${before}\nexec "${process.execPath}" --import "${inside}" "$@"`;
      const script = join(folder, "node-inside");
      writeFileSync(script, `#!/bin/bash\n${node}\n`, { mode: 0o700 });
      rookery.env.ROOKERY_NODE = script;
      children.add(await spawnDaemon(rookery));
      rookery.env.ROOKERY_NODE = process.execPath;
    },
    setClock: (differenceMs) => writeFileSync(clockFile, String(differenceMs)),
    breakThread: (thread, fault) => writeFileSync(threadFile, `${thread} ${fault}`),
    async underLoad(fault, work) {
      // A daemon that set its database aside starts again, at any time.
      await waitFor(() => existsSync(home.daemonFile), { describe: "the daemon's address" });
      let isOver = false;
      const lanes = [
        ...world.sessions.slice(0, 6).map((session) => runSession(session, () => isOver)),
        sendMail(() => isOver),
        askPerson(() => isOver),
        runHooks(fault, () => isOver),
      ];
      try {
        await work();
      } finally {
        isOver = true;
        await Promise.all(lanes);
      }
    },
    async settle() {
      world.setClock(0);
      await finishAnswers();
      await settle(rookery, world.truth, totals);
      // Incomplete files stay where the daemon set them aside.
      world.truth = { ...noTruth(), incomplete: world.truth.incomplete };
    },
    complaints() {
      const lines = readFileSync(home.log, "utf8").split("\n");
      return lines
        .filter((line) => /"level":"(warn|error)"/.test(line))
        .slice(-20)
        .map((line) => line.slice(0, 2_000))
        .join("\n");
    },
    async close() {
      const steps = [
        () => rookery.stop(),
        () => children.forEach(({ pid }) => pid !== undefined && signalProcess(pid, "SIGKILL")),
        () => disk.unmount(home.root),
        () => rookery.close(),
        () => person.close(),
      ];
      await runAll(steps);
    },
  };

  /** One session: a prompt, some tool calls, a stop. */
  async function runSession(session: Session, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const prompt_id = `${session.id}-p${++count}`;
      await session.emit("UserPromptSubmit", { prompt_id, prompt: `prompt ${count}` });
      for (let n = 0; n < 3 && !isOver(); n++) {
        const tool_use_id = `${session.id}-t${++count}`;
        await session.emit("PostToolUse", { prompt_id, tool_name: "Bash", tool_use_id });
        await pause(10); // Leaves the daemon some of the two cores.
      }
      await session.emit("Stop", { prompt_id, last_assistant_message: "Done." });
    }
  }

  async function sendMail(isOver: () => boolean): Promise<void> {
    const [sender] = world.sessions;
    while (sender && !isOver()) {
      const text = `message ${++count} of ${chance.between(0, 1e9)}`;
      world.truth.messages.set(text, false);
      const body = { to: "project", text, hostPid: sender.pid };
      const status = await rookery.call("POST", "/api/messages", body).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 201) world.truth.messages.set(text, true);
      else totals.refused[status] = (totals.refused[status] ?? 0) + 1;
      await pause(50);
    }
  }

  async function askPerson(isOver: () => boolean): Promise<void> {
    const asker = world.sessions[1];
    while (asker && !isOver()) {
      const body = { question: `Question ${++count}?`, pid: asker.pid, wait: false };
      const asked = await rookery.call("POST", "/api/questions", body).catch(() => undefined);
      if (asked?.status === 201) {
        world.truth.answers.set(asked.json.question.id, undefined);
        await Promise.all([
          answer(asked.json.question.id, "first"),
          answer(asked.json.question.id, "second"),
        ]);
      }
      await pause(100);
    }
  }

  /** Two answers race; the accepted one must stay. */
  async function answer(id: string, word: string): Promise<boolean> {
    const text = `${word} answer ${id}`;
    const answers = [[text]];
    const said = await person
      .call(rookery, "POST", `/api/questions/${id}/answer`, { answers })
      .catch(() => undefined);
    if (said?.status === 200) {
      if (world.truth.answers.get(id) !== undefined) totals.twice.push(`two answers to ${id} were accepted`);
      world.truth.answers.set(id, text);
    }
    const isLost = said?.status === 404 && makeSetAside(home.root)(id);
    return said?.status === 200 || said?.status === 409 || isLost;
  }

  /** Answers questions that a fault left open; a question whose answer got lost on its way back is answered already. */
  async function finishAnswers(): Promise<void> {
    for (const [id, accepted] of world.truth.answers)
      if (accepted === undefined)
        await waitFor(() => answer(id, "late"), { timeoutMs: 60_000, describe: `an answer to ${id}` });
  }

  /** The real script, beside a shell that only writes the file. */
  async function runHooks(during: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const event = chance.pick(["PostToolUse", "Notification"]);
      const fields = { session_id: "through-script", tool_name: "Bash", tool_use_id: `h-${++count}` };
      const controlFile = join(folder, "control");
      let isRunning = true;
      const hook = join(plugin, "hooks", "hook.sh");
      const timing = time(hook, [event], JSON.stringify(makePayload(event, fields))).finally(() => {
        isRunning = false;
      });
      let controlMs = 0;
      do {
        controlMs = Math.max(controlMs, await time("bash", ["-p", "-c", 'cat >"$0"', controlFile], "{}"));
        await pause(20);
      } while (isRunning);
      world.hooks.push({ event, ms: await timing, controlMs, during });
      await pause(20);
    }
  }

  async function time(command: string, args: string[], input: string): Promise<number> {
    const startedAt = performance.now();
    const child = spawn(command, args, {
      env: { ...rookery.env, CLAUDE_PID: String(process.pid) },
      stdio: ["pipe", "ignore", "pipe"],
    });
    child.stdin.on("error", () => {}); // It ended without reading; the exit code shows it.
    child.stdin.end(input);
    const code = await new Promise((resolve) => child.on("close", resolve));
    if (code !== 0) totals.lost.push(`a hook ended with ${String(code)}`);
    return performance.now() - startedAt;
  }

  try {
    await world.startDaemon();
    for (let n = 0; n < 2; n++) await world.addSession("mail");
    for (let n = 0; n < 4; n++) await world.addSession(`project-${n}`);
    return world;
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** Runs every step, even if an earlier one failed; then throws the first error. */
export async function runAll(steps: (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps)
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
}

function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
