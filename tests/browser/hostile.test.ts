import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useFakeClaudes } from "../support/fake-claude.ts";
import { signIn, type StagedSession, useMailStage } from "../support/mail-stage.ts";
import { openQuestions } from "../support/person-elsewhere.ts";
import { signalProcess, waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { startPermissionHook, type WaitingHook } from "../support/waiting-hook.ts";
import type { Page } from "./support/chromium.ts";
import { callFromPage, waitForRoom } from "./support/staged-present.ts";
import { goTo, owner, useViewer } from "./support/viewer.ts";

const attacks = [
  "<script>globalThis.owned = 'script'</script>",
  "<img src=x onerror=\"globalThis.owned = 'img'\">",
  "<svg onload=\"globalThis.owned = 'svg'\"><a href=\"javascript:globalThis.owned='link'\">x</a></svg>",
  '"><iframe srcdoc="<script>parent.owned=\'frame\'</script>"></iframe>',
  "</title></textarea></pre><style>*{display:none!important}</style><base href=//attacker.example>",
  "{{constructor.constructor('globalThis.owned=1')()}} ${globalThis.owned = 1} javascript:globalThis.owned=1",
  "`<b onclick=globalThis.owned=1>`\n```html\n<script>globalThis.owned=1</script>\n```\n",
  "[bank.example](https://attacker.example/md) ![x](https://attacker.example/pixel.png) <https://attacker.example/auto>",
  "[y](javascript:globalThis.owned='md') [z](data:text/html,x) [w](https://bank.example@attacker.example/) \n\n# <img src=x>\n\n| <b>a</b> | b |\n|-|-|\n| <img src=x onerror=globalThis.owned=1> | c |\n\n- <script>globalThis.owned=1</script>\n",
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
let foreign = "";
let blamed = "";
let task = "";
let rook: StagedSession;
let page: Page;
const hooks: WaitingHook[] = [];
const claudes = useFakeClaudes(afterAll);

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
    tool_name: "<b>Bash</b>",
    tool_use_id: "t",
    tool_input: { command: all },
    tool_response: megabyte,
  });
  const file = { file_path: `/work/${image}/${megabyte}` };
  await post("PostToolUse", {
    tool_name: "Edit",
    tool_use_id: "u",
    tool_input: file,
    tool_response: megabyte,
  });
  await post("Stop", { last_assistant_message: `From now on never use ${all} because ${megabyte}` });
  await rookery.call("PATCH", `/api/sessions/${encodeURIComponent(session)}`, { title: script });
  const note = await rookery.call("POST", "/api/notes", {
    project: `${image}\u202E`,
    session,
    title: attacks.slice(0, 3).join(" "),
    text: `${all} ${"long ".repeat(15_000)}`,
    files: [`src/${image}`],
  });
  expect(note.status, note.text).toBe(201);
  noteId = note.json.id;
  await waitFor(async () => (await rookery.call("GET", "/api/browse?kind=prompt")).json.total > 0, {
    describe: "the prompt to be distilled",
  });
}

const viewer = useViewer({ seed });
const stage = useMailStage(() => viewer.rookery);

type Sending = [method: string, path: string, body: object];
const asRook = (path: string, body: object): Sending => ["POST", path, { ...body, hostPid: rook.claude.pid }];
const asked = (body: object): Sending => [
  "POST",
  "/api/questions",
  { question: "?", pid: rook.claude.pid, wait: false, ...body },
];
const noted = (body: object): Sending => ["POST", "/api/notes", { project: "aviary", text: "x", ...body }];

/** The maximum length of each field. */
const fields: [of: string, field: string, most: number, send: (text: string) => Sending][] = [
  ["a message", "text", 50_000, (text) => asRook("/api/messages", { to: "project", text })],
  ["a task", "title", 300, (title) => asRook("/api/tasks", { title })],
  ["a task", "files.0", 1_000, (file) => asRook("/api/tasks", { title: "Files", files: [file] })],
  [
    ...(["a task", "result", 50_000] as const),
    (result) => ["PATCH", `/api/tasks/${task}`, { hostPid: rook.claude.pid, status: "completed", result }],
  ],
  ["a room", "name", 60, (name) => ["POST", "/api/rooms", { name }]],
  ["a lease", "globs.0", 500, (glob) => asRook("/api/leases", { globs: [glob] })],
  ["a question", "question", 4_000, (question) => asked({ question })],
  ["a question", "context", 4_000, (context) => asked({ context })],
  ["a question", "options.0", 300, (option) => asked({ options: [option] })],
  ["a note", "text", 100_000, (text) => noted({ text })],
  ["a note", "title", 300, (title) => noted({ title })],
  ["a note", "files.0", 8_192, (file) => noted({ files: [file] })],
  ["a session", "title", 500, (title) => ["PATCH", `/api/sessions/${rook.id}`, { title }]],
];

