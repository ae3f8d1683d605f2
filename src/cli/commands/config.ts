import { getPath, loadConfig } from "../../config/load.ts";
import { listConfigKeys } from "../../config/schema.ts";
import type { Command } from "../command.ts";

export const config: Command = {
  summary: "Every setting, its value, and with --explain what it does and where it came from.",
  usage: "[--explain]",
  examples: ["rookery config", "rookery config --explain"],
  options: { explain: { type: "boolean" } },
  optionHelp: { explain: "say what each setting does and where its value came from" },
  async run(context, { flags }) {
    const { config: values, sources } = loadConfig(context.home.config, context.environment);
    const keys = listConfigKeys().map((key) => ({
      ...key,
      value: getPath(values, key.path),
      source: sources[key.path],
    }));
    if (context.isJson) context.print(JSON.stringify(keys, null, 2));
    else
      for (const { path, value, source, env, description } of keys) {
        context.print(`${path} = ${JSON.stringify(value)}`);
        if (flags.explain)
          context.print(`    ${description}\n    from: ${source}   file key: ${path}   environment: ${env}`);
      }
    if (flags.explain && !context.isJson) context.print(`\nFile: ${context.home.config}`);
    return 0;
  },
};
