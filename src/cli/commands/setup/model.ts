import { callEndpoint } from "../../../client/request.ts";
import { modelPresets, type ModelPreset, modelProviders } from "../../../config/model-presets.ts";
import type { Secrets } from "../../../config/secrets.ts";
import { findClaude } from "../../../install/find-claude.ts";
import { daemonEndpoints } from "../../../protocol/endpoints/daemon.ts";
import { modelEndpoints } from "../../../protocol/endpoints/model.ts";
import type { ModelReport, TrialView } from "../../../protocol/model.ts";
import { AppError } from "../../../shared/errors.ts";
import { applySettings } from "../../apply-settings.ts";
import type { CliContext, Command, CommandInput } from "../../command.ts";
import { formatUsd } from "../../format.ts";
import { readVariable } from "../../read-flag.ts";

type ProviderName = keyof typeof modelPresets;

/** The user's choices, from flags or prompts. */
interface ModelChoice {
  provider: ProviderName;
  model: string;
  baseUrl: string;
  /** The key to store; empty if none is needed or it is in the environment. */
  key: string;
}

/** Typical tokens per call, for the cost estimate that is shown before confirmation. */
const typicalTurn = { input: 800, output: 150 };
const typicalTrial = { input: 450, output: 50 };

export const setupModel: Command = {
  summary: "Let a model distil turns, under a daily budget.",
  usage: "[--provider NAME] [--model NAME] [--base-url URL] [--key-from-env VARIABLE] [--test] | --off",
  examples: [
    "rookery setup model",
    "rookery setup model --provider claude --test",
    "rookery setup model --provider openrouter --model vendor/name --key-from-env OPENROUTER_API_KEY",
    "rookery setup model --off",
  ],
  options: {
    provider: { type: "string" },
    model: { type: "string" },
    "base-url": { type: "string" },
    "key-from-env": { type: "string" },
    test: { type: "boolean" },
    off: { type: "boolean" },
  },
  optionHelp: {
    provider: modelProviders.filter((name) => name !== "off").join(", "),
    model: "the model, as the provider names it",
    "base-url": "base URL, if it is not the provider's default",
    "key-from-env": "read the API key from this environment variable and store it in secrets.json (0600)",
    test: "make one small test call (billed as usual)",
    off: "stop using a model",
  },
  async run(context, { flags }) {
    if (flags.off) {
      await applySettings(context, { "model.provider": null });
      context.print(context.isJson ? JSON.stringify({ provider: "off" }) : "The model is switched off.");
      return 0;
    }
    const choice = await readChoices(context, flags);
    const settings = {
      "model.provider": choice.provider,
      "model.name": choice.model || null,
      "model.baseUrl": choice.baseUrl || null,
      "model.executable":
        choice.provider === "claude" ? (findClaude(context.environment.PATH) ?? null) : null,
    };
    const storeKey = ({ model }: Secrets): void => void (model.keys[addressOf(choice)] = choice.key);
    await applySettings(context, settings, choice.key ? storeKey : undefined);
    const report = await readReport(context);
    if (!context.isJson) context.print(describe(report));
    const isAgreed =
      flags.test === true || (report.state === "ready" && (await agreesToTrial(context, report)));
    const trial = isAgreed ? await runTrial(context) : undefined;
    if (context.isJson) context.print(JSON.stringify({ ...report, trial: trial ?? null }));
    else if (trial)
      context.print(
        `The model answered in ${trial.ms} ms: ${trial.inputTokens} tokens in, ${trial.outputTokens} out${trial.usd === null ? "" : `, ${formatUsd(trial.usd)}`}.`,
      );
    return 0;
  },
};

async function readChoices(context: CliContext, flags: CommandInput["flags"]): Promise<ModelChoice> {
  const ask = async (flag: string, question: string, fallback: string): Promise<string> => {
    const given = flags[flag];
    if (typeof given === "string") return given;
    return (await context.ask?.(`${question}${fallback ? ` [${fallback}]` : ""}: `)) || fallback;
  };
  const names = Object.keys(modelPresets);
  const provider = await ask("provider", `Provider (${names.join(", ")})`, "");
  if (!isProvider(provider))
    throw new AppError(
      "invalid_argument",
      `${provider ? `Unknown provider ${JSON.stringify(provider)}.` : "Missing --provider."} Use one of ${names.join(", ")}.`,
    );
  const preset = modelPresets[provider];
  const model = await ask("model", "Model", preset.model);
  if (!model) throw new AppError("invalid_argument", `Provider ${provider} needs --model.`);
  const baseUrl = typeof flags["base-url"] === "string" ? flags["base-url"] : "";
  const choice = { provider, model: model === preset.model ? "" : model, baseUrl };
  return { ...choice, key: await readKey(context, flags, choice.provider, preset, baseUrl) };
}

/** Anthropic's key is never stored by us; docs/model.md lists where it is read from. */
async function readKey(
  context: CliContext,
  flags: CommandInput["flags"],
  provider: ProviderName,
  { keyVariable }: ModelPreset,
  baseUrl: string,
): Promise<string> {
  const given = readVariable(context, flags["key-from-env"]);
  if (given && (provider === "claude" || provider === "anthropic"))
    throw new AppError("invalid_argument", `Provider ${provider} needs no stored key; see docs/model.md.`);
  if (given) return given;
  const isKnown = provider === "anthropic" || !keyVariable || (!baseUrl && context.environment[keyVariable]);
  if (isKnown) return "";
  return (await context.ask?.(`API key (empty if ${keyVariable} will be set): `, { isHidden: true })) ?? "";
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(modelPresets, name);
}

function addressOf({ baseUrl, provider }: ModelChoice): string {
  return baseUrl || modelPresets[provider].baseUrl;
}

async function readReport(context: CliContext): Promise<ModelReport> {
  return (await callEndpoint(context.address, daemonEndpoints.getStatus)).model;
}

function describe({ provider, name, state, reason, price, budget }: ModelReport): string {
  const lines = [`Turns are distilled by ${name} (${provider}) from now on, with at most one call per turn.`];
  lines.push(
    price
      ? `A turn costs about ${formatUsd(costOf(price, typicalTurn))}; calls stop for the day at ${formatUsd(budget.usd)} or ${budget.tokens} tokens.`
      : `Its price is not known (set model.inputUsd and model.outputUsd); calls stop for the day at ${budget.tokens} tokens.`,
  );
  if (state !== "ready") lines.push(`Not ready: ${reason}.`);
  lines.push("Show the cost: rookery spend.  Stop: rookery setup model --off");
  return lines.join("\n");
}

async function agreesToTrial(context: CliContext, { price }: ModelReport): Promise<boolean> {
  const cost = price ? `, about ${formatUsd(costOf(price, typicalTrial))}` : "";
  const answer = await context.ask?.(
    `Make one small call now to check that it works (about 500 tokens${cost})? [y/N] `,
  );
  return /^y/i.test(answer ?? "");
}

function runTrial(context: CliContext): Promise<TrialView> {
  return callEndpoint(context.address, modelEndpoints.tryModel, { timeoutMs: 310_000 });
}

function costOf(price: { input: number; output: number }, tokens: { input: number; output: number }): number {
  return (price.input * tokens.input + price.output * tokens.output) / 1_000_000;
}
