import { callEndpoint } from "../../../client/request.ts";
import {
  embeddingsPresets,
  embeddingsProviders,
  type EmbeddingsProviderName,
} from "../../../config/embeddings-presets.ts";
import type { Secrets } from "../../../config/secrets.ts";
import type { EmbeddingsReport, EmbeddingsTrial } from "../../../protocol/embeddings.ts";
import { daemonEndpoints } from "../../../protocol/endpoints/daemon.ts";
import { embeddingsEndpoints } from "../../../protocol/endpoints/embeddings.ts";
import { AppError } from "../../../shared/errors.ts";
import { applySettings } from "../../apply-settings.ts";
import type { CliContext, Command, CommandInput } from "../../command.ts";
import { callAsPerson, startForPerson } from "../../call-as-person.ts";
import { formatCount } from "../../format.ts";
import { readChoice, readText, readVariable } from "../../read-flag.ts";

/** The user's choices, from flags or prompts; empty fields use the provider's defaults. */
interface Choices {
  provider: EmbeddingsProviderName;
  baseUrl: string;
  model: string;
  /** The key to store; empty if none is needed or it is stored already. */
  apiKey: string;
}

const names = embeddingsProviders.filter((name) => name !== "off");

export const setupEmbeddings: Command = {
  summary: "Get better vectors for search from Ollama or an OpenAI-compatible endpoint.",
  usage: "[--provider NAME] [--base-url URL] [--model NAME] [--key-from-env VARIABLE] | --off",
  examples: [
    "rookery setup embeddings",
    "rookery setup embeddings --provider ollama --model nomic-embed-text",
    "rookery setup embeddings --provider openai --base-url https://example.org/v1 --model small --key-from-env EXAMPLE_KEY",
    "rookery setup embeddings --off",
  ],
  options: {
    provider: { type: "string" },
    "base-url": { type: "string" },
    model: { type: "string" },
    "key-from-env": { type: "string" },
    off: { type: "boolean" },
  },
  optionHelp: {
    provider: `${names.join(", ")} (any OpenAI-compatible endpoint)`,
    "base-url": "base URL, if it is not the provider's default",
    model: "the embedding model, as the endpoint names it",
    "key-from-env": "read the API key from this environment variable and store it in secrets.json (0600)",
    off: "use the built-in table only",
  },
  oldOptions: { url: "base-url" },
  async run(context, { flags }) {
    if (flags.off) {
      await applySettings(context, { "embeddings.provider": null });
      context.print(
        context.isJson ? JSON.stringify({ provider: "off" }) : "Search uses the built-in table from now on.",
      );
      return 0;
    }
    const choices = await readChoices(context, flags);
    // Tested before anything is saved: if this setup does not work, the previous one stays unchanged.
    const trial = await tryOut(context, choices);
    const settings = {
      "embeddings.provider": trial.provider,
      "embeddings.baseUrl": choices.baseUrl || null,
      "embeddings.name": trial.model,
      "embeddings.dimensions": trial.dimensions,
    };
    const storeKey = ({ model }: Secrets): void => void (model.keys[trial.baseUrl] = choices.apiKey);
    await applySettings(context, settings, choices.apiKey ? storeKey : undefined);
    const report = (await callEndpoint(context.address, daemonEndpoints.getStatus)).embeddings;
    context.print(context.isJson ? JSON.stringify({ ...report, trial }) : describe(report, trial));
    return 0;
  },
};

async function tryOut(context: CliContext, body: Choices): Promise<EmbeddingsTrial> {
  await startForPerson(context);
  return callAsPerson(context, embeddingsEndpoints.tryEmbeddings, { body, timeoutMs: 70_000 });
}

async function readChoices(context: CliContext, flags: CommandInput["flags"]): Promise<Choices> {
  const ask = async (flag: string, question: string, fallback: string): Promise<string> => {
    const given = readText(flags[flag]);
    if (given !== undefined) return given;
    return (await context.ask?.(`${question}${fallback ? ` [${fallback}]` : ""}: `)) || fallback;
  };
  const named = await ask("provider", `Provider (${names.join(", ")})`, "");
  const provider = readChoice("--provider", named || undefined, names);
  if (!provider) throw new AppError("invalid_argument", `Missing --provider: ${names.join(" or ")}.`);
  const preset = embeddingsPresets[provider];
  const baseUrl = (await ask("base-url", "Base URL", preset.baseUrl)).replace(/\/+$/, "");
  const model = await ask("model", "Model", preset.model);
  const isDefault = baseUrl === preset.baseUrl;
  const apiKey = await readKey(context, flags, provider, isDefault ? preset.keyVariable : "");
  return { provider, model, baseUrl: isDefault ? "" : baseUrl, apiKey };
}

async function readKey(
  context: CliContext,
  flags: CommandInput["flags"],
  provider: EmbeddingsProviderName,
  keyVariable: string,
): Promise<string> {
  const given = readVariable(context, flags["key-from-env"]);
  if (given !== undefined) return given;
  if (provider === "ollama" || (keyVariable && context.environment[keyVariable])) return "";
  return (
    (await context.ask?.("Key (empty if it needs none or is stored already): ", { isHidden: true })) ?? ""
  );
}

function describe({ rows, state, reason }: EmbeddingsReport, trial: EmbeddingsTrial): string {
  const { model, baseUrl, dimensions, ms } = trial;
  const lines = [
    `${model} at ${baseUrl} answered in ${ms} ms with ${dimensions} dimensions.`,
    `${formatCount(rows, "text")} will be embedded in the background; until then, search uses the built-in table.`,
  ];
  if (state !== "ready") lines.push(`Not ready: ${reason}.`);
  lines.push("Progress: rookery status.  Stop: rookery setup embeddings --off");
  return lines.join("\n");
}
