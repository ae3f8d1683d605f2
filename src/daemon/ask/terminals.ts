import { execFileSync } from "node:child_process";
import { existsSync, readlinkSync, statSync } from "node:fs";
import { hostRows } from "../../hosts/marks.ts";
import type { SessionRow } from "../../store/sessions.ts";
import { readArguments, readProcessEnvironment, readStat } from "../../shared/processes.ts";

/** Detects the person's activity at the terminals of live sessions. A hook has no terminal of its own, but claude has. */
export interface Terminals {
  /** Time of the last key press in any of them; on Linux accurate to about eight seconds. */
  lastKeypressAt(sessions: readonly SessionRow[]): number | null;
  /** Whether the presence file of one of them exists; its path is in the session's environment. */
  hasPresenceFile(sessions: readonly SessionRow[]): boolean;
}

interface Terminal {
  pidStarted: string | null;
  tty: string | undefined;
  presenceFile: string | undefined;
}

/** The terminal and environment of a process do not change, so both are read once. */
export function openTerminals(): Terminals {
  const seats = new Map<number, Terminal>();

  function terminalsOf(sessions: readonly SessionRow[]): Terminal[] {
    const live = new Map(
      sessions.flatMap(({ hostPid, pidStarted }) => (hostPid ? [[hostPid, pidStarted]] : [])),
    );
    for (const pid of seats.keys()) if (!live.has(pid)) seats.delete(pid);
    return [...live].map(([pid, pidStarted]) => {
      const known = seats.get(pid);
      if (known && known.pidStarted === pidStarted) return known;
      const seat = {
        pidStarted,
        tty: findTty(pid),
        presenceFile: readProcessEnvironment(pid)?.CLAUDE_CLIENT_PRESENCE_FILE || undefined,
      };
      seats.set(pid, seat);
      return seat;
    });
  }

  return {
    lastKeypressAt(sessions) {
      const times = terminalsOf(sessions).flatMap(({ tty }) => {
        const atimeMs = tty && statSync(tty, { throwIfNoEntry: false })?.atimeMs;
        return atimeMs ? [Math.floor(atimeMs)] : [];
      });
      return times.length === 0 ? null : Math.max(...times);
    },
    hasPresenceFile: (sessions) =>
      terminalsOf(sessions).some(
        ({ presenceFile }) => presenceFile !== undefined && existsSync(presenceFile),
      ),
  };
}

export function findTty(pid: number): string | undefined {
  return process.platform === "linux" ? findTtyInProc(pid) : findTtyByPs(pid);
}

function findTtyInProc(pid: number): string | undefined {
  try {
    const input = readlinkSync(`/proc/${pid}/fd/0`);
    if (/^\/dev\/(?:pts\/\d+|tty\w*)$/.test(input)) return input;
  } catch {
    return undefined; // The process has ended or belongs to another user.
  }
  return nameTty(readStat(pid)?.tty ?? 0);
}

/** The path of the terminal with this device number, as in /proc/PID/stat. */
export function nameTty(device: number): string | undefined {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `/dev/pts/${(major - 136) * 256 + minor}`;
  return major === 4 && minor > 0 && minor < 64 ? `/dev/tty${minor}` : undefined;
}

function findTtyByPs(pid: number): string | undefined {
  const name = readByPs(pid, "tty");
  return name !== undefined && /^[a-z]\w*$/.test(name) ? `/dev/${name}` : undefined;
}

/**
 * Whether the session shows a dialog in a terminal while its hook waits. A headless one does not, and would be blocked by
 * the wait; a background subagent shows its dialog only after the hook.
 */
export function hasLiveDialog(session: SessionRow, subagentId: string | null): boolean {
  const { hostPid, host } = session;
  const headless = hostRows.find(({ name }) => name === host)?.headlessArguments;
  if (hostPid === null || subagentId !== null || headless === undefined) return false;
  if (findTty(hostPid) === undefined) return false;
  const words = readArguments(hostPid) ?? readByPs(hostPid, "args")?.split(" ");
  return words !== undefined && !words.some((word) => headless.includes(word.split("=", 1)[0] ?? ""));
}

function readByPs(pid: number, field: "tty" | "args"): string | undefined {
  try {
    return execFileSync("ps", ["-o", `${field}=`, "-p", String(pid)], {
      encoding: "utf8",
      timeout: 1_000,
    }).trim();
  } catch {
    return undefined; // No such process, or no ps: no activity is detected.
  }
}
