/** Takes the pictures of docs/images: every page, light and dark. Run by `npm run screenshots`. */
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { spawnDaemon } from "../support/daemon-process.ts";
import { openOutside } from "../support/outside.ts";
import { waitFor } from "../support/processes.ts";
import { openRookery, repository } from "../support/rookery.ts";
import { launchChromium } from "./support/chromium.ts";
import { replaySession, saveNotes, waitUntilDistilled } from "../support/seed-sessions.ts";

const folder = join(repository, "docs", "images");
const mostBytes = 150_000;
mkdirSync(folder, { recursive: true });
const rookery = openRookery();
const daemon = await spawnDaemon(rookery);
const browser = await launchChromium();
try {
  await saveNotes(rookery, [
    "20-postgres-slow-query",
    "06-notes-db-choice",
    "41-git-rules-monorepo",
    "42-kafka-rebalance-storm",
  ]);
  const before = (await rookery.call("GET", "/api/observations?limit=500")).json.observations.length;
  await replaySession(rookery, "01-fastapi-timezone-bug", "3f6c2a70-orders");
  await replaySession(rookery, "12-actions-cache-miss", "77ab41d2-actions");
  await waitUntilDistilled(rookery, before + 2);
  // By real hooks: their latencies, what memory brings back to them, and a session in the middle of its work.
  const cwd = (await rookery.call("GET", "/api/sessions/3f6c2a70-orders")).json.cwd;
  const live = { session_id: "9d10be44-orders", cwd, prompt_id: "live" };
  const prompt = "Add a CSV export of today's orders, in the shop's time zone.";
  // Not a child of the process that the browser is a child of: a session must not answer its own questions.
  const host = { claudePid: daemon.pid ?? 0 };
  await rookery.hook("SessionStart", { ...live, source: "startup", model: "claude-opus-5-5" }, host);
  await rookery.hook("UserPromptSubmit", { ...live, prompt }, host);
  const read = { ...live, tool_name: "Read", tool_input: { file_path: `${cwd}/app/api/orders.py` } };
  for (let call = 0; call < 30; call++)
    await rookery.hook("PostToolUse", { ...read, tool_use_id: `t${call}`, tool_response: "…" }, host);
  const test = { ...live, tool_name: "Bash", tool_input: { command: "pytest -q tests/test_export.py" } };
  await rookery.hook("PreToolUse", { ...test, tool_use_id: "last" }, host);
  await waitFor(async () => (await rookery.call("GET", "/api/series")).json.samples.at(-1).hooks > 0, {
    timeoutMs: 15_000,
  });
  const { agents } = (await rookery.call("GET", "/api/agents")).json;
  const agent = agents.find(({ project }: any) => project === "orders-api").name;
  const outside = await openOutside();
  await outside.call(rookery, "POST", "/api/deliveries", {
    to: agent,
    body: "The staging database is being restored until 15:00: please leave migrations alone.",
    from: "ops",
    source: "api",
  });
  await outside.call(rookery, "POST", "/api/deliveries", {
    to: agent,
    body: "Thanks. Carry on with the export once the tests are green.",
    from: "you",
    source: "viewer",
  });
  await outside.close();
  const ask = async (question: string, options: string[], context?: string): Promise<string | undefined> => {
    const body = { question, options, agent, wait: false, ...(context ? { context } : {}) };
    return (await rookery.call("POST", "/api/questions", body)).json.question?.id;
  };
  // A daemon that does not ask shows that instead.
  const isAsking =
    (await ask("Which region shall the replica run in?", ["eu-central-1", "eu-west-1"])) !== undefined;
  if (isAsking) {
    const page = await (await browser.newContext()).newPage();
    await page.goto((await rookery.call("POST", "/api/viewer/codes")).json.url);
    await page.getByRole("button", { name: "eu-west-1" }).click();
    await page.locator(".question").waitFor({ state: "detached" });
    await page.close();
    await ask(
      "Shall the export keep the old column names?",
      ["Keep them", "Rename, with an alias for a release"],
      "Two reports read them by name; renaming now would break both.",
    );
  }
  const { observations } = (await rookery.call("GET", "/api/observations?limit=3")).json;
  const pages = {
    now: "#/now",
    memory: `#/memory/${observations[0].id}`,
    sessions: "#/sessions/3f6c2a70-orders",
    questions: "#/questions",
    rooms: `#/rooms/${agent}`,
    health: "#/health",
    settings: "#/settings",
  };
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({ viewport: { width: 1080, height: 660 }, colorScheme });
    const page = await context.newPage();
    const { url } = (await rookery.call("POST", "/api/viewer/codes")).json;
    await page.goto(url);
    for (const [name, hash] of Object.entries(pages)) {
      await page.evaluate((to) => void (location.hash = to), hash);
      await page.locator("h1").waitFor();
      await page.waitForTimeout(600); // Everything that is fetched is here by then, and charts are drawn.
      const path = join(folder, `${name}-${colorScheme}.png`);
      await page.screenshot({ path, animations: "disabled" });
      const { size } = statSync(path);
      console.log(
        `${name}-${colorScheme}.png ${Math.round(size / 1000)} KB${size > mostBytes ? " TOO LARGE" : ""}`,
      );
    }
    await context.close();
  }
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: "light" });
  const page = await phone.newPage();
  await page.goto((await rookery.call("POST", "/api/viewer/codes")).json.url);
  for (const name of ["now", "memory", "settings"] as const) {
    await page.evaluate((to) => void (location.hash = to), `#/${name}`);
    await page.locator("h1").waitFor();
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${name}-phone.png`), animations: "disabled" });
  }
} finally {
  await browser.close();
  await rookery.close();
  daemon.kill("SIGKILL");
}
