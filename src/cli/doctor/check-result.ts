import type { DoctorFacts } from "./doctor-facts.ts";
import { shellQuote } from "../../shared/text.ts";

/** `skipped`: it depends on something that must be fixed first. */
export type Verdict = "ok" | "skipped" | "warning" | "problem";

/** The result of one check. */
export interface CheckResult {
  verdict: Verdict;
  message: string;
  /** The command to type, or an instruction. */
  fix?: string | undefined;
  /** Fixes it, where that is safe and reversible; returns a description of the change. */
  applyFix?: (() => string | Promise<string>) | undefined;
}

export interface Finding extends CheckResult {
  group: string;
  check: string;
}

export interface Check {
  check: string;
  run(facts: DoctorFacts): CheckResult | CheckResult[] | Promise<CheckResult | CheckResult[]>;
  /** Time limit; the default is in `checks.ts`. */
  timeoutMs?: number;
}

export interface CheckGroup {
  name: string;
  checks: readonly Check[];
}

export function ok(message: string): CheckResult {
  return { verdict: "ok", message };
}

export function skipped(message: string): CheckResult {
  return { verdict: "skipped", message };
}

/** Works, but the user should know. */
export function warning(message: string, fix?: string, applyFix?: CheckResult["applyFix"]): CheckResult {
  return { verdict: "warning", message, fix, applyFix };
}

export function problem(message: string, fix?: string, applyFix?: CheckResult["applyFix"]): CheckResult {
  return { verdict: "problem", message, fix, applyFix };
}

/** Quotes a path for the shell where needed. */
export function quotePath(path: string): string {
  return /^[\w./~+@%:,-]+$/.test(path) ? path : shellQuote(path);
}
