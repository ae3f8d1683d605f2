import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { distilTurn } from "../../src/domain/memory/distil/distil-turn.ts";
import { makeScorer } from "../../src/domain/memory/distil/scorer.ts";
import { listSentences } from "../../src/domain/memory/distil/sentences.ts";
import { putSection, removeSection } from "../../src/domain/memory/folder-section.ts";
import { makePathPattern, makePhrasePattern } from "../../src/domain/memory/forget-pattern.ts";
import { readModelAnswer } from "../../src/domain/memory/model-answer.ts";
import { parsePrompt, parseQuery, parseTyping } from "../../src/domain/memory/query.ts";
import { fenceDeliveries } from "../../src/domain/delivery/fence.ts";
import { shortenPayload } from "../../src/domain/capture/shorten.ts";
import { mayOverlap } from "../../src/domain/mail/lease.ts";
import { removeAt, setAt } from "../../src/install/json-text.ts";
import { redactText } from "../../src/redact/redact-text.ts";
import { redactValue } from "../../src/redact/redact-value.ts";
import { readFromPs } from "../../src/shared/process-table.ts";
import { fuzz } from "./fuzz.ts";
import { json, jsonText, object, text } from "./hostile.ts";

const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

fuzz("redaction of texts", fc.tuple(text, text), ([before, after]) => {
  redactText(before);
  const { text: kept } = redactText(`${before}\n${secret}\n${after}`);
  expect(kept).not.toContain(secret);
});

fuzz("redaction of values", json, (value) => {
  expect(JSON.stringify(redactValue({ value, token: secret }).value)).not.toContain(secret);
});

fuzz("queries", text, parseQuery);
fuzz("queries that are being typed", text, parseTyping);
fuzz("prompts that memory is searched with", text, parsePrompt);

fuzz("phrases to forget", fc.tuple(text, text), ([given, stored]) => {
  const phrase = given.trim().slice(0, 1_000).trim(); // As the API limits it.
  if (phrase === "") return;
  new RegExp(makePhrasePattern(phrase), "iu").test(stored);
  new RegExp(makePathPattern(phrase), "iu").test(stored);
  expect(JSON.stringify(phrase)).toMatch(new RegExp(makePhrasePattern(phrase), "iu"));
});

fuzz("Markdown of agents", text, listSentences);

const scorer = makeScorer(readFileSync(new URL("../../src/store/weights/distil.bin", import.meta.url)));
fuzz("turns", fc.tuple(text, text, text, text), ([prompt, said, final, previousFinal]) => {
  const turn = {
    prompt,
    isMachine: false,
    steps: [{ kind: "say" as const, text: said }],
    final,
    outcome: null,
  };
  distilTurn(turn, { scorer, previousFinal, promptEventId: "p" });
});

fuzz("answers of a model", jsonText, (answer) => readModelAnswer(answer, []));

fuzz("fenced deliveries", fc.array(fc.tuple(text, text), { maxLength: 3 }), (given) => {
  const deliveries = given.map(([sender, body], n) => ({
    id: `d${n}`,
    kind: "message",
    sender,
    source: sender,
    body,
    createdAt: n,
  }));
  const { text: fenced, taken } = fenceDeliveries(deliveries, 8_000);
  expect(fenced.match(/<\/?rookery-delivery/g) ?? []).toHaveLength(2 * taken.length);
});

fuzz("sections in files of the person", fc.tuple(text, fc.array(text, { maxLength: 3 })), ([own, lines]) => {
  const before = own.replaceAll("rookery-context", "");
  const safe = lines.map((line) => line.replace(/rookery-context|[\r\n]/g, ""));
  expect(removeSection(putSection(before, safe)).text).toBe(before);
});

fuzz("settings files", fc.tuple(object, text, json), ([file, name, value]) => {
  const before = JSON.stringify(file, null, 2);
  const after: unknown = JSON.parse(setAt(before, [name], value));
  expect(Object.getOwnPropertyDescriptor(after, name)?.value).toEqual(JSON.parse(JSON.stringify(value)));
  JSON.parse(removeAt(before, [name]));
});

fuzz("long payloads", json, (value) => {
  JSON.stringify(shortenPayload(value, 100));
});

const pattern = text.map((glob) => glob.slice(0, 500) || "x");
fuzz("patterns of leases", fc.tuple(pattern, pattern), ([left, right]) => mayOverlap(left, right));

fuzz("lists of processes", fc.tuple(text, text), ([names, commands]) => {
  readFromPs(`12 1 ?? ${names}`, `12 ${commands}`)(12);
});
