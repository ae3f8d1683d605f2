/** Takes the pictures of docs/images: every page, light and dark. Run by `npm run screenshots`; takes two minutes. */
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { spawnDaemon } from "../support/daemon-process.ts";
import { openOutside } from "../support/outside.ts";
import { waitFor } from "../support/processes.ts";
import { openRookery, repository, type Rookery } from "../support/rookery.ts";
import { type Browser, launchChromium, type Page } from "./support/chromium.ts";
import { stagePast } from "./support/staged-past.ts";
import { callFromPage, type StagedAgent, stagePresent, waitForRoom } from "./support/staged-present.ts";

const folder = join(repository, "docs", "images");
const mostBytes = 250_000;
/** Health is sampled every ten seconds; a chart needs several samples. */
const workMs = 75_000;

mkdirSync(folder, { recursive: true });
const rookery = openRookery({ ROOKERY_MATRIX_OWNER: "ada" });
let daemon = await spawnDaemon(rookery);
const browser = await launchChromium();
const outside = await openOutside();
const present = stagePresent(rookery);
try {
  await stagePast(rookery);
  daemon = await spawnDaemon(rookery);
  const page = await openViewer(browser, {});
  const orders = await present.open(
    "orders-api",
    "9d10be44-orders",
    "Add a CSV export of today's orders, in the shop's time zone.",
  );
  const second = await present.open(
    "orders-api",
    "5ce7a1f0-orders",
    "Move the reports to the new `shop_day` column and drop the old one.",
  );
  const shop = await present.open("webshop", "e2b86d19-webshop", "Why does the checkout flash on Safari?");
  const room = await waitForRoom(rookery, "orders-api");
  await settleQuestions(orders, shop);
  await talk(page, room.id, orders, second);
  await work(orders, second, shop);
  await ask(rookery, orders, second);
  await takePictures(page, room.id, second);
} finally {
  await browser.close();
  await outside.close();
  present.end();
  await rookery.close();
  daemon.kill("SIGKILL");
}

async function openViewer(
  from: Browser,
  options: { colorScheme?: "light" | "dark"; width?: number; height?: number },
): Promise<Page> {
  const { colorScheme = "light", width = 1200, height = 750 } = options;
  const context = await from.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  await page.goto((await outside.call(rookery, "POST", "/api/viewer/codes")).json.url);
  await page.locator(".shell").waitFor();
  return page;
}

/** Settled questions, answered in several places. */
async function settleQuestions(orders: StagedAgent, shop: StagedAgent): Promise<void> {
  const asked: [string, string[], string, string, string][] = [
    [shop.name, ["eu-central-1", "eu-west-1"], "Which region shall the replica run in?", "eu-west-1", "cli"],
    [orders.name, ["Postgres", "SQLite"], "Which store do the tests run against?", "Postgres", "viewer"],
    [orders.name, [], "What shall the export be called?", "orders-YYYY-MM-DD.csv", "viewer"],
  ];
  for (const [agent, options, question, answer, place] of asked) {
    const body = { question, options, agent, wait: false };
    const { id } = (await rookery.call("POST", "/api/questions", body)).json.question;
    await pause(1_500);
    const given = { answers: [[answer]], place, by: place === "cli" ? "Ada" : "the user" };
    await outside.call(rookery, "POST", `/api/questions/${id}/answer`, given);
  }
  const hook = orders.ask("Bash", {
    command: "git push origin export-orders",
    description: "Push the branch",
  });
  const id = await waitFor(
    async () =>
      (await rookery.call("GET", "/api/questions?state=open")).json.questions.find(
        ({ kind }: any) => kind === "permission",
      )?.id,
  );
  await outside.call(rookery, "POST", `/api/questions/${id}/answer`, { allow: "once" });
  await hook.done;
  await orders.hook("PostToolUse", {
    tool_name: "Bash",
    tool_use_id: "push",
    tool_input: { command: "git push origin export-orders" },
    tool_response: "ok",
  });
}

