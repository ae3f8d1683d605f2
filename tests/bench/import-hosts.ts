/** Measures how fast transcripts of the other hosts are imported: `node tests/bench/import-hosts.ts [MB of each]`. */
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ImportView } from "../../src/protocol/import.ts";
import { samplesOf } from "../fixtures/hosts/samples.ts";
import { formatBars, formatSection, type Section } from "./report.ts";
import { rate, runImport } from "./run-import.ts";
import { openStage, type Stage } from "./stage.ts";

const [megabytes = "60"] = process.argv.slice(2);
/** Where each host writes the transcript of a session. */
const places = {
  codex: (id: string) => `sessions/2026/11/15/rollout-2026-11-15T21-45-00-${id}.jsonl`,
  copilot: (id: string) => `session-state/${id}/events.jsonl`,
  qwen: (id: string) => `projects/-bench/chats/${id}.jsonl`,
  gemini: (id: string) => `tmp/bench/chats/session-2026-11-15T21-46-${id.slice(0, 8)}.jsonl`,
};
const turnsPerSession = 20;
/** As long as the results of all calls of an ordinary turn. */
const output = "src/pool.ts:12  expected 4 connections, got 3\n".repeat(600);

const stage = openStage();
try {
  const section = await benchImports(stage);
  console.log(formatSection(section));
  console.log(formatBars([section]));
} finally {
  await stage.close();
}

async function benchImports(stage: Stage): Promise<Section> {
  const imports: { host: string; view: ImportView }[] = [];
  for (const host of Object.keys(places) as (keyof typeof places)[])
    imports.push({ host, view: await importFrom(stage, host) });
  return {
    title: `Import of ${megabytes} MB of transcripts of each other host`,
    columns: ["", "files", "turns", "MB/s"],
    rows: imports.map(({ host, view }) => [host, view.files, view.turns, rate(view)]),
    bars: imports.map(({ host, view }) => ({
      name: `${host}: stored, searchable`,
      measured: rate(view),
      unit: "MB/s",
      limit: { atLeast: 20 },
    })),
  };
}

async function importFrom(stage: Stage, host: keyof typeof places): Promise<ImportView> {
  const bench = stage.openHome(`import-${host}`);
  const folder = join(bench.env.HOME as string, `.${host}`);
  const wanted = writeSessions(host, folder);
  await bench.startDirectly();
  const view = await runImport(bench, folder, () => new Promise((resolve) => setTimeout(resolve, 50)));
  await bench.stop();
  const { files, turns, damaged } = view;
  if (files !== wanted.files || turns !== wanted.turns || damaged !== 0)
    throw new Error(`${JSON.stringify(wanted)} written, but the import found ${JSON.stringify(view)}`);
  return view;
}

/** Repeats the recorded turn with other ids and longer results, in sessions of `turnsPerSession`. */
function writeSessions(host: keyof typeof places, folder: string): { files: number; turns: number } {
  const recorded = samplesOf(host).transcript.lines.join("\n");
  const text = recorded.replaceAll(/1 failed(?:\\n)?/g, JSON.stringify(output).slice(1, -1));
  const [, recordedSession = ""] = /"(?:session_?[iI]d|thread_id)":"([^"]+)"/.exec(text) ?? [];
  let turns = 0;
  let files = 0;
  for (let size = 0; size < Number(megabytes) * 1_000_000; files++) {
    const session = randomUUID();
    const written = Array.from({ length: turnsPerSession }, () => {
      const turn = ++turns;
      return text
        .replaceAll(recordedSession, session)
        .replaceAll(/"(id|uuid|toolCallId)":"([\w-]{1,30})"/g, `"$1":"$2-${turn}"`)
        .replaceAll(/"turn_id":"[^"]+"/g, `"turn_id":"turn-${turn}"`)
        .replaceAll(
          /"timestamp":"([^"]+)"/g,
          (_, at: string) => `"timestamp":"${addMinutes(at, 10 * turn)}"`,
        );
    });
    const path = join(folder, places[host](session));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${written.join("\n")}\n`);
    size += written.join("\n").length;
  }
  return { files, turns };
}

function addMinutes(at: string, minutes: number): string {
  return new Date(Date.parse(at) + minutes * 60_000).toISOString();
}
