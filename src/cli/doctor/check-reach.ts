import { formatCount } from "../format.ts";
import { setTimeout as delay } from "node:timers/promises";
import { readDaemonFile } from "../../client/discover.ts";
import { callEndpoint } from "../../client/request.ts";
import { mailEndpoints } from "../../protocol/endpoints/mail.ts";
import type { StatusReport } from "../../protocol/status.ts";
import { describeHomeserverTrouble } from "../homeserver-health.ts";
import { describePresence } from "../../protocol/reach.ts";
import { type Check, ok, problem, type CheckResult, skipped, warning } from "./check-result.ts";
import type { DoctorFacts } from "./doctor-facts.ts";

export const reachChecks: readonly Check[] = [
  { check: "Reaching you", run: checkReach },
  { check: "Homeserver", run: checkHomeserver },
  { check: "Model", run: checkModel },
  { check: "Embeddings", run: checkEmbeddings },
];

const noDaemon = "the daemon does not answer";
/** The homeserver starts after the daemon is ready, so that no session waits for it. */
const startsWithinMs = 20_000;
const timeoutMs = 10_000;

/** Whether questions can reach the person, and whether messages failed. */
async function checkReach({ status }: DoctorFacts): Promise<CheckResult | CheckResult[]> {
  const report = await status();
  if (!report) return skipped(noDaemon);
  const { channels, outbox, presence } = report;
  const remarks = channels.flatMap(judgeChannel);
  if (outbox.parked > 0)
    remarks.push(
      warning(
        `${formatCount(outbox.parked, "message")} to you could not be delivered`,
        "rookery outbox, then: rookery outbox --retry ID",
      ),
    );
  if (remarks.length > 0) return remarks;
  const ready = channels.filter(({ state }) => state !== "off").map(({ name }) => name);
  return ok(`${ready.join(", ") || "no channel is enabled"}. ${describePresence(presence)}`);
}

function judgeChannel({
  name,
  state,
  detail,
  canAnswer,
  people,
}: StatusReport["channels"][number]): CheckResult[] {
  if (state === "misconfigured" || state === "failing") return [problem(`${name} is ${state}`, detail)];
  if (canAnswer && state !== "off" && people === 0)
    return [warning(`${name} is not paired: you cannot answer there`, `rookery pair ${name}`)];
  return [];
}

async function checkHomeserver({
  config,
  status,
  context,
}: DoctorFacts): Promise<CheckResult | CheckResult[]> {
  const settings = config()?.config.matrix;
  if (!settings) return skipped("the configuration is not valid");
  if (!settings.enabled) return ok("off");
  const report = await status();
  if (!report) return skipped(noDaemon);
  const again = "rookery logs shows why, then: rookery restart";
  const trouble = report.homeserver && describeHomeserverTrouble(report.homeserver);
  if (settings.homeserver === "managed")
    return trouble ? problem(trouble, `Check matrix.command; ${again}`) : ok("managed, signed in");
  if (settings.homeserver !== "embedded") {
    const fix = "Check that it is up, and its address and login: rookery setup matrix";
    const remark = await judgeVersions(settings.homeserver, fix);
    if (trouble && remark.verdict === "ok") return problem(trouble, fix);
    return remark.verdict === "ok" ? judgeLimits(context, remark) : remark;
  }
  if (trouble && report.homeserver?.state !== "ready") return problem(trouble, again);
  if (trouble) return warning(trouble, "rookery logs shows when; report it if it happens again");
  for (const until = performance.now() + startsWithinMs; performance.now() < until; await delay(100)) {
    const port = readDaemonFile(context.home.daemonFile)?.matrixPort;
    if (port !== undefined) return judgeVersions(`http://127.0.0.1:${port}`, again);
  }
  return problem("the embedded homeserver does not start", again);
}

/** Restrictions of the server, seen since the daemon started. */
async function judgeLimits(
  context: DoctorFacts["context"],
  remark: CheckResult,
): Promise<CheckResult | CheckResult[]> {
  const { limits } = await callEndpoint(context.address, mailEndpoints.getMatrix);
  return limits.length === 0
    ? remark
    : limits.map((limit) => warning(limit, "docs/agents.md#another-homeserver"));
}

async function judgeVersions(url: string, fix: string): Promise<CheckResult> {
  try {
    const answer = await fetch(`${url}/_matrix/client/versions`, { signal: AbortSignal.timeout(timeoutMs) });
    if (answer.ok) return ok(`answers at ${url}`);
    return problem(`${url} answers with ${answer.status}`, fix);
  } catch (error) {
    return problem(`${url} does not answer: ${(error as Error).message}`, fix);
  }
}

async function checkModel({ status }: DoctorFacts): Promise<CheckResult> {
  const model = (await status())?.model;
  if (!model) return skipped(noDaemon);
  if (model.state === "off") return ok("none: memory works without one");
  if (model.state === "paused")
    return warning(
      `${model.provider} is paused: ${model.reason}`,
      "rookery setup model --test; until then, notes are made without a model",
    );
  if (model.state === "spent")
    return warning("today's budget is spent", "rookery spend; limits: model.dailyTokens, model.dailyUsd");
  return ok(`${model.provider} ${model.name}`);
}

async function checkEmbeddings({ status }: DoctorFacts): Promise<CheckResult> {
  const embeddings = (await status())?.embeddings;
  if (!embeddings) return skipped(noDaemon);
  const { state, reason, provider, name, rows, embedded } = embeddings;
  if (state === "off") return ok("none: search uses the built-in table");
  if (state === "paused")
    return warning(
      `${provider} is paused: ${reason}`,
      "rookery setup embeddings; until then, search uses the built-in table",
    );
  if (state === "spent")
    return warning("today's budget is spent", "rookery spend; limits: model.dailyTokens, model.dailyUsd");
  return ok(`${provider} ${name}, ${embedded} of ${formatCount(rows, "text")} embedded`);
}