async function talk(page: Page, room: string, orders: StagedAgent, second: StagedAgent): Promise<void> {
  const say = (to: string, text: string) => callFromPage(page, "POST", "/api/messages", { to, text });
  await orders.send("project", "I am in `app/export/` until the tests are green; the routes are yours.");
  await second.send(
    "project",
    "Fine. The reports read `created_at` by name: I keep it for a release, as an alias.",
  );
  await say(room, "Staging is being restored until 15:00: please leave migrations alone.");
  await acknowledge(orders.name, 2);
  await acknowledge(second.name, 1);
  await second.send(
    "project",
    "Understood. The migration waits. This is all it does:\n```sql\nALTER TABLE orders ADD COLUMN shop_day date\n  GENERATED ALWAYS AS ((created_at AT TIME ZONE 'Europe/Berlin')::date) STORED;\n```",
  );
  await second.send("user", "May I rename the report queries, too, or only the column?");
  await say(second.name, "Only the column, please. One thing at a time.");
  await orders.send(second.name, "Your alias breaks two of my tests; is it meant to be nullable?");
  await second.send(orders.name, "No. Fixed and pushed, look again.");
  await orders.call("POST", "/api/tasks", { title: "CSV export of today's orders", to: second.name });
  const [task] = (await rookery.call("GET", "/api/tasks")).json.tasks;
  await second.call("PATCH", `/api/tasks/${task.id}`, { status: "working", progress: 60 });
  await callFromPage(page, "POST", "/api/tasks", {
    title: "Say in the changelog that times are UTC",
    project: "orders-api",
  });
  await orders.call("POST", "/api/leases", { globs: ["app/export/**", "tests/test_export.py"], minutes: 45 });
  await second.send("project", "The restore is done, as far as I can see. May I run the migration?");
}

/** Waits until an agent has this many queued messages, then delivers them. */
async function acknowledge(agent: string, count: number): Promise<void> {
  const list = await waitFor(async () => {
    const { deliveries } = (await rookery.call("GET", `/api/deliveries?agent=${agent}`)).json;
    return deliveries.length >= count && deliveries;
  });
  for (const { id } of list) await rookery.call("POST", `/api/deliveries/${id}/ack`);
}

async function work(...agents: StagedAgent[]): Promise<void> {
  const until = Date.now() + workMs;
  for (let step = 0; Date.now() < until; step++) {
    const agent = agents[step % agents.length] as StagedAgent;
    const file = { file_path: `/work/app/export/part_${step % 5}.py` };
    const use = { tool_name: "Read", tool_use_id: `${agent.session}-${step}`, tool_input: file };
    await agent.hook("PreToolUse", use);
    await agent.hook("PostToolUse", { ...use, tool_response: "…" });
    await pause(250);
  }
  const [orders, second, shop] = agents;
  const run = (command: string) => ({ tool_name: "Bash", tool_use_id: command, tool_input: { command } });
  await orders?.hook("PreToolUse", run("pytest -q tests/test_export.py"));
  await second?.hook("PreToolUse", run("alembic upgrade head --sql | less"));
  await shop?.hook("Stop", { last_assistant_message: "It is the font: `font-display: swap` is missing." });
}

async function ask(from: Rookery, orders: StagedAgent, second: StagedAgent): Promise<void> {
  second.ask("Edit", {
    file_path: "app/reports/daily.py",
    old_string: "    .where(func.date(Order.created_at) == today)",
    new_string: "    .where(Order.shop_day == today)",
  });
  await from.call("POST", "/api/questions", {
    question: "Shall the export keep the old column names?",
    agent: orders.name,
    wait: false,
    options: ["Keep them", "Rename, with an alias for a release"],
    context: "Two reports read them by name; renaming now would break both.",
  });
  await waitFor(
    async () => (await from.call("GET", "/api/questions?state=open")).json.questions.length === 2,
  );
}

async function takePictures(first: Page, room: string, partner: StagedAgent): Promise<void> {
  const { notes } = (await rookery.call("GET", "/api/browse?limit=50")).json;
  const note = notes.find(({ session, type }: any) => session === "3f6c2a70-orders" && type === "bugfix");
  const places = {
    today: "#/today",
    memory: `#/memory/${note.id}`,
    sessions: "#/sessions/3f6c2a70-orders",
    questions: "#/questions",
    rooms: `#/rooms/${encodeURIComponent(room)}`,
    health: "#/health",
    settings: "#/settings",
  };
  await first.close();
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await openViewer(browser, { colorScheme });
    for (const [name, hash] of Object.entries(places)) await take(page, `${name}-${colorScheme}`, hash);
    await page.close();
  }
  const phone = await openViewer(browser, { width: 390, height: 844 });
  await take(phone, "today-phone", "#/today");
  await take(phone, "memory-phone", "#/memory");
  await take(phone, "rooms-phone", `#/rooms/${encodeURIComponent(partner.name)}`);
}

async function take(page: Page, name: string, hash: string): Promise<void> {
  await page.evaluate((to) => void (location.hash = to), hash);
  await page.locator("h1").first().waitFor({ state: "attached" });
  await pause(900); // By then all data is loaded and charts are drawn.
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: "disabled" });
  const { size } = statSync(path);
  console.log(`${name}.png ${Math.round(size / 1000)} KB${size > mostBytes ? " TOO LARGE" : ""}`);
}
