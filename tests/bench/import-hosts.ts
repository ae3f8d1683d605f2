/** Measures how fast transcripts of the other hosts are imported: `node tests/bench/import-hosts.ts [MB of each]`. */
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ImportView } from "../../src/protocol/import.ts";
import { DatabaseSync } from "node:sqlite";
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

/** The tables of OpenCode that we read, with its own indexes. */
const tables = `
  CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_updated INTEGER);
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL, data TEXT NOT NULL);
  CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
  CREATE INDEX part_message_id_id_idx ON part (message_id, id);
  CREATE INDEX part_session_idx ON part (session_id);`;

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
    imports.push({ host, view: await importFrom(stage, host, (folder) => writeSessions(host, folder)) });
  imports.push({ host: "opencode", view: await importFrom(stage, "opencode", writeDatabase) });
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

async function importFrom(
  stage: Stage,
  host: string,
  write: (folder: string) => { files: number; turns: number },
): Promise<ImportView> {
  const bench = stage.openHome(`import-${host}`);
  const folder = join(bench.env.HOME as string, `.${host}`);
  const wanted = write(folder);
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

/** OpenCode keeps its sessions in one database. */
function writeDatabase(folder: string): { files: number; turns: number } {
  const lines = samplesOf("opencode").transcript.lines.map((line) => JSON.parse(line));
  mkdirSync(folder, { recursive: true });
  const db = new DatabaseSync(join(folder, "opencode.db"));
  db.exec(`${tables} BEGIN`);
  const addSession = db.prepare("INSERT INTO session VALUES (?, NULL, ?, 'bench', '1', ?)");
  const addMessage = db.prepare("INSERT INTO message VALUES (?, ?, ?, ?)");
  const addPart = db.prepare("INSERT INTO part VALUES (?, ?, ?, ?)");
  let [size, files, turns] = [0, 0, 0];
  for (; size < Number(megabytes) * 1_000_000; files++) {
    const session = `ses_${files}`;
    for (let turn = 0; turn < turnsPerSession; turn++, turns++)
      for (const { id, data, parts } of lines) {
        const message = `${id}_${turns}`;
        const created = data.time.created + turns * 600_000;
        const text = JSON.stringify({ ...data, time: { created, completed: created + 500 } });
        addMessage.run(message, session, created, text);
        for (const [n, part] of parts.entries()) {
          const json = JSON.stringify(part).replaceAll("1 failed", JSON.stringify(output).slice(1, -1));
          addPart.run(`${message}_${n}`, message, session, json);
          size += json.length;
        }
      }
    addSession.run(session, lines[0].folder, lines[0].data.time.created + turns * 600_000);
  }
  db.exec("COMMIT");
  db.close();
  return { files, turns };
}

function addMinutes(at: string, minutes: number): string {
  return new Date(Date.parse(at) + minutes * 60_000).toISOString();
}
