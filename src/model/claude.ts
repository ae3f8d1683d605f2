import { spawn } from "node:child_process";
import * as z from "zod";
import { tryParseJson } from "../shared/json.ts";
import { killProcessGroup } from "./kill-process-group.ts";
import type { Completion, Provider, Usage } from "./provider.ts";
import { judgeStatus } from "./read-failure.ts";

export interface ClaudeAccess {
  model: string;
  /** Claude Code: a path, or a name to look up in the PATH of `environment`. */
  executable: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Working directory: must not contain files of the user. */
  folder: string;
  timeoutMs: number;
  /** Reports the child's pid, so that the next daemon can end a child that outlived a killed one. */
  onChild(pid: number | undefined): void;
}

/** The fields that we read from the output of `claude -p --output-format json`. */
const printed = z.object({
  is_error: z.boolean(),
  result: z.string().optional(),
  api_error_status: z.number().nullish(),
  stop_reason: z.string().nullish(),
  duration_api_ms: z.number().default(0),
  total_cost_usd: z.number().default(0),
  modelUsage: z
    .record(
      z.string(),
      z.object({
        inputTokens: z.number().default(0),
        outputTokens: z.number().default(0),
        cacheReadInputTokens: z.number().default(0),
        cacheCreationInputTokens: z.number().default(0),
      }),
    )
    .default({}),
});

/** An answer has a few kilobytes; a child that prints far more is killed. */
const maxOutput = 1_000_000;

/**
 * One call through the user's own Claude Code and login: a short-lived child in its own process group, which is killed
 * as a whole. It runs without tools and without the user's settings, hooks, plugins and memory, and writes no
 * transcript, so that neither our hooks nor our import ever see it.
 */
export function makeClaudeProvider(access: ClaudeAccess): Provider {
  return {
    async complete({ system, user, maxOutputTokens, maxUsd }, signal) {
      const args = [
        "-p",
        "--output-format",
        "json",
        "--model",
        access.model,
        "--system-prompt",
        system,
        "--tools",
        "",
        "--max-turns",
        "1",
        "--effort",
        "low",
        "--safe-mode",
        "--strict-mcp-config",
        "--no-session-persistence",
        ...(maxUsd === undefined ? [] : ["--max-budget-usd", maxUsd.toFixed(6)]),
      ];
      const ran = await runOnce(access, args, user, makeChildEnvironment(access, maxOutputTokens), signal);
      return typeof ran === "string" ? readPrinted(ran) : ran;
    },
  };
}

function makeChildEnvironment(
  { environment, timeoutMs }: ClaudeAccess,
  maxOutputTokens: number,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && !name.startsWith("ROOKERY_")) kept[name] = value;
  return {
    ...kept,
    ROOKERY_OFF: "1",
    // Otherwise it retries for minutes, at the user's cost.
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_DISABLE_REFUSAL_RETRY: "1",
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // Makes the child end on its own if the daemon is gone.
    API_TIMEOUT_MS: String(timeoutMs),
  };
}

/** Its output, or the outcome if it could not run or was killed. */
function runOnce(
  { executable, folder, onChild }: ClaudeAccess,
  args: string[],
  input: string,
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<string | Completion> {
  if (signal.aborted) return Promise.resolve({ outcome: "lost", detail: "cancelled before it started" });
  const { promise, resolve } = Promise.withResolvers<string | Completion>();
  const child = spawn(executable, args, {
    cwd: folder,
    env,
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  onChild(child.pid);
  let output = "";
  const end = (): void => killProcessGroup(child.pid);
  signal.addEventListener("abort", end, { once: true });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.length > maxOutput) end();
  });
  child.stdin.on("error", () => {}); // It exited without reading its input; the exit handler covers that.
  child.stdin.end(input);
  child.on("error", () =>
    resolve({
      outcome: "rejected",
      why: "unfit",
      detail: `cannot run ${executable}`,
      retryAfterMs: undefined,
    }),
  );
  // Kills leftover children too: they would keep stdout open.
  child.on("exit", end);
  child.on("close", () =>
    resolve(signal.aborted ? { outcome: "lost", detail: "no answer in time" } : output),
  );
  return promise.finally(() => {
    signal.removeEventListener("abort", end);
    onChild(undefined);
  });
}

function readPrinted(output: string): Completion {
  const parsed = printed.safeParse(tryParseJson(output));
  if (!parsed.success)
    return {
      outcome: "rejected",
      why: "unfit",
      detail: "claude -p printed no result; is it up to date?",
      retryAfterMs: undefined,
    };
  const { is_error: isError, result, api_error_status: status, stop_reason: stop } = parsed.data;
  const usage = sumUsage(parsed.data);
  if (!isError) return { outcome: "answered", text: result ?? "", usage };
  if (status)
    return {
      outcome: "rejected",
      why: judgeStatus(status),
      detail: `HTTP ${status}`,
      retryAfterMs: undefined,
    };
  if (stop === "refusal") return { outcome: "refused", usage };
  if (usage.outputTokens > 0) return { outcome: "truncated", usage };
  if (parsed.data.duration_api_ms === 0)
    return { outcome: "rejected", why: "denied", detail: "not logged in", retryAfterMs: undefined };
  return { outcome: "lost", detail: "no answer in time" };
}

function sumUsage({ modelUsage, total_cost_usd: usd }: z.infer<typeof printed>): Usage {
  const sum: Usage = { inputTokens: 0, outputTokens: 0, usd };
  for (const used of Object.values(modelUsage)) {
    sum.inputTokens += used.inputTokens + used.cacheReadInputTokens + used.cacheCreationInputTokens;
    sum.outputTokens += used.outputTokens;
  }
  return sum;
}
