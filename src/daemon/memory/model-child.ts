import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { endGroup } from "../../model/end-group.ts";
import { isSameProcess, processStartMark } from "../../shared/processes.ts";

/** Writes down which child asks a model now, so that one that outlived a killed daemon is ended by the next. */
export interface ModelChild {
  note(pid: number | undefined): void;
  endLeftover(): void;
}

export function openModelChild(file: string): ModelChild {
  return {
    note(pid) {
      if (pid === undefined) rmSync(file, { force: true });
      else writeFileSync(file, `${pid} ${processStartMark(pid) ?? ""}\n`, { mode: 0o600 });
    },
    endLeftover() {
      const [pid = "", mark = ""] = readText(file).trim().split(" ");
      // Without a start mark the id may be anybody's by now; the child then ends by its own time-out.
      if (mark && isSameProcess(Number(pid), mark)) endGroup(Number(pid));
      rmSync(file, { force: true });
    },
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // The last daemon left none.
  }
}
