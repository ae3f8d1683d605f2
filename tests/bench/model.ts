// `npm run bench:model`: what distilling with a model sends, and which processes it leaves.
// The workload is 1,000 tool results of 2 KB, grouped in turns of several sizes. The providers are real (the
// SDKs, and Claude Code itself if it is installed in tests/tools); the service is scripted.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { answerJsonSchema } from "../../src/domain/memory/model-answer.ts";
import { reserveTokens } from "../../src/domain/memory/model-budget.ts";
import { chooseCandidates } from "../../src/domain/memory/model-candidates.ts";
import { makeModelPrompt } from "../../src/domain/memory/model-prompt.ts";
import type { Step, TurnRecord } from "../../src/domain/memory/turn-record.ts";
import { openScorer } from "../../src/store/open-scorer.ts";
import { loadProvider, type ProviderAccess } from "../../src/model/load-provider.ts";
import { processesMentioning } from "../support/processes.ts";
import { openScriptedApi } from "../support/scripted-api.ts";
import { countTokens } from "./count-tokens.ts";
import { formatBars, formatSection, judge, type Section } from "./report.ts";
import { readSessions, toRecord } from "./sessions.ts";

const toolUses = 1_000;
const claude = fileURLToPath(new URL("../tools/node_modules/.bin/claude", import.meta.url));
const answer = JSON.stringify({ notes: [] });
const scorer = openScorer();
const told = readSessions().flatMap(({ turns }) => turns.map(toRecord));
const toolSteps = told.flatMap(({ steps }) => steps.filter((step) => step.kind === "tool"));
const outputs = toolSteps.map(({ output }) => output).join("\n");
const folder = mkdtempSync(join(tmpdir(), "rk-bench-model-"));
const api = await openScriptedApi();
api.respondWith(() => ({ text: answer }));

try {
  const sections = [await measureTokens(), await measureChildren()];
  for (const section of sections) console.log(formatSection(section));
  console.log(formatBars(sections));
  if (sections.some(({ bars }) => bars.some((bar) => judge(bar) === "MISSED"))) process.exitCode = 1;
} finally {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
}

function access(kind: "claude" | "anthropic" | "openai", executable = claude): ProviderAccess {
  if (kind === "anthropic") return { kind, model: "small", baseUrl: api.url, apiKey: "sk-x" };
  if (kind === "openai") return { kind, model: "small", baseUrl: `${api.url}/v1`, apiKey: "sk-x" };
  const { PATH } = process.env;
  const environment = {
    PATH,
    HOME: folder,
    TMPDIR: folder,
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: "sk-x",
  };
  return { kind, model: "haiku", executable, environment, folder, timeoutMs: 20_000, onChild() {} };
}

/** Counts everything that is sent, including the provider's own text. */
async function measureTokens(): Promise<Section> {
  const rows: (string | number)[][] = [];
  let most = 0;
  let perThousandAtTen = 0;
  for (const perTurn of [1, 5, 10, 25, 100]) {
    const turns = makeTurns(perTurn);
    const row: (string | number)[] = [`${perTurn} a turn`, turns.length];
    for (const kind of ["anthropic", "openai", "claude"] as const) {
      // Claude Code takes most of a second per call, so a sample is enough.
      const isThere = kind !== "claude" || existsSync(claude);
      const every = kind === "claude" ? Math.ceil(turns.length / 10) : 1;
      const sample = isThere ? turns.filter((_, n) => n % every === 0) : [];
      const tokens =
        sample.length === 0 ? Number.NaN : ((await send(kind, sample)) / sample.length) * turns.length;
      row.push(tokens);
      if (tokens > most) most = tokens;
      if (perTurn === 10 && tokens > perThousandAtTen) perThousandAtTen = tokens;
    }
    const reserved = turns.reduce((sum, { system, user }) => sum + reserveTokens(system, user), 0);
    rows.push([...row, reserved]);
  }
  return {
    title: `Tokens sent for ${toolUses} tool results of 2 KB`,
    columns: ["", "calls", "anthropic", "openai", "claude -p", "reserved"],
    rows,
    notes: ["Counted with o200k. The peer sends about 52,000,000 on this workload."],
    bars: [
      {
        name: "tokens per 1,000 tool uses, 10 a turn",
        measured: perThousandAtTen,
        limit: { atMost: 1_000_000 },
        unit: "",
      },
      {
        name: "tokens per 1,000 tool uses, worst grouping",
        measured: most,
        limit: { atMost: 1_000_000 },
        unit: "",
      },
    ],
  };
}

