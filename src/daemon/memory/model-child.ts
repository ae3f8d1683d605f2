import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { killProcessGroup } from "../../model/kill-process-group.ts";
import { isSameProcess, processStartMark } from "../../shared/processes.ts";

/**
 * Records the child process that is calling a model, so that the next daemon ends one that outlived a killed daemon.
 */
interface ModelChild {
  recordPid(pid: number | undefined): void;
  killLeftover(): void;
}

export function openModelChild(file: string): ModelChild {
  return {
    recordPid(pid) {
      if (pid === undefined) rmSync(file, { force: true });
      else writeFileSync(file, `${pid} ${processStartMark(pid) ?? ""}\n`, { mode: 0o600 });
    },
    killLeftover() {
      const [pid = "", mark = ""] = readText(file).trim().split(" ");
      // Without a start mark the id may have been reused; the child then ends by its own timeout.
      if (mark && isSameProcess(Number(pid), mark)) killProcessGroup(Number(pid));
      rmSync(file, { force: true });
    },
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // The last daemon left no child.
  }
}
