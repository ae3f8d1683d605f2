import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { hasCode, processesMentioning, signalProcess, waitFor } from "./processes.ts";

const run = promisify(execFile);
const packages = ["nheko", "xvfb", "xdotool", "imagemagick", "openbox", "dbus"];
const programs = ["nheko", "Xvfb", "xdotool", "import", "compare", "openbox", "dbus-run-session"];

/** A virtual screen with a window manager and one program. */
interface Screen {
  /** Performs an action, and returns when the screen has stopped changing. */
  step(act: () => Promise<void>): Promise<void>;
  click(x: number, y: number): Promise<void>;
  type(text: string): Promise<void>;
  press(...keys: string[]): Promise<void>;
  shoot(file: string): Promise<void>;
  close(): Promise<void>;
}

/** A blinking cursor changes at most this many pixels; a page changes thousands. */
const [few, many] = [400, 1_500];

/** nheko on a screen of 1100 x 700, with its own home. Installs missing packages with apt, and says so. */
export async function openNheko(): Promise<Screen> {
  await installMissing();
  const folder = mkdtempSync(join(tmpdir(), "rk-screen-"));
  mkdirSync(join(folder, ".config", "nheko"), { recursive: true });
  // There is no keyring to store its secrets in.
  writeFileSync(
    join(folder, ".config", "nheko", "nheko.conf"),
    "[General]\nrun_without_secure_secrets_service=true\n",
  );
  const started: ChildProcess[] = [];
  const xvfb = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1100x700x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  started.push(xvfb);
  const [chosen] = (await once(xvfb.stdio[3] as NodeJS.ReadableStream, "data")) as [Buffer];
  const env = {
    HOME: folder,
    PATH: "/usr/bin:/bin",
    LANG: "C.UTF-8",
    XDG_RUNTIME_DIR: folder,
    DISPLAY: `:${chosen.toString().trim()}`,
    QT_QUICK_BACKEND: "software",
    LIBGL_ALWAYS_SOFTWARE: "1",
  };
  started.push(
    spawn("dbus-run-session", ["--", "sh", "-c", "openbox & exec nheko"], {
      env,
      stdio: "ignore",
      cwd: folder,
    }),
  );
  const shots = [join(folder, "a.png"), join(folder, "b.png")] as const;
  const shoot = async (file: string): Promise<void> =>
    void (await run("import", ["-window", "root", file], { env }));
  const differ = async (): Promise<number> => {
    await shoot(shots[1]);
    // It prints the number of different pixels to stderr, and exits with 1 if there are any.
    const compared = run("compare", ["-metric", "AE", ...shots, "null:"]).catch((error: unknown) => error);
    return Number(((await compared) as { stderr: string }).stderr);
  };
  const rest = async (): Promise<void> => {
    await waitFor(
      async () => {
        await shoot(shots[0]);
        return (await differ()) < few;
      },
      { timeoutMs: 30_000, intervalMs: 300, describe: "the screen to come to rest" },
    );
  };
  await waitFor(
    async () =>
      (await run("xdotool", ["search", "--name", "^nheko$"], { env }).catch(() => undefined)) !== undefined,
    {
      timeoutMs: 60_000,
      describe: "the window of nheko",
    },
  );
  await rest();
  return {
    async step(act) {
      await shoot(shots[0]);
      await act();
      await waitFor(async () => (await differ()) > many, {
        timeoutMs: 30_000,
        describe: "a change on the screen",
      });
      await rest();
    },
    click: async (x, y) => void (await run("xdotool", ["mousemove", `${x}`, `${y}`, "click", "1"], { env })),
    type: async (text) => void (await run("xdotool", ["type", "--delay", "30", text], { env })),
    press: async (...keys) => void (await run("xdotool", ["key", ...keys], { env })),
    shoot,
    async close() {
      for (const child of started) child.kill("SIGTERM");
      await waitFor(async () => (await processesMentioning(folder)).length === 0, { timeoutMs: 5_000 }).catch(
        async () => {
          for (const { pid } of await processesMentioning(folder)) signalProcess(pid, "SIGKILL");
        },
      );
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function installMissing(): Promise<void> {
  const isMissing = await Promise.all(
    programs.map((name) =>
      run("sh", ["-c", `command -v ${name}`]).then(
        () => false,
        () => true,
      ),
    ),
  );
  if (!isMissing.includes(true)) return;
  console.log(`Installing with apt-get: ${packages.join(" ")}`);
  try {
    await run("apt-get", ["install", "-y", "--no-install-recommends", ...packages], {
      maxBuffer: 64_000_000,
    });
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    throw new Error(`This test needs ${programs.join(", ")}.`, { cause: error });
  }
}
