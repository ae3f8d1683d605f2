import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsePrompt, parseQuery } from "../../src/domain/memory/query.ts";
import { embedRows } from "../../src/store/embed-rows.ts";
import { openEmbedder } from "../../src/store/embedder.ts";
import { openMemorySearch } from "../../src/store/memory-search.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { p50, p95 } from "./measure.ts";
import type { Section } from "./report.ts";
import { keepSynthetic, makeRandom, synthesise } from "./synthetic.ts";

const queries = 300;
const embedder = openEmbedder();

/** Search in this thread, by words and with vectors, and the index size on disk. */
export function benchSearch(count: number): Section {
  const folder = mkdtempSync(join(tmpdir(), "rk-search-"));
  try {
    return measure(join(folder, "rookery.db"), count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure(path: string, count: number): Section {
  const store = openStore(path, () => 0);
  const texts = fill(store, count);
  const embedMs = embedAll(store);
  const indexMb = measureIndex(store) / 1e6;
  store.close();
  const alone = openMemorySearch(path);
  const hybrid = openMemorySearch(path, embedder);
  const before = performance.now();
  while (hybrid.refresh());
  const loadMs = performance.now() - before;

  const cases = [
    ["words, one project of half", alone, { projectIds: ["p0"] }, parseQuery],
    ["words, across all", alone, {}, parseQuery],
    ["words and meaning, one project of half", hybrid, { projectIds: ["p0"] }, parseQuery],
    ["words and meaning, across all", hybrid, {}, parseQuery],
    [
      "words and meaning, as a prompt asks",
      hybrid,
      { projectIds: ["p0"], kinds: ["observation"] },
      parsePrompt,
    ],
  ] as const;
  const timed = cases.map(([name, search, filter, parse]) => {
    const cpu: number[] = [];
    const times = texts.map((text) => {
      const used = process.cpuUsage();
      const from = performance.now();
      const query = parse(text);
      if (query) search.find(query, filter, 10);
      const took = performance.now() - from;
      const { user, system } = process.cpuUsage(used);
      cpu.push((user + system) / 1000);
      return took;
    });
    return { name, times, cpu };
  });
  alone.close();
  hybrid.close();
  const bar = (index: number, atMost: number) => ({
    name: `search, ${timed[index]?.name}, p95`,
    measured: p95(timed[index]?.times ?? []),
    unit: "ms",
    limit: { atMost },
  });
  const isStated = count > 100_000;
  const limits = isStated ? [60, 60, 60, 60, 60] : [15, 15, 20, 20, 20];
  return {
    title: `Search with ${count} observations (ms)`,
    columns: ["", "n", "p50", "p95", "worst", "CPU p50", "CPU p95"],
    rows: timed.map(({ name, times, cpu }) => [
      ...[name, times.length, p50(times), p95(times), Math.max(...times)],
      ...[p50(cpu), p95(cpu)],
    ]),
    notes: [
      "CPU is what the process itself used: on a busy machine the figure to compare.",
      `Database ${Math.round(statSync(path).size / 1e6)} MB, of it index ${Math.round(indexMb)} MB. Vectors taken into memory in ${Math.round(loadMs)} ms.`,
    ],
    bars: [
      ...limits.map((atMost, index) => bar(index, atMost)),
      { name: "embedding an observation", measured: embedMs, unit: "ms", limit: { atMost: 1 } },
      {
        name: "index for 100,000 observations",
        measured: (indexMb * 100_000) / count,
        unit: "MB",
        limit: { atMost: 100 },
      },
    ],
  };
}

/** Stores them; returns queries of six words, each taken from one text. */
function fill(store: Store, count: number): string[] {
  const random = makeRandom(7);
  const texts: string[] = [];
  keepSynthetic(store, synthesise(count), (doc, n) => {
    if (texts.length >= queries || random() > (2 * queries) / count || n % 2) return;
    const words = `${doc.title} ${doc.text}`.split(/\s+/);
    texts.push(Array.from({ length: 6 }, () => words[Math.floor(random() * words.length)]).join(" "));
  });
  return texts;
}

/** Milliseconds per row, including reading it. */
function embedAll(store: Store): number {
  let rows = 0;
  let spent = 0;
  for (;;) {
    const from = performance.now();
    const batch = embedRows(store.db, embedder, 64);
    spent += performance.now() - from;
    if (!batch) return spent / Math.max(1, rows);
    rows += batch.vectors.length;
    store.db.transaction(() => store.vectors.put(batch));
  }
}

/** Everything that only search uses: words, vectors, rows, files. */
function measureIndex(store: Store): number {
  const sql = `SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'memory_%' OR name LIKE 'sqlite_autoindex_memory_%'`;
  return store.db.get<{ bytes: number }>(sql)?.bytes ?? 0;
}
