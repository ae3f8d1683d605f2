import { formatCount } from "../format.ts";
import { existsSync, readFileSync, statSync } from "node:fs";
import { tryParseJson } from "../../shared/json.ts";
import { type Check, ok, type CheckResult, warning } from "./check-result.ts";
import type { DoctorFacts } from "./doctor-facts.ts";
import { dayMs } from "../../shared/clock.ts";

export const logChecks: readonly Check[] = [{ check: "Errors", run: checkLog }];

const maxKinds = 3;

interface LogLine {
  at: string;
  level: string;
  message: string;
}

/** The daemon's errors of the last day, most frequent first. */
function checkLog({ context, nowMs }: DoctorFacts): CheckResult {
  const { log } = context.home;
  const since = nowMs - dayMs;
  const errors = [`${log}.1`, log].flatMap((path) => readErrors(path, since));
  if (errors.length === 0) return ok("none in the last 24 hours");
  const kinds = new Map<string, number>();
  for (const { message } of errors) kinds.set(message, (kinds.get(message) ?? 0) + 1);
  const shown = [...kinds]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, maxKinds)
    .map(([message, times]) => (times > 1 ? `${message} (${times}×)` : message));
  const more = kinds.size > maxKinds ? " …" : "";
  return warning(
    `${formatCount(errors.length, "error")} in the last 24 hours: ${shown.join("; ")}${more}`,
    "rookery logs -n 200; to report them: rookery doctor --bundle",
  );
}

function readErrors(path: string, since: number): LogLine[] {
  if (!existsSync(path) || statSync(path).mtimeMs < since) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.includes('"level":"error"'))
    .flatMap((line) => (tryParseJson(line) as LogLine | undefined) ?? [])
    .filter(({ at, level }) => level === "error" && Date.parse(at) >= since);
}
