import { createRequire } from "node:module";

/**
 * A real tokenizer to check our estimates. Claude's is not published; this is OpenAI's o200k, which
 * splits code and prose in a similar way.
 */
export const countTokens: (text: string) => number = load();

function load(): (text: string) => number {
  const require = createRequire(new URL("../tools/package.json", import.meta.url));
  return require("gpt-tokenizer/encoding/o200k_base").countTokens;
}
