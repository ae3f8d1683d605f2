import type { Store } from "../../src/store/open-store.ts";

/** The content of a synthetic note. */
interface SyntheticDoc {
  id: string;
  project: string;
  session: string;
  kind: "observation";
  title: string;
  text: string;
  files: string[];
  at: number;
}

/** Text with a natural distribution of words (Zipf), half of it in one project. */
export function* synthesise(count: number): Generator<SyntheticDoc> {
  const random = makeRandom(1);
  const vocabulary = Array.from({ length: 30_000 }, (_, i) => `w${i.toString(36)}${"aeiou"[i % 5]}n`);
  const word = (): string =>
    vocabulary[Math.min(vocabulary.length - 1, Math.floor(vocabulary.length ** random()) - 1)] ?? "";
  for (let i = 0; i < count; i++) {
    const project = i % 2 === 0 ? "p0" : `p${1 + (i % 40)}`;
    const text = Array.from({ length: 45 }, word).join(" ");
    const title = Array.from({ length: 7 }, word).join(" ");
    yield {
      id: `d${i}`,
      project,
      session: `s${Math.floor(i / 20)}`,
      kind: "observation",
      title,
      text,
      files: [`src/f${i % 500}.ts`],
      at: i * 60_000,
    };
  }
}

/** Stores them as searchable notes, each project in its own folder. */
export function keepSynthetic(
  store: Store,
  docs: Iterable<SyntheticDoc>,
  onKept: (doc: SyntheticDoc, n: number) => void,
  folderOf: (project: string) => string = (project) => `/nowhere/${project}`,
): void {
  const projects = new Set<string>();
  let batch: SyntheticDoc[] = [];
  let n = 0;
  const flush = (): void => {
    store.db.transaction(() => {
      for (const doc of batch) keepDoc(store, doc, projects, folderOf);
    });
    batch = [];
  };
  for (const doc of docs) {
    onKept(doc, n++);
    batch.push(doc);
    if (batch.length === 500) flush();
  }
  flush();
}

function keepDoc(
  store: Store,
  { id, project: projectId, session: sessionId, title, text, files, at }: SyntheticDoc,
  projects: Set<string>,
  folderOf: (project: string) => string,
): void {
  if (!projects.has(projectId)) {
    const about = { id: projectId, path: folderOf(projectId), name: projectId };
    store.projects.insert({ ...about, fingerprint: null, mode: "on", leases: "warn", createdAt: 0 });
    projects.add(projectId);
  }
  const type = "discovery";
  const place = { projectId, worktree: null, sessionId, turnId: null, promptNumber: null };
  const lists = { facts: [], concepts: [], filesRead: [], filesModified: files, sourceEvents: [] };
  const links = {
    supersededBy: null,
    supersededBecause: null,
    worth: null,
    pinnedAt: null,
    author: null,
    byMachine: false,
  };
  const rest = { tokens: 90, provenance: "bench", hash: id, createdAt: at, updatedAt: at, ...links };
  store.notes.insert({ id, ...place, ...lists, type, title, narrative: text, ...rest });
  store.index.put({
    kind: "observation",
    ref: id,
    projectId,
    sessionId,
    type,
    createdAt: at,
    title,
    body: text,
    files,
  });
}

/** Deterministic numbers, so that the bench is repeatable. */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