/** Attack strings, padded with letters to the maximum length. */
const fill = (most: number): string => `${attacks.at(-1)} ${all}`.slice(0, most).trim().padEnd(most, "A");

/** Messages, tasks, leases and questions of agents, and messages from a person's own client. */
beforeAll(async () => {
  const { rookery } = viewer;
  rook = await stage.open("aviary");
  blamed = join(rook.cwd, "<b onclick=owned=1>\u202Epool.ts");
  // A NUL would make it a binary file.
  const hostileLines = attacks.join("\n").replaceAll("\0", "");
  writeFileSync(blamed, hostileLines);
  const edited = { tool_name: "Write", tool_input: { file_path: blamed, content: hostileLines } };
  await rook.say("PostToolUse", { prompt_id: "p-blame", ...edited });
  const jay = await stage.open("aviary");
  agent = rook.agent;
  room = (await waitForRoom(rookery, "aviary")).id;
  await rook.say("UserPromptSubmit", { prompt: all });
  await rook.send("user", all);
  await rook.send(jay.agent, all);
  const given = await rookery.call(...asRook("/api/tasks", { title: "Ended", to: jay.agent }));
  task = given.json.id;
  const mail = { to: agent, body: `${all} ${megabyte.slice(0, 90_000)}`, from: image };
  expect((await outside.call(rookery, "POST", "/api/deliveries", mail)).status).toBe(201);
  page = await viewer.open("#/health");
  const answered = { agent, question: `Again: ${script}`, options: [script, image], wait: false };
  const { question } = (await rookery.call("POST", "/api/questions", answered)).json;
  await outside.call(rookery, "POST", `/api/questions/${question.id}/answer`, {
    answers: [[all]],
    by: "<img src=x onerror=globalThis.owned=1>",
  });
  const edit = { file_path: `src/${image}`, old_string: all, new_string: `${all}\n${megabyte}` };
  const command = `echo ${attacks.at(-1)} ${megabyte}`;
  const prompts = [
    { question: `${all} ${megabyte}`, header: script, options: [{ label: all }, { label: megabyte }] },
  ];
  for (const [tool_name, tool_input] of [
    ["Edit", edit],
    ["Bash", { command }],
    ["AskUserQuestion", { questions: prompts }],
    ["ExitPlanMode", { plan: `${all}\n${megabyte}` }],
  ] as const) {
    const claude = claudes.open();
    hooks.push(
      startPermissionHook(rookery, { session_id: `asks-${tool_name}`, tool_name, tool_input }, claude.pid),
    );
    await openQuestions(rookery, hooks.length); // In this order on the page.
  }
  await writeFromClient(jay.agent);
});
afterAll(async () => {
  for (const hook of hooks) if (!hook.isOver()) signalProcess(hook.pid, "SIGKILL");
  await Promise.all(hooks.map(({ done }) => done));
});

/** A room whose name, topic and creator's display name are attacker-controlled. */
async function writeFromClient(invited: string): Promise<void> {
  const { password } = await callFromPage(page, "POST", "/api/matrix/people", { name: "eve" });
  const eve = await signIn(viewer.rookery, "eve", password);
  await eve.call("PUT", `/profile/${encodeURIComponent(eve.userId)}/displayname`, { displayname: script });
  const server = eve.userId.split(":")[1];
  const invite = [`@${owner}:${server}`, `@${invited}:${server}`];
  const made = await eve.call("POST", "/createRoom", { name: all, topic: all, invite });
  foreign = made.room_id;
  const body = `${all} ${megabyte.slice(0, 50_000)}`;
  await eve.write(foreign, {
    msgtype: "m.text",
    body,
    format: "org.matrix.custom.html",
    formatted_body: all,
  });
  await eve.write(foreign, { msgtype: "m.text", body: "A megabyte is not a message.", extra: megabyte });
  await waitFor(async () =>
    (await viewer.rookery.call("GET", "/api/rooms")).json.rooms.some(
      ({ id, last }: any) => id === foreign && last,
    ),
  );
}

/** A session's own requests come from its own processes. */
const post = ([method, path, body]: Sending) =>
  "hostPid" in body || "pid" in body
    ? viewer.rookery.call(method, path, body)
    : outside.call(viewer.rookery, method, path, body);

test.each(fields)(
  "%s, %s: a megabyte is refused by name, the maximum length is accepted",
  async (_of, field, most, send) => {
    for (const text of [megabyte, fill(most + 1)]) {
      const { status, json } = await post(send(text));
      expect([status, json.code, json.message]).toEqual([
        ...[400, "invalid_payload", `Field ${field} must have at most ${most} characters.`],
      ]);
    }
    const kept = await post(send(fill(most)));
    expect(kept.status, kept.text).toBeLessThan(300);
  },
);

