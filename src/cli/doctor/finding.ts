import type { Examination } from "./examination.ts";
import { shellQuote } from "../../shared/text.ts";

/** `skipped`: it depends on something that must be fixed first. */
export type Verdict = "ok" | "skipped" | "warning" | "problem";

/** The result of one check. */
export interface Remark {
  verdict: Verdict;
  message: string;
  /** The command to type, or an instruction. */
  fix?: string | undefined;
  /** Fixes it, where that is safe and reversible; returns a description of the change. */
  applyFix?: (() => string | Promise<string>) | undefined;
}

export interface Finding extends Remark {
  group: string;
  check: string;
}

export interface Check {
  check: string;
  run(examination: Examination): Remark | Remark[] | Promise<Remark | Remark[]>;
  /** Time limit; the default is in `checks.ts`. */
  limitMs?: number;
}

export interface CheckGroup {
  name: string;
  checks: readonly Check[];
}

export function ok(message: string): Remark {
  return { verdict: "ok", message };
}

export function skipped(message: string): Remark {
  return { verdict: "skipped", message };
}

/** Works, but the user should know. */
export function warning(message: string, fix?: string, applyFix?: Remark["applyFix"]): Remark {
  return { verdict: "warning", message, fix, applyFix };
}

export function problem(message: string, fix?: string, applyFix?: Remark["applyFix"]): Remark {
  return { verdict: "problem", message, fix, applyFix };
}

/** Quotes a path for the shell where needed. */
export function quotePath(path: string): string {
  return /^[\w./~+@%:,-]+$/.test(path) ? path : shellQuote(path);
}