async function send(
  kind: "claude" | "anthropic" | "openai",
  turns: { system: string; user: string }[],
): Promise<number> {
  const provider = await loadProvider(access(kind));
  api.requests.length = 0;
  for (const { system, user } of turns) {
    const request = { system, user, schema: answerJsonSchema, maxOutputTokens: 2_000, maxUsd: undefined };
    const { outcome } = await provider.complete(request, AbortSignal.timeout(20_000));
    if (outcome !== "answered") throw new Error(`${kind}: ${outcome}`);
  }
  if (api.requests.length !== turns.length)
    throw new Error(`${api.requests.length} calls for ${turns.length} turns`);
  return api.requests.reduce((sum, { body }) => sum + countTokens(whatIsRead(body)), 0);
}

/** All text that the model reads: instructions, messages and the schema of the answer, as in the request. */
function whatIsRead(body: Record<string, unknown>): string {
  const { system, messages, tools, output_config: config, response_format: format } = body;
  return JSON.stringify({ system, messages, tools, config, format });
}

/** Text from the labelled sessions: their prompts and last messages, and their outputs joined to 2 KB each. */
function makeTurns(perTurn: number): { system: string; user: string }[] {
  const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
  return Array.from({ length: toolUses / perTurn }, (_, turn) => {
    const { prompt, final } = pick(told, turn);
    const steps = Array.from({ length: perTurn }, (_, n): Step => {
      const step = pick(toolSteps, turn * perTurn + n);
      return { ...step, output: cutOutput((turn * perTurn + n) * 2_048) };
    });
    const record: TurnRecord = { prompt, isMachine: false, steps, final, outcome: "completed" };
    const candidates = chooseCandidates(record, scorer(record, ""), "event");
    return makeModelPrompt(candidates, `project-${turn % 3}`);
  });
}

function cutOutput(from: number): string {
  const start = from % (outputs.length - 2_048);
  return outputs.slice(start, start + 2_048);
}

/** A substitute that leaves a process behind each time, which the real one never does; and a few runs of the real one. */
async function measureChildren(): Promise<Section> {
  const standIn = join(folder, "claude");
  writeFileSync(standIn, `#!/bin/sh\nsleep 600 &\necho '{"is_error":false,"result":"{}"}'\n`, {
    mode: 0o755,
  });
  const rows: (string | number)[][] = [];
  const left: number[] = [];
  for (const [name, executable, turns] of [
    ["a stand-in that starts another process", standIn, 1_000],
    ["Claude Code", claude, existsSync(claude) ? 30 : 0],
  ] as const) {
    const provider = await loadProvider(access("claude", executable));
    const startedAt = performance.now();
    const request = { system: "s", user: "u", schema: {}, maxOutputTokens: 500, maxUsd: undefined };
    for (let n = 0; n < turns; n++) {
      const { outcome } = await provider.complete(request, AbortSignal.timeout(20_000));
      if (outcome !== "answered") throw new Error(outcome);
    }
    const alive = (await processesMentioning(folder)).length;
    left.push(alive);
    rows.push([name, turns, (performance.now() - startedAt) / Math.max(1, turns), alive]);
  }
  return {
    title: "Processes after calls through claude -p",
    columns: ["", "calls", "ms a call", "processes left"],
    rows,
    bars: [{ name: "processes left", measured: Math.max(...left), limit: { atMost: 0 }, unit: "" }],
  };
}
