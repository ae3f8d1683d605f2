import type { Examination } from "./examination.ts";

/** `skipped`: something else must be mended first. */
export type Verdict = "ok" | "skipped" | "warning" | "problem";

/** What a check has to say of one thing. */
export interface Remark {
  verdict: Verdict;
  said: string;
  /** What to do about it: exactly what to type. */
  fix?: string | undefined;
  /** Does it, where that is safe and can be undone; says what it did. */
  mend?: (() => string | Promise<string>) | undefined;
}

export interface Finding extends Remark {
  group: string;
  what: string;
}

export interface Check {
  what: string;
  look(examination: Examination): Remark | Remark[] | Promise<Remark | Remark[]>;
  /** How long it may take; see `run-checks`. */
  limitMs?: number;
}

export interface CheckGroup {
  name: string;
  checks: readonly Check[];
}

export function ok(said: string): Remark {
  return { verdict: "ok", said };
}

export function skipped(said: string): Remark {
  return { verdict: "skipped", said };
}

/** Works, but the user should know. */
export function warning(said: string, fix?: string, mend?: Remark["mend"]): Remark {
  return { verdict: "warning", said, fix, mend };
}

export function problem(said: string, fix?: string, mend?: Remark["mend"]): Remark {
  return { verdict: "problem", said, fix, mend };
}

/** A path as it can be typed after a command. */
export function quotePath(path: string): string {
  return /^[\w./~+@%:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** "1 file", "2 files". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
