import { readFileSync } from "node:fs";
import { redactText } from "../../src/redact/redact-text.ts";
import { redactValue } from "../../src/redact/redact-value.ts";
import { makeInnocents, makeSecrets } from "./redact-generator.ts";
import { heldBack } from "./redact-held-back.ts";
import {
  type Document,
  halfOf,
  isHidden,
  makeLookalikes,
  readDocuments,
  readSamples,
} from "./redact-samples.ts";
import { tuned } from "./redact-tuned.ts";

/**
 * Measures how many secrets redaction finds, how much harmless text it removes, and its speed.
 * Run: node tests/bench/redact.ts [--misses] [--held-back] [DIR …]
 * --generated stops after the generated samples, --misses lists each miss of the tuned parts, --held-back the totals per held-out part.
 * DIRs contain more harmless text.
 */
const root = new URL("../..", import.meta.url).pathname;
const showMisses = process.argv.includes("--misses");
const showHeldBack = process.argv.includes("--held-back");
const extraRoots = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));

reportGenerated();
if (!process.argv.includes("--generated")) {
  reportRecall();
  reportFalseFinds();
  reportSpeed();
  reportHostile();
}

/** Prints only totals for the held-out parts: listing misses would invite tuning on them. */
function reportGenerated(): void {
  console.log(
    "Generated: places × names × values (secrets removed; innocent texts in which anything was hidden)",
  );
  for (const [set, parts] of Object.entries({ tuned, "held back": heldBack })) {
    const removed = new Map<string, [number, number]>();
    const taken = new Map<string, [number, number]>();
    const listed = showMisses && set === "tuned";
    for (const sample of makeSecrets(parts, 100, 20_261)) {
      const { text } = redactText(sample.text);
      const hidden = isHidden(sample, text);
      count(removed, `${set}, secrets`, hidden);
      if (listed || showHeldBack) count(removed, `  ${sample.place}`, hidden);
      if (listed && !hidden) console.log(`  missed: ${JSON.stringify(text)}`);
    }
    for (const { kind, text } of makeInnocents(parts, 100, 20_262)) {
      const redacted = redactText(text);
      count(taken, `${set}, innocents`, redacted.hidden > 0);
      if (listed || showHeldBack) count(taken, `  ${kind}`, redacted.hidden > 0);
      if (listed && redacted.hidden > 0)
        console.log(`  taken: ${JSON.stringify(text)} -> ${JSON.stringify(redacted.text)}`);
    }
    print(removed, "removed");
    print(taken, "hidden");
  }
}

function reportRecall(): void {
  console.log("Recall (a sample counts if neither the secret nor half of it is left)");
  const tally = new Map<string, [number, number]>();
  for (const sample of readSamples()) {
    const half = halfOf(sample.rule);
    const hidden = isHidden(sample, redactText(sample.text).text);
    for (const row of [`${sample.set}, ${half}`, `all, ${half}`]) count(tally, row, hidden);
    if (!hidden && showMisses)
      console.log(`  missed ${sample.rule}: ${JSON.stringify(sample.text.slice(0, 200))}`);
  }
  print(tally, "found");
}

/** Counted per document and per line, because one false positive affects either. */
function reportFalseFinds(): void {
  console.log("False finds (documents in which anything at all was hidden; then such lines)");
  const documents: Document[] = [
    { name: "package-lock.json", kind: "lockfile", text: readFileSync(`${root}/package-lock.json`, "utf8") },
    ...makeLookalikes(200),
    ...readDocuments([`${root}/node_modules`, ...extraRoots], 4000),
  ];
  const tally = new Map<string, [number, number]>();
  for (const { name, kind, text } of documents) {
    const half = halfOf(name);
    const redacted = redactText(text);
    for (const row of [kind, `all documents, ${half}`]) count(tally, row, redacted.hidden > 0);
    const lines = text.split("\n").length;
    const [bad, all] = tally.get(`all lines, ${half}`) ?? [0, 0];
    tally.set(`all lines, ${half}`, [bad + Math.min(lines, redacted.hidden), all + lines]);
    if (redacted.hidden > 0 && showMisses) console.log(`  hidden in ${name}: ${redacted.kinds.join(", ")}`);
  }
  print(tally, "hidden");
}

function reportSpeed(): void {
  console.log("Speed (best of several runs)");
  const source = readFileSync(`${root}/node_modules/zod/v4/core/schemas.js`, "utf8");
  const markdown = readDocuments([`${root}/node_modules`], 100_000).filter(({ kind }) => kind === "md files");
  const payload = {
    session_id: "0b9c4d6e-1c1e-4a50-9b3e-5f0a3c8f9f11",
    tool_name: "Bash",
    tool_use_id: "toolu_01A09q90qw90lq917835lq9a",
    tool_input: { command: "npm test", description: "Run the tests" },
    tool_response: { stdout: source.slice(2000, 3700), stderr: "", interrupted: false },
  };
  const size = JSON.stringify(payload).length;
  console.log(
    `  payload of ${size} characters: ${(time(() => redactValue(payload), 200) * 1000).toFixed(1)} µs`,
  );
  for (const [name, texts] of Object.entries({
    source: [source],
    markdown: markdown.map(({ text }) => text),
  })) {
    let ms = 0;
    let characters = 0;
    for (const text of texts) {
      ms += time(() => redactText(text), 1, 20);
      characters += text.length;
    }
    console.log(`  ${name}: ${(characters / 1000 / ms).toFixed(0)} MB/s`);
  }
}

/** One megabyte each; quadratic code would take minutes. */
function reportHostile(): void {
  const units = [
    "a",
    "=",
    '"',
    "\\",
    "[",
    "eyJ-",
    "sk-",
    "password=",
    'password="',
    "token: '",
    "://a:",
    "<private ",
    "[secret:",
  ];
  const texts = units.map((unit): [string, string] => [
    unit,
    unit.repeat(Math.ceil(1_000_000 / unit.length)),
  ]);
  texts.push(["base64", Buffer.from(units.join("").repeat(12_000)).toString("base64").slice(0, 1_000_000)]);
  texts.push(["-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----".repeat(37_000)]);
  const times = texts.map(
    ([unit, text]) => `${JSON.stringify(unit)} ${time(() => redactText(text), 1, 1).toFixed(0)}`,
  );
  console.log(`Hostile text, 1 MB of one thing, ms: ${times.join(", ")}`);
}

function time(act: () => unknown, repeats: number, rounds = 5): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    for (let repeat = 0; repeat < repeats; repeat++) act();
    best = Math.min(best, (performance.now() - start) / repeats);
  }
  return best;
}

function count(tally: Map<string, [number, number]>, row: string, yes: boolean): void {
  const [hits, all] = tally.get(row) ?? [0, 0];
  tally.set(row, [hits + Number(yes), all + 1]);
}

function print(tally: Map<string, [number, number]>, verb: string): void {
  for (const [row, [hits, all]] of [...tally].toSorted(([a], [b]) => a.localeCompare(b))) {
    console.log(
      `  ${row.padEnd(28)} ${String(hits).padStart(6)} of ${String(all).padEnd(7)} ${((100 * hits) / all).toFixed(2)} % ${verb}`,
    );
  }
}
