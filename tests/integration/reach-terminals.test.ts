import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { openTerminal, type Terminal } from "../support/terminal.ts";
import { waitFor } from "../support/processes.ts";
import type { SessionRow } from "../../src/store/sessions.ts";
import { findTty, nameTty, openTerminals } from "../../src/daemon/ask/terminals.ts";

const folder = mkdtempSync(join(tmpdir(), "rk-tty-"));
const open: Terminal[] = [];
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  for (const terminal of open.splice(0)) await terminal.close();
});

const sessionOf = (hostPid: number): SessionRow => ({ hostPid, pidStarted: "1" }) as SessionRow;

async function openShell(env: Record<string, string> = {}): Promise<Terminal> {
  const terminal = await openTerminal({
    directory: folder,
    name: `t${open.length}`,
    command: ["cat"],
    cwd: folder,
    env: { PATH: "/usr/bin:/bin", TERM: "xterm", ...env },
  });
  open.push(terminal);
  return terminal;
}

describe("the terminal of a session", () => {
  test("gives the time of its last key", async () => {
    const terminal = await openShell();
    const terminals = openTerminals();
    const session = sessionOf(terminal.pid());
    const typedAt = Date.now();
    await terminal.type("a");
    const at = terminals.lastKeypressAt([session]) ?? 0;
    // The kernel keeps it to eight seconds, and in which of them it moves on is its own business.
    expect(at).toBeGreaterThan(typedAt - 9_000);
    expect(at).toBeLessThan(Date.now() + 9_000);
  });

  test("is empty for a process without one", async () => {
    const child = spawn("sleep", ["60"], { stdio: "ignore", detached: true });
    expect(openTerminals().lastKeypressAt([sessionOf(child.pid ?? 0)])).toBeNull();
    expect(findTty(child.pid ?? 0)).toBeUndefined();
    child.kill();
  });

  test("names its presence file, which only counts while it exists", async () => {
    const file = join(folder, "presence");
    const terminal = await openShell({ CLAUDE_CLIENT_PRESENCE_FILE: file });
    const terminals = openTerminals();
    const session = sessionOf(terminal.pid());
    await waitFor(() => {
      writeFileSync(file, "");
      return terminals.hasPresenceFile([session]);
    });
    rmSync(file);
    expect(terminals.hasPresenceFile([session])).toBe(false);
  });

  test("is not an error if the process has exited", () => {
    expect(openTerminals().lastKeypressAt([sessionOf(4_000_000)])).toBeNull();
    expect(openTerminals().hasPresenceFile([sessionOf(4_000_000)])).toBe(false);
  });
});

test.each([
  [34_817, "/dev/pts/1"],
  [34_816, "/dev/pts/0"],
  [1_025, "/dev/tty1"],
  [(137 << 8) | 5, "/dev/pts/261"],
  [0, undefined],
  [(5 << 8) | 1, undefined],
])("device %i is %s", (device, expected) => {
  expect(nameTty(device)).toBe(expected);
});
