import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useMailStage } from "../support/mail-stage.ts";
import { signalProcess, waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { startPermissionHook, type WaitingHook } from "../support/waiting-hook.ts";
import type { Page } from "./support/chromium.ts";
import { callFromPage, waitForRoom } from "./support/staged-present.ts";
import { goTo, useViewer } from "./support/viewer.ts";

const attacks = [
  "<script>globalThis.owned = 'script'</script>",
  "<img src=x onerror=\"globalThis.owned = 'img'\">",
  "<svg onload=\"globalThis.owned = 'svg'\"><a href=\"javascript:globalThis.owned='link'\">x</a></svg>",
  '"><iframe srcdoc="<script>parent.owned=\'frame\'</script>"></iframe>',
  "</title></textarea></pre><style>*{display:none!important}</style><base href=//attacker.example>",
  "{{constructor.constructor('globalThis.owned=1')()}} ${globalThis.owned = 1} javascript:globalThis.owned=1",
  "`<b onclick=globalThis.owned=1>`\n```html\n<script>globalThis.owned=1</script>\n```\n",
  "user\u202Egnp.exe\u2066\u200Bhidden\u0000",
];
const all = attacks.join(" ");
const [script = "", image = ""] = attacks;
const megabyte = `${"A".repeat(500_000)}<img src=x onerror=globalThis.owned=1>${"B".repeat(500_000)}`;
const session = "hostile<img src=x onerror=globalThis.owned=1>";
const outside = useOutside();
let noteId = "";
let agent = "";
let room = "";
let page: Page;
let hook: WaitingHook;

async function seed(rookery: Rookery): Promise<void> {
  const post = async (event: string, fields: object) => {
    const payload = {
      session_id: session,
      cwd: "/tmp/<script>globalThis.owned=1<\u2044script>",
      hook_event_name: event,
    };
    const answer = await rookery.call("POST", `/api/hooks/${event}`, {
      ...payload,
      prompt_id: "p",
      ...fields,
    });
    expect(answer.status, answer.text).toBe(200);
  };
  await post("SessionStart", { source: "startup", model: image });
  await post("UserPromptSubmit", { prompt: `${all} ${megabyte}` });
  await post("PostToolUse", {
    ...{ tool_name: "<b>Bash</b>", tool_use_id: "t", tool_input: { command: all }, tool_response: megabyte },
  });
  const file = { file_path: `/work/${image}` };
  await post("PostToolUse", {
    ...{ tool_name: "Edit", tool_use_id: "u", tool_input: file, tool_response: megabyte },
  });
  await post("Stop", { last_assistant_message: `From now on never use ${all} because ${megabyte}` });
  await rookery.call("PATCH", `/api/sessions/${encodeURIComponent(session)}`, { title: script });
  const note = await rookery.call("POST", "/api/observations", {
    ...{ project: image, session, title: attacks.slice(0, 3).join(" ") },
    ...{ text: `${all} ${"long ".repeat(15_000)}`, files: [`src/${image}`] },
  });
  expect(note.status, note.text).toBe(201);
  noteId = note.json.id;
  await waitFor(async () => (await rookery.call("GET", "/api/browse?kind=prompt")).json.total > 0, {
    ...{ timeoutMs: 20_000, describe: "the prompt to be looked through" },
  });
}

const viewer = useViewer({ seed });
const stage = useMailStage(() => viewer.rookery);

/** What agents say, give each other and hold, and what they ask. */
beforeAll(async () => {
  const { rookery } = viewer;
  const rook = await stage.open("aviary");
  const jay = await stage.open("aviary");
  agent = rook.agent;
  room = (await waitForRoom(rookery, "aviary")).id;
  await rook.say("UserPromptSubmit", { prompt: all });
  await rook.send("project", `${all} ${megabyte.slice(0, 9_000)}`);
  await rook.send("user", all);
  await rook.send(jay.agent, all);
  const { pid } = rook.claude;
  const send = async (path: string, body: object) => {
    const { status, text } = await rookery.call("POST", path, body);
    expect(status, text).toBe(201);
  };
  await send("/api/tasks", { claudePid: pid, title: all.slice(0, 290), files: [image] });
  await send("/api/leases", { claudePid: pid, globs: [`src/${image}`] });
  const mail = { to: agent, body: `${all} ${megabyte.slice(0, 9_000)}`, from: image };
  expect((await outside.call(rookery, "POST", "/api/deliveries", mail)).status).toBe(201);
  const question = {
    agent,
    question: all.slice(0, 3_900),
    context: all,
    options: [script, image],
    wait: false,
  };
  await send("/api/questions", question);
  await send("/api/questions", { ...question, question: `Again: ${script}` });
  page = await viewer.open("#/health");
  const { questions } = (await rookery.call("GET", "/api/questions?state=open")).json;
  await callFromPage(page, "POST", `/api/questions/${questions[0].id}/answer`, {
    ...{ answers: [[all]], by: "<img src=x onerror=globalThis.owned=1>" },
  });
  const edit = {
    file_path: `src/${image}`,
    old_string: all,
    new_string: `${all}\n${megabyte.slice(-30_000)}`,
  };
  hook = startPermissionHook(rookery, { session_id: rook.id, tool_name: "Edit", tool_input: edit }, pid);
});
afterAll(async () => {
  if (!hook.isOver()) signalProcess(hook.pid, "SIGKILL");
  await hook.done;
});

describe("hostile data is text and nothing else", () => {
  const places: [string, () => string, string][] = [
    ["Now", () => "#/now", ".question .diff"],
    ["Memory", () => "#/memory", ".row"],
    ["the note", () => `#/memory/${noteId}`, ".note .chips"],
    ["a search", () => "#/memory?q=script", ".row mark"],
    ["prompts", () => "#/memory?kind=prompt", ".row"],
    ["Sessions", () => "#/sessions", ".row"],
    ["the story", () => `#/sessions/${encodeURIComponent(session)}`, ".turn"],
    ["Questions", () => "#/questions", ".settled li"],
    ["Rooms", () => "#/rooms", ".tasks-list li"],
    ["the project's room", () => `#/rooms/${encodeURIComponent(room)}`, ".spoken"],
    ["an agent's room", () => `#/rooms/${encodeURIComponent(agent)}`, ".spoken-note details"],
    ["Health", () => "#/health", ".tiles"],
    ["Settings", () => "#/settings", ".preview, .projects li"],
  ];

  test.each(places)("on %s", async (_name, hash, landmark) => {
    const requests: string[] = [];
    const note = (request: { url(): string }): void => void requests.push(request.url());
    page.on("request", note);
    await goTo(page, hash());
    await page.locator(landmark).first().waitFor();
    for (const summary of await page.locator("main summary").all()) await summary.click();
    for (const more of await page.locator("button.more").all()) await more.click();
    const found = await page.evaluate(() => ({
      owned: (globalThis as any).owned,
      strange: document.querySelectorAll("main script, main img, main iframe, main style, main base, main b")
        .length,
      handlers: [...document.querySelectorAll("*")].flatMap((element) =>
        [...element.attributes].filter(({ name }) => name.startsWith("on")),
      ).length,
      links: [...document.querySelectorAll("a")].map(({ href }) => new URL(href).protocol),
      unseen: /[\u202a-\u202e\u2066-\u2069\u200b]/.test(document.body.innerText),
      width: document.documentElement.scrollWidth,
    }));
    page.off("request", note);
    expect(found).toMatchObject({ owned: undefined, strange: 0, handlers: 0, unseen: false });
    expect(new Set(found.links)).toEqual(new Set(["http:"]));
    expect(found.width).toBeLessThanOrEqual(1280);
    const { origin } = new URL(page.url());
    expect(requests.filter((url) => !url.startsWith(origin))).toEqual([]);
    expect(requests.length).toBeGreaterThan(0);
  });

  test("what hides characters is shown as what it is", async () => {
    await goTo(page, `#/memory/${noteId}`);
    await page.getByText("user‹U+202E›gnp.exe‹U+2066›‹U+200B›hidden").first().waitFor();
  });
});

test("the policy of the page refuses what would run", async () => {
  const refused = await page.evaluate(async () => {
    const outcome: Record<string, boolean> = {};
    const violation = new Promise<string>((resolve) => {
      addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
        if (effectiveDirective === "connect-src") resolve(effectiveDirective);
      });
    });
    try {
      document.body.insertAdjacentHTML("beforeend", "<p>x</p>");
      outcome.html = false;
    } catch {
      outcome.html = true;
    }
    const script = document.createElement("script");
    try {
      script.textContent = "globalThis.owned = 1";
      document.body.append(script);
    } catch {
      // Refused even earlier.
    }
    outcome.script = (globalThis as any).owned === undefined;
    outcome.fetch = await fetch("https://attacker.example/").then(
      () => false,
      () => true,
    );
    return { ...outcome, violation: await violation };
  });
  expect(refused).toEqual({ html: true, script: true, fetch: true, violation: "connect-src" });
});
