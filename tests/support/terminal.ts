import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { hasCode, isRunning, signalProcess, waitFor, waitUntilGone } from "./processes.ts";

export interface Terminal {
  /** Types text at the cursor, and returns once the program shows it. */
  type(text: string): Promise<void>;
  /** Presses one key by its tmux name: "Enter", "Escape", "Up", "C-c". */
  press(key: string): Promise<void>;
  /** Presses a key until the question has left the screen: a dialog ignores keys in its first moments. */
  answer(question: string, key: string): Promise<void>;
  /** Types a line, presses Enter, and returns once the input is empty again. */
  submit(text: string): Promise<void>;
  screen(): Promise<string>;
  /** Returns the screen that matched. */
  waitForScreen(wanted: RegExp | string): Promise<string>;
  /** Pid of the program in the pane; there is no shell in between. */
  pid(): number;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Sends SIGHUP like a closed terminal window, and waits until the program and tmux have exited. */
  close(): Promise<void>;
}

interface TerminalOptions {
  /** Folder of the socket. Must be short: unix socket paths are limited to about 100 characters. */
  directory: string;
  name: string;
  command: string[];
  env: Record<string, string>;
  cwd: string;
}

/** The lines on a screen that a person would not see without Rookery, except the greeting and the host's list of MCP servers. */
export function listOurLines(screen: string): string[] {
  const shown = screen
    .replace(/^.*Rookery is on\.[^]*?rookery uninstall.*$/m, "")
    .replace("rookery Connected", "");
  return shown.split("\n").filter((line) => /\b(?:rookery|hooks?)\b/i.test(line));
}

const COLUMNS = 200;
const ROWS = 50;
const REPRESS_MS = 500;
const run = promisify(execFile);

/** Runs a program in a private tmux server, with exactly the given environment. */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const socket = join(options.directory, `${options.name}.tmux`);
  const tmux = (...args: string[]) => runTmux(["-S", socket, "-f", "/dev/null", ...args]);
  const assignments = Object.entries(options.env).map(([name, value]) => `${name}=${value}`);
  const size = ["-x", String(COLUMNS), "-y", String(ROWS)];
  // A tmux server passes on the environment it was started with; env -i replaces it and then executes the program.
  const program = ["env", "-i", ...assignments, ...options.command].map(quoteSemicolon);
  const commands = [
    ["start-server"],
    ["set", "-g", "status", "off"],
    // Keep the pane after the program exits, so that its last output stays visible.
    ["set", "-g", "remain-on-exit", "on"],
    ["set", "-g", "remain-on-exit-format", ""],
    ["new-session", "-d", ...size, "-c", options.cwd, "--", ...program],
  ];
  await tmux(...commands.flatMap((command) => [...command, ";"]));
  const [programPid = 0, serverPid = 0] = (await tmux("display-message", "-p", "#{pane_pid} #{pid}"))
    .split(" ")
    .map(Number);

  const screen = () => tmux("capture-pane", "-p");

  /** The text before the cursor, without the white space of line wrapping. */
  async function textBeforeCursor(): Promise<string> {
    const cursor = await tmux("display-message", "-p", "#{cursor_x} #{cursor_y}");
    const [x = 0, y = 0] = cursor.split(" ").map(Number);
    const rows = (await screen()).split("\n").slice(0, y + 1);
    rows[y] = (rows[y] ?? "").slice(0, x);
    return squeeze(rows.join(""));
  }

  async function holdsInput(text: string): Promise<boolean> {
    const shown = await textBeforeCursor();
    return shown.endsWith(squeeze(text)) || /\[Pastedtext#\d+[^\]]*\]$/.test(shown);
  }

  async function type(text: string): Promise<void> {
    await tmux("send-keys", "-l", "--", quoteSemicolon(text));
    await waitFor(() => holdsInput(text), {
      describe: async () => `"${text}" before the cursor on this screen:\n${await screen()}`,
    });
  }

  async function press(key: string): Promise<void> {
    await tmux("send-keys", key);
  }

  return {
    type,
    press,
    screen,
    async submit(text) {
      await type(text);
      await press("Enter");
      await waitFor(async () => !(await holdsInput(text)), {
        describe: async () => `"${text}" to be taken from this screen:\n${await screen()}`,
      });
    },
    async answer(question, key) {
      let pressedAt = Number.NEGATIVE_INFINITY;
      const isGone = async () => {
        if (!(await screen()).includes(question)) return true;
        if (performance.now() - pressedAt > REPRESS_MS) {
          await press(key);
          pressedAt = performance.now();
        }
        return false;
      };
      const describe = async () => `"${question}" to leave this screen:\n${await screen()}`;
      await waitFor(isGone, { describe });
    },
    async waitForScreen(wanted) {
      let shown = "";
      const matches = () => (typeof wanted === "string" ? shown.includes(wanted) : shown.search(wanted) >= 0);
      await waitFor(
        async () => {
          shown = await screen();
          return matches();
        },
        { describe: () => `${wanted} on this screen:\n${shown}` },
      );
      return shown;
    },
    pid: () => programPid,
    async kill(signal) {
      signalProcess(programPid, signal);
    },
    async close() {
      // The server closes the pane first and may exit before it: wait for both.
      if (await isRunning(serverPid)) await tmux("kill-server");
      await waitUntilGone([programPid, serverPid]).catch(async (error: unknown) => {
        for (const pid of [programPid, serverPid]) signalProcess(pid, "SIGKILL");
        throw error;
      });
    },
  };
}

async function runTmux(args: string[]): Promise<string> {
  try {
    const { stdout } = await run("tmux", args);
    return stdout.trimEnd();
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    throw new Error("The terminal tests need tmux on PATH: install it (apt install tmux).", {
      cause: error,
    });
  }
}

/** tmux treats a semicolon at the end of an argument as the end of its command. */
function quoteSemicolon(argument: string): string {
  return argument.replace(/;$/, "\\;");
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}
