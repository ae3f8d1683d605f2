// `npm run bench:session-search -- DIR [--held]`: are real sessions found by paraphrased questions, and does a prompt
// recall the right note? DIR is a Claude Code folder with the sessions that tests/labels/questions.jsonl refers to;
// labels are `session:turn`, with turns numbered as stored. Tuned on all but three people; `--held` reports the held-out one.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findTranscripts } from "../../src/daemon/transcripts/find-transcripts.ts";
import { importTurn } from "../../src/daemon/import/import-turn.ts";
import { openTranscriptReader } from "../../src/daemon/transcripts/transcript-reader.ts";
import { makeExclusion } from "../../src/domain/capture/exclude.ts";
import { parsePrompt, parseQuery } from "../../src/domain/memory/query.ts";
import { choosePromptRecall } from "../../src/domain/memory/recall.ts";
import { embedRows } from "../../src/store/embed-rows.ts";
import { openEmbedder } from "../../src/store/embedder.ts";
import { openMemorySearch } from "../../src/store/memory-search.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";

interface Question {
  project: string;
  text: string;
  turns: string[];
  /** A task for a later session instead of a question: only for recall. */
  isTask?: true;
}

const { values: flags, positionals } = parseArgs({
  options: { held: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [sessions] = positionals;
if (!sessions) throw new Error("Usage: npm run bench:session-search -- DIR [--held]");
const folder = mkdtempSync(join(tmpdir(), "rk-session-search-"));
const heldPerson = "cedricteyton";
const choosing = ["gtrrz-victor", "paul"];
const personOf = (path: string): string => path.split("/")[2] ?? "";
const clock = (): number => Date.now();

try {
  const path = join(folder, "rookery.db");
  const store = openStore(path, clock);
  await importAll(store, sessions);
  report(store, path);
  store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function importAll(store: Store, from: string): Promise<void> {
  const files = await findTranscripts(from);
  const places = files.map((file) => ({
    host: "claude-code",
    path: file.path,
    sessionId: "",
    cwd: null,
    fromByte: 0,
  }));
  const reader = openTranscriptReader(places, makeExclusion([]));
  for (let pieces = await reader.next(); pieces.length > 0; pieces = await reader.next())
    store.db.transaction(() => {
      for (const { file, turns, end } of pieces)
        for (const turn of [...turns, ...(end?.lastTurn ? [end.lastTurn] : [])]) {
          const source = files[file];
          if (source) importTurn(store, turn, source, clock);
        }
    });
  const embedder = openEmbedder();
  for (let batch = embedRows(store.db, embedder, 500); batch; batch = embedRows(store.db, embedder, 500)) {
    const made = batch;
    store.db.transaction(() => store.vectors.put(made));
  }
}

function report(store: Store, path: string): void {
  const search = openMemorySearch(path, openEmbedder());
  while (search.refresh());
  const projectIds = (root: string): string[] =>
    store.projects
      .all()
      .filter((row) => row.path === root || row.path.startsWith(`${root}/`))
      .map(({ id }) => id);
  const labels = new Map(
    store.db
      .all<{ id: string; label: string }>("SELECT id, session_id || ':' || number AS label FROM turns")
      .map(({ id, label }) => [id, label]),
  );
  const labelOf = (turnId: string | undefined): string => labels.get(turnId ?? "") ?? "";
  const choose = (text: string, root: string): { turnId?: string | undefined }[] => {
    const query = parsePrompt(text);
    if (!query) return [];
    const filter = { projectIds: projectIds(root), kinds: ["observation", "summary", "prompt"] } as const;
    const found = search.find(query, filter, 8).map((hit) => ({ ...hit, body: hit.snippet }));
    return choosePromptRecall(found, query.words, () => false);
  };

  function reportRecall(name: string, prompts: readonly Question[]): void {
    const told = prompts.map(({ project, text, turns }) => {
      const chosen = choose(text, project);
      return {
        spoke: chosen.length > 0,
        isRight: chosen.some(({ turnId }) => turns.includes(labelOf(turnId))),
      };
    });
    const right = told.filter(({ isRight }) => isRight).length;
    const spoke = told.filter((one) => one.spoke).length;
    console.log(
      `  ${prompts.length} ${name}: answered ${percent(right, told.length)}, right when it speaks ${percent(right, spoke)}`,
    );
  }

  const all = readFileSync(new URL("../labels/questions.jsonl", import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Question);
  const parts: [string, (person: string) => boolean][] = flags.held
    ? [["held back", (person) => person === heldPerson]]
    : [
        ["tuned on", (person) => person !== heldPerson && !choosing.includes(person)],
        ["chosen on", (person) => choosing.includes(person)],
      ];
  for (const [name, isPart] of parts) {
    const asked = all.filter(({ project }) => isPart(personOf(project)));
    const questions = asked.filter(({ isTask }) => !isTask);
    const ranks = questions.map(({ project, text, turns }) => {
      const hits = search.search(parseQuery(text), { projectIds: projectIds(project) }, 50);
      return hits.findIndex(({ turnId }) => turns.includes(labelOf(turnId))) + 1;
    });
    const within = (most: number): string =>
      percent(ranks.filter((rank) => rank > 0 && rank <= most).length, ranks.length);
    console.log(
      `${name}: ${questions.length} questions; found first ${within(1)}, in 5 ${within(5)}, in 10 ${within(10)}`,
    );
    reportRecall("questions as prompts", questions);
    reportRecall(
      "tasks",
      asked.filter(({ isTask }) => isTask),
    );
  }

  // A person's prompts are unrelated to another person's project.
  const roots = new Map(all.map(({ project }) => [personOf(project), project]));
  const people = [...roots.keys()].filter((person) => (person === heldPerson) === flags.held || !flags.held);
  const prompts = store.db
    .all<{ text: string; cwd: string | null }>(
      "SELECT p.text, s.cwd FROM prompts p JOIN sessions s ON s.id = p.session_id WHERE p.machine = 0 ORDER BY p.event_id",
    )
    .filter((_, n) => n % 3 === 0)
    .flatMap(({ text, cwd }, n) => {
      const others = people.filter((person) => unrelated(person, personOf(cwd ?? "")));
      const root = roots.get(others[n % others.length] ?? "");
      return root ? [{ text, root }] : [];
    });
  const disturbed = prompts.filter(({ text, root }) => choose(text, root).length > 0).length;
  console.log(
    `  shows notes for ${percent(disturbed, prompts.length)} of ${prompts.length} unrelated prompts`,
  );
  search.close();
}

/** Most of these people work on one tool; only these two projects are unrelated to the others. */
function unrelated(person: string, other: string): boolean {
  return person !== other && ["michael", "jan", heldPerson].includes(person);
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / Math.max(1, whole))} %`;
}
