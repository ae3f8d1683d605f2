import { formatBytes } from "../../shared/format-bytes.ts";
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hostFor } from "../../hosts/hosts.ts";
import { parseSpoolName } from "../../protocol/spool-name.ts";
import { parseJson } from "../../shared/json.ts";
import { formatDuration, formatCount } from "../format.ts";
import { type Check, ok, problem, quotePath, type CheckResult, warning } from "./check-result.ts";
import type { DoctorFacts } from "./doctor-facts.ts";
import { fileSize } from "../../shared/regular-file.ts";

export const storeChecks: readonly Check[] = [
  { check: "Database", run: checkDatabase, timeoutMs: 25_000 },
  { check: "Matrix database", run: checkMatrixDatabase, timeoutMs: 15_000 },
  { check: "Set aside", run: checkSetAside },
  { check: "Spool", run: checkSpool },
  { check: "Rejected", run: checkRejected },
  { check: "Transcripts", run: checkTranscripts },
];

const maxBytes = 5_000_000_000;
const maxLogBytes = 256_000_000;
/** A running daemon should have ingested older files by now. */
const waitingMs = 60_000;
const sweptWithinMs = 5_000;

async function checkDatabase({
  context,
  inspection,
  integrity,
}: DoctorFacts): Promise<CheckResult | CheckResult[]> {
  const { database: file } = context.home;
  if (!existsSync(file)) return ok("none yet");
  const { database, error, knownSchema } = await inspection();
  if (database && database.schema > knownSchema)
    return problem(
      `written by a newer Rookery (schema ${database.schema}, this one supports ${knownSchema})`,
      "Update Rookery, then: rookery start",
    );
  const verdict = await integrity(file, 20_000);
  const damage = verdict === "unfinished" ? error : (verdict.damage ?? error);
  if (damage !== null) return describeDamage(file, damage);
  const [bytes, walBytes] = [fileSize(file), fileSize(`${file}-wal`)];
  const checked = verdict === "unfinished" ? "check not finished within 20 s" : "intact";
  const message = `${formatBytes(bytes)} + ${formatBytes(walBytes)} log, ${checked}`;
  if (walBytes > maxLogBytes) return warning(`${message}: the log does not shrink`, "rookery restart");
  if (bytes > maxBytes)
    return warning(message, "rookery compact; limits: retention.eventDays and retention.eventMegabytes");
  return ok(message);
}

/** No automatic fix: the user decides, and the damaged file is kept in any case. */
function describeDamage(file: string, damage: string): CheckResult {
  const path = quotePath(file);
  return problem(
    `damaged: ${damage.split("\n")[0]}`,
    `rookery stop; touch ${path}.suspect; rookery start; rookery import transcripts ` +
      `(the damaged file is kept next to the new one; sqlite3 ${path} .recover may restore more: docs/troubleshooting.md)`,
  );
}

async function checkMatrixDatabase({ context, integrity }: DoctorFacts): Promise<CheckResult> {
  const { matrixDatabase: file } = context.home;
  if (!existsSync(file)) return ok("none yet");
  const verdict = await integrity(file, 10_000);
  if (verdict === "unfinished") return ok(`${formatBytes(fileSize(file))}, check not finished within 10 s`);
  if (verdict.damage === null) return ok(`${formatBytes(fileSize(file))}, intact`);
  const path = quotePath(file);
  return problem(
    `damaged: ${verdict.damage.split("\n")[0]}`,
    `rookery stop; mv ${path} ${path}.damaged; rookery start (rooms start empty; memory is not affected)`,
  );
}

function checkSetAside({ context }: DoctorFacts): CheckResult {
  const { database } = context.home;
  const prefix = `${basename(database)}.damaged-`;
  const found = readFolder(dirname(database)).filter(
    (name) => name.startsWith(prefix) && !/-(?:wal|shm)$/.test(name),
  );
  const [first] = found;
  if (!first) return ok("no damaged database");
  return warning(
    `${formatCount(found.length, "damaged database")} kept, such as ${first}`,
    `rookery import transcripts restores most of it; then delete them: rm ${quotePath(join(dirname(database), prefix))}*`,
  );
}

async function checkSpool({ context, status, nowMs }: DoctorFacts): Promise<CheckResult> {
  const { spool } = context.home;
  const isUp = (await status()) !== undefined;
  const listAges = (): number[] =>
    readFolder(spool).map(
      (name) => nowMs - (statSync(join(spool, name), { throwIfNoEntry: false })?.mtimeMs ?? nowMs),
    );
  const isLate = (ages: number[]): boolean => ages.some((age) => age > waitingMs);
  let ages = listAges();
  for (
    const until = performance.now() + sweptWithinMs;
    isUp && isLate(ages) && performance.now() < until;
    ages = listAges()
  )
    await delay(100);
  if (ages.length === 0) return ok("empty");
  const message = `${formatCount(ages.length, "file")} waiting, the oldest for ${formatDuration(Math.max(...ages))}`;
  if (!isLate(ages)) return ok(message);
  return isUp
    ? problem(`${message}, and the daemon does not store them`, "rookery logs, then: rookery restart")
    : warning(message, "rookery start");
}

/** Files that could not be parsed on arrival. Complete events may be accepted now; the rest is kept for a while. */
function checkRejected({ context }: DoctorFacts): CheckResult {
  const { rejected, spool } = context.home;
  const files = readFolder(rejected);
  if (files.length === 0) return ok("none");
  const whole = files.filter((name) => isCompleteEvent(name, join(rejected, name)));
  const message = `${formatCount(files.length, "file")} that could not be stored`;
  if (whole.length === 0)
    return warning(
      `${message}, none of them a complete event; the newest 20 are kept`,
      `ls -l ${quotePath(rejected)}; rm ${quotePath(rejected)}/*`,
    );
  return warning(
    `${message}, ${whole.length} of them complete`,
    "rookery doctor --fix (retries the complete ones)",
    () => {
      for (const name of whole) renameSync(join(rejected, name), join(spool, name));
      return `put ${formatCount(whole.length, "event")} back into the spool`;
    },
  );
}

function isCompleteEvent(name: string, path: string): boolean {
  const parsed = parseSpoolName(name);
  if (!parsed || !hostFor(parsed.host).events.read(parsed.event)) return false;
  try {
    const text = readFileSync(path, "utf8");
    const payload = parseJson(text.slice(text.indexOf("\n") + 1)) as { session_id?: unknown } | null;
    return typeof payload?.session_id === "string";
  } catch {
    return false; // Truncated, or removed in the meantime.
  }
}

async function checkTranscripts({ inspection }: DoctorFacts): Promise<CheckResult> {
  const { expiring, cleanupDays } = (await inspection()).transcripts;
  if (expiring === 0) return ok("none about to be deleted");
  return warning(
    `Claude Code will soon delete ${formatCount(expiring, "transcript")} that Rookery has not imported (after ${formatCount(cleanupDays, "day")})`,
    "rookery import transcripts",
  );
}

function readFolder(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
