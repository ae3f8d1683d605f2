// all-MiniLM-L6-v2, read from its safetensors file and run on one token at a time: [CLS] token [SEP], mean of the three.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const width = 384;
const heads = 12;
const inner = 1536;
const layers = 6;
const [cls, sep] = [101, 102];
/** A multiple of four, as `multiply` requires. */
const together = 32;

type Weights = (name: string) => Float32Array;

/** The vocabulary in the order of its ids. */
export function readVocabulary(folder: string): string[] {
  const { model } = JSON.parse(readFileSync(join(folder, "tokenizer.json"), "utf8"));
  const byId: string[] = [];
  for (const [token, id] of Object.entries(model.vocab as Record<string, number>)) byId[id] = token;
  return byId;
}

/** One vector of 384 numbers for each id, in one array. */
export function embedTokens(
  folder: string,
  ids: readonly number[],
  onProgress: (done: number) => void,
): Float32Array {
  const weights = readWeights(join(folder, "model.fp16.safetensors"));
  const out = new Float32Array(ids.length * width);
  for (let at = 0; at < ids.length; at += together) {
    const some = ids.slice(at, at + together);
    const padding = Array<number>(together - some.length).fill(sep);
    const states = encode(weights, [...some, ...padding]);
    for (let n = 0; n < some.length; n++)
      for (let d = 0; d < width; d++) {
        const sum = [0, 1, 2].reduce((total, place) => total + (states[(n * 3 + place) * width + d] ?? 0), 0);
        out[(at + n) * width + d] = sum / 3;
      }
    onProgress(at + some.length);
  }
  return out;
}

function encode(weights: Weights, ids: readonly number[]): Float32Array {
  const rows = ids.length * 3;
  const words = weights("embeddings.word_embeddings.weight");
  const positions = weights("embeddings.position_embeddings.weight");
  const kinds = weights("embeddings.token_type_embeddings.weight");
  let x = new Float32Array(rows * width);
  ids.forEach((id, n) => {
    [cls, id, sep].forEach((token, place) => {
      for (let d = 0; d < width; d++)
        x[(n * 3 + place) * width + d] =
          (words[token * width + d] ?? 0) + (positions[place * width + d] ?? 0) + (kinds[d] ?? 0);
    });
  });
  normalise(x, weights, "embeddings.LayerNorm");
  for (let layer = 0; layer < layers; layer++) {
    const part = `encoder.layer.${layer}.`;
    const linear = (input: Float32Array, name: string, from: number, to: number): Float32Array =>
      multiply(input, weights(`${part}${name}.weight`), weights(`${part}${name}.bias`), from, to);
    const [query, key, value] = ["query", "key", "value"].map((name) =>
      linear(x, `attention.self.${name}`, width, width),
    ) as [Float32Array, Float32Array, Float32Array];
    const attended = linear(attend(query, key, value, ids.length), "attention.output.dense", width, width);
    x = add(x, attended);
    normalise(x, weights, `${part}attention.output.LayerNorm`);
    const hidden = linear(x, "intermediate.dense", width, inner).map(gelu);
    x = add(x, linear(hidden, "output.dense", inner, width));
    normalise(x, weights, `${part}output.LayerNorm`);
  }
  return x;
}

function attend(query: Float32Array, key: Float32Array, value: Float32Array, texts: number): Float32Array {
  const size = width / heads;
  const out = new Float32Array(query.length);
  for (let text = 0; text < texts; text++)
    for (let head = 0; head < heads; head++)
      for (let i = 0; i < 3; i++) {
        const at = (place: number): number => (text * 3 + place) * width + head * size;
        const scores = [0, 1, 2].map((j) => {
          let sum = 0;
          for (let d = 0; d < size; d++) sum += (query[at(i) + d] ?? 0) * (key[at(j) + d] ?? 0);
          return Math.exp(sum / Math.sqrt(size));
        });
        const total = scores.reduce((a, b) => a + b);
        scores.forEach((score, j) => {
          for (let d = 0; d < size; d++)
            out[at(i) + d] = (out[at(i) + d] ?? 0) + ((value[at(j) + d] ?? 0) * score) / total;
        });
      }
  return out;
}

/** `input` times the transpose of `weight`; four rows at once, because reading the weights takes most of the time. */
function multiply(
  input: Float32Array,
  weight: Float32Array,
  bias: Float32Array,
  from: number,
  to: number,
): Float32Array {
  const out = new Float32Array((input.length / from) * to);
  for (let a = 0, target = 0; a < input.length; a += 4 * from, target += 4 * to) {
    const [b, c, d] = [a + from, a + 2 * from, a + 3 * from];
    for (let column = 0; column < to; column++) {
      const w = column * from;
      let sa = bias[column] as number;
      let sb = sa;
      let sc = sa;
      let sd = sa;
      for (let k = 0; k < from; k++) {
        const factor = weight[w + k] as number;
        sa += (input[a + k] as number) * factor;
        sb += (input[b + k] as number) * factor;
        sc += (input[c + k] as number) * factor;
        sd += (input[d + k] as number) * factor;
      }
      out[target + column] = sa;
      out[target + to + column] = sb;
      out[target + 2 * to + column] = sc;
      out[target + 3 * to + column] = sd;
    }
  }
  return out;
}

function add(a: Float32Array, b: Float32Array): Float32Array<ArrayBuffer> {
  return Float32Array.from(a, (value, at) => value + (b[at] ?? 0));
}

function normalise(x: Float32Array, weights: Weights, name: string): void {
  const [scale, offset] = [weights(`${name}.weight`), weights(`${name}.bias`)];
  for (let at = 0; at < x.length; at += width) {
    const row = x.subarray(at, at + width);
    const mean = row.reduce((a, b) => a + b) / width;
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width;
    const deviation = Math.sqrt(variance + 1e-12);
    for (let d = 0; d < width; d++)
      row[d] = (((row[d] ?? 0) - mean) / deviation) * (scale[d] ?? 1) + (offset[d] ?? 0);
  }
}

function gelu(x: number): number {
  return (x / 2) * (1 + erf(x / Math.SQRT2));
}

/** Abramowitz and Stegun 7.1.26: the error is at most 1.5e-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}

function readWeights(path: string): Weights {
  const bytes = readFileSync(path);
  const headerBytes = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString("utf8", 8, 8 + headerBytes));
  const prefix = "embeddings.word_embeddings.weight" in header ? "" : "bert.";
  const known = new Map<string, Float32Array>();
  return (name) => {
    let values = known.get(name);
    if (!values) {
      const { dtype, data_offsets: offsets } = header[prefix + name];
      values = decode(
        bytes.subarray(8 + headerBytes + offsets[0], 8 + headerBytes + offsets[1]),
        String(dtype),
      );
      known.set(name, values);
    }
    return values;
  };
}

function decode(bytes: Buffer, type: string): Float32Array {
  if (type === "F32")
    return Float32Array.from({ length: bytes.length / 4 }, (_, n) => bytes.readFloatLE(n * 4));
  return Float32Array.from({ length: bytes.length / 2 }, (_, n) => fromHalf(bytes.readUInt16LE(n * 2)));
}

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = (bits & 0x3ff) / 1024;
  if (exponent === 0) return sign * 2 ** -14 * fraction;
  return exponent === 31 ? Number.NaN : sign * 2 ** (exponent - 15) * (1 + fraction);
}