describe("hostile data is shown as text", () => {
  const places: [string, () => string, string][] = [
    ["Today", () => "#/today", ".question .diff"],
    ["Memory", () => "#/memory", ".row"],
    ["the note", () => `#/memory/${noteId}`, ".note .chips"],
    ["a search", () => "#/memory?q=script", ".row mark"],
    ["its editor", () => `#/memory/${noteId}`, ".note .chips"],
    ["prompts", () => "#/memory?kind=prompt", ".row"],
    ["messages", () => "#/memory?kind=message", ".row"],
    ["Sessions", () => "#/sessions", ".row"],
    ["the story", () => `#/sessions/${encodeURIComponent(session)}`, ".turn"],
    ["the story of one that talks", () => `#/sessions/${rook.id}`, ".turn"],
    ["Questions", () => "#/questions", ".settled li"],
    ["Rooms", () => "#/rooms", ".tasks-list li"],
    ["the project's room", () => `#/rooms/${encodeURIComponent(room)}`, ".spoken"],
    ["an agent's room", () => `#/rooms/${encodeURIComponent(agent)}`, ".spoken-note details"],
    ["a room from elsewhere", () => `#/rooms/${encodeURIComponent(foreign)}`, ".spoken"],
    ["a blamed file", () => `#/blame/${encodeURIComponent(blamed)}?project=aviary`, ".blame-code li"],
    ["Health", () => "#/health", ".tiles"],
    ["the projects", () => "#/settings/projects", ".projects li"],
    ["Settings", () => "#/settings", ".preview, .projects li"],
    ["the palette", () => "#/today", ".lane"],
  ];

  test.each(places)("on %s", async (name, hash, landmark) => {
    const requests: string[] = [];
    const note = (request: { url(): string }): void => void requests.push(request.url());
    page.on("request", note);
    await goTo(page, hash());
    await page.locator(landmark).first().waitFor();
    if (name === "its editor") await page.keyboard.press("e");
    if (name === "the palette") {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("script");
      await page.locator(".palette-item").first().waitFor();
    }
    // Expand everything that is collapsed or truncated; load a second page of paged lists.
    for (const folded of ["main summary", "main button.more", "main button.more"])
      await page.locator(folded).evaluateAll((all) => {
        for (const one of all) (one as HTMLElement).click();
      });
    const found = await page.evaluate(() => {
      const elements = [...document.querySelectorAll("*")];
      const spoken = elements.flatMap((element) =>
        ["title", "aria-label", "placeholder"].map((name) => element.getAttribute(name) ?? ""),
      );
      const shown = [document.title, document.body.innerText, ...spoken].join("\n");
      return {
        owned: (globalThis as any).owned,
        strange: document.querySelectorAll(
          "main script, main img, main iframe, main style, main base, main b",
        ).length,
        handlers: elements.flatMap(({ attributes }) =>
          [...attributes].filter((one) => one.name.startsWith("on")),
        ).length,
        // An external link opens in a tab that cannot reach this page, and shows its target.
        badLinks: [...document.querySelectorAll("a")]
          .filter(({ href, rel, target, parentElement }) => {
            const { protocol, origin, host, username } = new URL(href);
            if (origin === location.origin) return false;
            const isSafe = /^https?:$/.test(protocol) && username === "" && target === "_blank";
            return (
              !isSafe || rel !== "noopener noreferrer nofollow" || !parentElement?.textContent?.includes(host)
            );
          })
          .map(({ outerHTML }) => outerHTML),
        outside: document.querySelectorAll("a[target=_blank]").length,
        unseen: /.{0,40}[\u202a-\u202e\u2066-\u2069\u200b].{0,40}/.exec(shown)?.[0],
        width: document.documentElement.scrollWidth,
      };
    });
    page.off("request", note);
    expect(found).toMatchObject({ owned: undefined, strange: 0, handlers: 0, unseen: undefined });
    expect(found.badLinks).toEqual([]);
    if (["the note", "the story", "the project's room"].includes(name))
      expect(found.outside).toBeGreaterThan(0);
    expect(found.width).toBeLessThanOrEqual(1280);
    const { origin } = new URL(page.url());
    expect(requests.filter((url) => !url.startsWith(origin))).toEqual([]);
    expect(requests.length).toBeGreaterThan(0);
  });

  test("invisible characters are shown by their code", async () => {
    await goTo(page, `#/memory/${noteId}`);
    await page.getByText("user‹U+202E›gnp.exe‹U+2066›‹U+200B›hidden").first().waitFor();
  });
});

test("the page's policy blocks inline code", async () => {
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
      // Rejected earlier.
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
