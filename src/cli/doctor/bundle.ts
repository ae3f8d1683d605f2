import { formatBytes } from "../../shared/format-bytes.ts";
import { existsSync, lstatSync, readdirSync, writeFileSync } from "node:fs";
import { arch, platform, release, totalmem } from "node:os";
import { join, relative, resolve } from "node:path";
import { callEndpoint } from "../../client/request.ts";
import { daemonEndpoints } from "../../protocol/endpoints/daemon.ts";
import { getPath, readConfigFile } from "../../config/load.ts";
import { listConfigKeys } from "../../config/schema.ts";
import { redactValue } from "../../redact/redact-value.ts";
import { build } from "../../shared/build.ts";
import { AppError } from "../../shared/errors.ts";
import { findBash } from "./check-runtime.ts";
import type { DoctorFacts } from "./doctor-facts.ts";
import type { Finding } from "./check-result.ts";
import { excerptLog } from "./log-excerpt.ts";
import { makeMask } from "./mask.ts";

const logLines = 300;
const maxFiles = 200;

interface Section {
  title: string;
  body(): string | Promise<string>;
}

/**
 * Writes a debugging report into a file that only this user can read. It contains no prompts, notes or messages, and the
 * finished text is masked as a whole.
 */
export async function writeBundle(
  facts: DoctorFacts,
  findings: readonly Finding[],
  file: string | undefined,
): Promise<{ path: string; contains: string[] }> {
  const { context, nowMs } = facts;
  const stamp = new Date(nowMs).toISOString().slice(0, 16).replace(/[:T]/g, "-");
  const path = resolve(context.cwd, file ?? `rookery-report-${stamp}.md`);
  const sections = listSections(facts, findings);
  const parts = [`# Rookery report, ${new Date(nowMs).toISOString()}`];
  for (const { title, body } of sections) parts.push(`## ${title}`, await describe(body));
  const text = makeMask(context)(`${parts.join("\n\n")}\n`);
  try {
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    throw new AppError("invalid_argument", `Cannot write ${path}: ${(cause as Error).message}`, { cause });
  }
  return { path, contains: sections.map(({ title }) => title) };
}

async function describe(body: Section["body"]): Promise<string> {
  try {
    return `\`\`\`\n${(await body()).replaceAll("```", "ˋˋˋ")}\n\`\`\``;
  } catch (error) {
    return `Could not be read: ${(error as Error).message}`;
  }
}

function listSections(facts: DoctorFacts, findings: readonly Finding[]): Section[] {
  const { context } = facts;
  const { home, address } = context;
  return [
    { title: "Versions", body: () => describeVersions(facts) },
    {
      title: "Findings",
      body: () =>
        findings
          .map(
            ({ group, check, verdict, message, fix }) =>
              `${verdict}  ${group} / ${check}: ${message}${fix ? ` → ${fix}` : ""}`,
          )
          .join("\n"),
    },
    { title: "Settings that differ from the defaults", body: () => describeSettings(home.config) },
    {
      title: "Status",
      body: async () => JSON.stringify(await facts.status(), null, 2) ?? "the daemon does not answer",
    },
    {
      title: "Metrics",
      body: () => callEndpoint(address, daemonEndpoints.getMetrics, { timeoutMs: 3_000 }),
    },
    { title: "Files in the home: size, mode, age", body: () => describeFiles(home.root, facts.nowMs) },
    {
      title: "Daemon processes",
      body: () =>
        facts
          .daemons()
          .map(({ pid, state, ageMs }) => `daemon ${pid} ${state} ${Math.round(ageMs / 1000)} s`)
          .join("\n"),
    },
    {
      title: "Last log lines, without text written by people",
      body: () => excerptLog(home.log, logLines).join("\n"),
    },
  ];
}

async function describeVersions(facts: DoctorFacts): Promise<string> {
  const { context, run, claude, inspection } = facts;
  const bash = await findBash(facts);
  const host = claude();
  const hostVersion = host ? (await run(host.claude, ["--version"])).stdout.trim() : "none";
  const sqlite = (await inspection().catch(() => undefined))?.sqlite ?? "?";
  const daemon = facts.daemonFile();
  return [
    `rookery ${build.version} (build ${build.build})`,
    `daemon ${daemon ? `${daemon.version} (build ${daemon.build})` : "none"}`,
    `node ${process.version}, sqlite ${sqlite}, bash ${bash.version ?? "none"}`,
    `claude ${hostVersion}`,
    `${platform()} ${release()} ${arch()}, ${formatBytes(totalmem())} memory`,
    `plugin in ${context.pluginRoot}`,
  ].join("\n");
}

/** Only the user's overrides; unknown keys are listed without their values. */
function describeSettings(file: string): string {
  const tree = readConfigFile(file);
  const known = listConfigKeys()
    .map(({ path }) => ({ path, value: getPath(tree, path) }))
    .filter(({ value }) => value !== undefined)
    .map(({ path, value }) => {
      const name = path.split(".").at(-1) ?? path;
      const { value: redacted } = redactValue({ [name]: value });
      return `${path} = ${JSON.stringify((redacted as Record<string, unknown>)[name])}`;
    });
  const groups = new Set(listConfigKeys().map(({ path }) => path.split(".")[0]));
  const unknown = Object.keys(tree).filter((key) => !groups.has(key));
  return [...known, ...unknown.map((key) => `${key}: unknown`)].join("\n") || "none";
}

function describeFiles(root: string, nowMs: number): string {
  if (!existsSync(root)) return "the home does not exist";
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .toSorted()
    .slice(0, maxFiles)
    .flatMap((name) => {
      const stats = lstatSync(join(root, name), { throwIfNoEntry: false });
      if (!stats) return [];
      const mode = (stats.mode & 0o777).toString(8);
      return `${relative(root, join(root, name))}  ${stats.size}  ${mode}  ${Math.round((nowMs - stats.mtimeMs) / 1000)} s`;
    })
    .join("\n");
}
