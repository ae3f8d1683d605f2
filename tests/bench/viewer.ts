import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { embedRows } from "../../src/store/embed-rows.ts";
import { openEmbedder } from "../../src/store/embedder.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { type Browser, launchChromium, type Page } from "../browser/support/chromium.ts";
import { stageDay } from "../browser/support/staged-day.ts";
import { p50, p95, Samples } from "./measure.ts";
import type { Section } from "./report.ts";
import type { BenchHome, Stage } from "./stage.ts";
import { keepSynthetic, synthesise } from "./synthetic.ts";

const noteCount = 100_000;
const days = 50;
const agents = 20;
const rounds = 9;
/** Pages with the selector of their content. */
const pages = {
  today: ".lane",
  memory: ".row",
  sessions: ".row",
  questions: ".settled li",
  blame: ".filters",
  health: ".charts",
  settings: ".setting",
} as const;
const dayMs = 86_400_000;

/** The viewer in Chromium with 100,000 notes and 1,000 sessions. */
export async function benchViewer(stage: Stage): Promise<Section> {
  const bench = stage.openHome("viewer");
  const store = openStore(bench.home.database, Date.now);
  fill(store);
  store.close();
  await bench.startDirectly();
  const browser = await launchChromium();
  const samples = new Samples();
  try {
    for (let round = -1; round < rounds; round++) {
      const times = await measureOnce(browser, bench);
      if (round >= 0) for (const [name, ms] of times) samples.add(name, ms); // The first round fills caches.
    }
  } finally {
    await browser.close();
    await bench.stop();
  }
  return report(samples, measureScript(join(stage.plugin, "dist", "viewer")));
}

function fill(store: Store): void {
  keepSynthetic(store, synthesise(noteCount), () => {});
  for (let day = 0; day < days; day++)
    stageDay(store, { agents, turns: 2, now: Date.now() - day * dayMs, hours: 8 });
  const embedder = openEmbedder();
  for (let batch = embedRows(store.db, embedder, 64); batch; batch = embedRows(store.db, embedder, 64)) {
    const rows = batch;
    store.db.transaction(() => store.vectors.put(rows));
  }
}

/** A new browser profile, its first page, a visit of every page, and a word typed letter by letter. */
async function measureOnce(browser: Browser, bench: BenchHome): Promise<[string, number][]> {
  const { url } = await bench.call<{ url: string }>("POST", "/api/viewer/codes");
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const times: [string, number][] = [];
  const startedAt = performance.now();
  await page.goto(url);
  await page.locator(pages.today).first().waitFor();
  times.push(["usable: the day is drawn", performance.now() - startedAt]);
  times.unshift(["first paint", await page.evaluate(readFirstPaint)]);
  for (const [name, content] of [...Object.entries(pages).slice(1), ["today", pages.today]] as const)
    times.push([`to ${name}`, await changePage(page, name, content)]);
  await changePage(page, "memory", pages.memory);
  for (const word of ["w1a", "w2b", "w3c"])
    times.push(["a letter typed, to new results", await type(page, word)]);
  await context.close();
  return times;
}

function readFirstPaint(): number {
  return performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN;
}

/** In the page itself: the clock starts with the address and ends with the frame that shows the content. */
function changePage(page: Page, name: string, content: string): Promise<number> {
  return page.evaluate(
    async ([hash, selector]) => {
      const { document, location, requestAnimationFrame } = globalThis as any;
      const from = performance.now();
      location.hash = hash;
      const isShown = (): boolean =>
        document.querySelector("nav [aria-current]")?.getAttribute("href")?.startsWith(hash) === true &&
        document.querySelector(`main ${selector}`) !== null;
      while (!isShown()) await new Promise(requestAnimationFrame);
      return performance.now() - from;
    },
    [`#/${name}`, content] as const,
  );
}

/** From the last letter of a word to its results, including the pause that waits for the next letter. */
function type(page: Page, word: string): Promise<number> {
  return page.evaluate(async (text) => {
    const { document, requestAnimationFrame } = globalThis as any;
    const field = document.querySelector('main input[type="search"]');
    if (!field) throw new Error("There is no search field.");
    const from = performance.now();
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    const isShown = (): boolean =>
      [...document.querySelectorAll(".results mark")].some(
        (mark) => mark.textContent?.toLowerCase().startsWith(text) === true,
      );
    while (!isShown()) await new Promise(requestAnimationFrame);
    return performance.now() - from;
  }, word);
}

/** Kilobytes of the scripts that a first visit loads, compressed as they are sent. */
function measureScript(folder: string): number {
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  return scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0) / 1000;
}

function report(samples: Samples, scriptKb: number): Section {
  const changes = samples.names().filter((name) => name.startsWith("to "));
  const slowest = Math.max(...changes.map((name) => p50(samples.of(name))));
  const bar = (name: string, atMost: number) => ({
    ...{ name, measured: p50(samples.of(name)), unit: "ms", limit: { atMost } },
  });
  return {
    title: `Viewer with ${noteCount} notes and ${days * agents} sessions (ms)`,
    columns: ["", "n", "p50", "p95"],
    rows: samples
      .names()
      .map((name) => [name, samples.of(name).length, p50(samples.of(name)), p95(samples.of(name))]),
    bars: [
      bar("first paint", 500),
      bar("usable: the day is drawn", 1_000),
      { name: "slowest change of page", measured: slowest, unit: "ms", limit: { atMost: 300 } },
      bar("a letter typed, to new results", 300),
      { name: "script, compressed", measured: scriptKb, unit: "KB", limit: { atMost: 150 } },
    ],
  };
}
