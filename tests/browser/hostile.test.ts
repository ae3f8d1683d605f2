import { describe, expect, test } from "vitest";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useViewer } from "./support/viewer.ts";

const attacks = [
  "<script>globalThis.owned = 'script'</script>",
  "<img src=x onerror=\"globalThis.owned = 'img'\">",
  "<svg onload=\"globalThis.owned = 'svg'\"><a href=\"javascript:globalThis.owned='link'\">x</a></svg>",
  '"><iframe srcdoc="<script>parent.owned=\'frame\'</script>"></iframe>',
  "</title></textarea></pre><style>*{display:none!important}</style><base href=//attacker.example>",
  "{{constructor.constructor('globalThis.owned=1')()}} ${globalThis.owned = 1} javascript:globalThis.owned=1",
  "user\u202Egnp.exe\u2066\u200Bhidden\u0000",
];
const all = attacks.join(" ");
const huge = `${"A".repeat(500_000)}<img src=x onerror=globalThis.owned=1>${"B".repeat(500_000)}`;
const session = "hostile<img src=x onerror=globalThis.owned=1>";
const outside = useOutside();
let noteId = "";
let agent = "";

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
  await post("SessionStart", { source: "startup", model: attacks[1] });
  await post("UserPromptSubmit", { prompt: `${all} ${huge}` });
  await post("PostToolUse", {
    tool_name: "<b>Bash</b>",
    tool_use_id: "t",
    tool_input: { command: all },
    tool_response: huge,
  });
  await post("Stop", { last_assistant_message: `From now on never use ${all} because ${huge}` });
  await rookery.call("PATCH", `/api/sessions/${encodeURIComponent(session)}`, { title: attacks[0] });
  const note = await rookery.call("POST", "/api/observations", {
    ...{ project: "<img src=x onerror=globalThis.owned=1>", session, title: attacks.slice(0, 3).join(" ") },
    ...{ text: `${all} ${"long ".repeat(15_000)}`, files: [`src/${attacks[1]}`] },
  });
  expect(note.status, note.text).toBe(201);
  noteId = note.json.id;
  agent = (await rookery.call("GET", "/api/agents")).json.agents[0].name;
  await outside.call(rookery, "POST", "/api/deliveries", { to: agent, body: all, from: attacks[1] });
}

const viewer = useViewer(seed);

describe("hostile data is text and nothing else", () => {
  const places: [string, () => string, string][] = [
    ["Now", () => "#/now", ".card"],
    ["Memory", () => "#/memory", ".row"],
    ["the note", () => `#/memory/${noteId}`, ".note .chips"],
    ["a search", () => "#/memory?q=script", ".row"],
    ["Sessions", () => "#/sessions", ".row"],
    ["the story", () => `#/sessions/${encodeURIComponent(session)}`, ".turn"],
    ["Questions", () => "#/questions", ".page"],
    ["Rooms", () => `#/rooms/${encodeURIComponent(agent)}`, ".messages li"],
    ["Health", () => "#/health", ".tiles"],
    ["Settings", () => "#/settings", ".preview, .projects li"],
  ];

  test.each(places)("on %s", async (_name, hash, landmark) => {
    const page = await viewer.open("#/health");
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.evaluate((to) => void (location.hash = to), hash());
    await page.locator(landmark).first().waitFor();
    for (const summary of await page.locator("summary").all()) await summary.click();
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
    expect(found).toMatchObject({ owned: undefined, strange: 0, handlers: 0, unseen: false });
    expect(new Set(found.links)).toEqual(new Set(["http:"]));
    expect(found.width).toBeLessThanOrEqual(1280);
    const origin = new URL(page.url()).origin;
    expect(requests.filter((url) => !url.startsWith(origin))).toEqual([]);
  });

  test("what hides characters is shown as what it is", async () => {
    const page = await viewer.open(`#/memory/${noteId}`);
    await page.getByText("user‹U+202E›gnp.exe‹U+2066›‹U+200B›hidden").first().waitFor();
  });
});

test("the policy of the page refuses what would run", async () => {
  const page = await viewer.open("#/now");
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
