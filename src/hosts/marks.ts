import { marks as claudeCode } from "./claude-code/marks.ts";
import { marks as codex } from "./codex/marks.ts";
import { marks as copilot } from "./copilot/marks.ts";
import { marks as gemini } from "./gemini/marks.ts";
import type { HostMarks } from "./host-marks.ts";
import { marks as opencode } from "./opencode/marks.ts";
import { marks as qwen } from "./qwen/marks.ts";

/** How to recognise each host: by its processes and by its transcripts. */
const marks = {
  "claude-code": claudeCode,
  codex,
  opencode,
  copilot,
  gemini,
  qwen,
  droid: {
    label: "Droid",
    environment: [],
    processNames: ["droid"],
    scriptPaths: ["/node_modules/droid/"],
    transcripts: /\/\.factory\//,
  },
  cline: {
    label: "Cline",
    environment: ["CLINE_ACTIVE"],
    processNames: ["cline"],
    scriptPaths: ["/node_modules/cline/"],
    transcripts: /\/\.cline\//,
  },
  cursor: {
    label: "Cursor",
    environment: ["CURSOR_AGENT"],
    processNames: ["cursor-agent"],
    scriptPaths: ["/cursor-agent/versions/"],
    transcripts: /\/\.cursor\//,
  },
  /** Hosts without a row of their own that follow the common convention. */
  other: {
    label: "a coding agent",
    environment: ["AI_AGENT"],
    processNames: [],
    scriptPaths: [],
  },
} as const satisfies Record<string, HostMarks>;

export type HostName = keyof typeof marks;

export const hostRows: readonly (HostMarks & { name: HostName })[] = Object.entries(marks).map(
  ([name, marks]) => ({ name: name as HostName, ...marks }),
);

export function isHostName(name: string): name is HostName {
  return Object.hasOwn(marks, name);
}

/** The name of a host in tables and on pages; empty if it is not known. */
export function labelHost(name: string | null): string {
  const row = hostRows.find((each) => each.name === name);
  return row && row.name !== "other" ? row.label : "";
}
