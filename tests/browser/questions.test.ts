import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { useFakeClaudes } from "../support/fake-claude.ts";
import { launcher, openQuestion, waitForOutcome } from "../support/person-elsewhere.ts";
import { signalProcess } from "../support/processes.ts";
import { useOutside } from "../support/use-outside.ts";
import { startPermissionHook, type WaitingHook } from "../support/waiting-hook.ts";
import { findBarriers } from "./support/axe.ts";
import type { Page } from "./support/chromium.ts";
import { goTo, owner, printTimes, useViewer } from "./support/viewer.ts";

const viewer = useViewer();
const outside = useOutside();
const claudes = useFakeClaudes();
const hooks: WaitingHook[] = [];
let page: Page;
let sessions = 0;

beforeAll(async () => {
  page = await viewer.open("#/today", { reducedMotion: "reduce" });
});
afterEach(async () => {
  for (const hook of hooks) if (!hook.isOver()) signalProcess(hook.pid, "SIGKILL");
  await Promise.all(hooks.splice(0).map(({ done }) => done));
  // A settled card stays for a moment, and a reloaded tab may not answer: the next test gets a new sign-in.
  await viewer.signIn(page, "#/today");
});

/** A session's real waiting hook. Its claude is a separate process, because a session may not answer itself. */
async function wait(tool: string, input: Record<string, unknown>) {
  const session_id = `asking-${++sessions}`;
  const fields = { session_id, tool_name: tool, tool_input: input };
  const hook = startPermissionHook(viewer.rookery, fields, claudes.open().pid);
  hooks.push(hook);
  return { hook, question: await openQuestion(viewer.rookery) };
}

async function ask(question: string, options: string[] = [], fields: object = {}): Promise<string> {
  const body = { question, options, cwd: viewer.rookery.home.root, wait: false, ...fields };
  const { status, text, json } = await viewer.rookery.call("POST", "/api/questions", body);
  expect(status, text).toBe(201);
  return json.question.id;
}

const read = async (id: string) => (await viewer.rookery.call("GET", `/api/questions/${id}`)).json;
const card = (text: string) => page.locator(".question", { hasText: text });
const row = (text: string) => page.locator(".inbox-row", { hasText: text });
const ended = (text: string, outcome: string) =>
  card(text).locator(".question-outcome", { hasText: outcome }).waitFor();
const decisionOf = async (hook: WaitingHook): Promise<any> =>
  JSON.parse((await hook.done).stdout).hookSpecificOutput.decision;

describe("a permission with a waiting hook", () => {
  test("is allowed once, by its button alone", async () => {
    const { hook, question } = await wait("Bash", { command: "git push origin main", description: "Push" });
    await card("git push origin main").waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    expect(await findBarriers(page)).toEqual([]);
    // Neither a number nor Enter is consent.
    await page.keyboard.press("j");
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
    expect((await read(question.id)).state).toBe("open");
    await card("git push origin main").getByRole("button", { name: "Allow once" }).click();
    await ended("git push origin main", "You allowed it once. Waiting for");
    expect(await decisionOf(hook)).toMatchObject({ behavior: "allow" });
    expect(await read(question.id)).toMatchObject({ answerer: { place: "viewer" }, verdict: "sent" });
  });

  test("is allowed for the session, with the resulting rule shown", async () => {
    const { hook, question } = await wait("Bash", { command: "mkdir nest" });
    expect(question.sessionRule).toBe("Bash(mkdir nest)");
    await card("mkdir nest").getByRole("button", { name: "Allow for session: Bash(mkdir nest)" }).click();
    expect(await decisionOf(hook)).toMatchObject({
      behavior: "allow",
      updatedPermissions: [{ destination: "session", type: "addRules" }],
    });
  });

  test("is denied with a reason; an edit is shown as removed and added lines", async () => {
    const { hook } = await wait("Edit", {
      file_path: "src/nest.ts",
      old_string: "const eggs = 3;",
      new_string: "const eggs = 4;",
    });
    const shown = card("src/nest.ts");
    await shown.locator(".diff-old", { hasText: "-const eggs = 3;" }).waitFor();
    await shown.locator(".diff-new", { hasText: "+const eggs = 4;" }).waitFor();
    await shown.getByLabel("Reason").fill("There are three.");
    await shown.getByRole("button", { name: "Deny" }).click();
    const decision = await decisionOf(hook);
    expect(decision).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("There are three."),
    });
  });

  test("approves a plan", async () => {
    const { hook } = await wait("ExitPlanMode", { plan: "# Plan\n1. Build\n2. Fly" });
    await card("Plan: 1. Build").getByRole("button", { name: "Approve" }).click();
    expect(await decisionOf(hook)).toMatchObject({ behavior: "allow" });
  });

  test("shows an answer given elsewhere and closes; the unsent draft is not sent", async () => {
    const { hook, question } = await wait("Bash", { command: "make fledge" });
    const shown = card("make fledge");
    await shown.getByLabel("Reason").fill("I was just");
    const [ran] = await Promise.all([
      outside.run([...launcher, "answer", question.id, "--allow"], viewer.rookery.env),
      shown.getByText("Allowed once on the command line.").waitFor(), // The card goes away on its own.
    ]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(await shown.getByRole("button").count()).toBe(0);
    expect(await decisionOf(hook)).toMatchObject({ behavior: "allow" });
    await shown.waitFor({ state: "detached" });
    expect(await read(question.id)).toMatchObject({ answerer: { place: "cli" } });
  });

  test("disappears on its own if it is decided in the terminal", async () => {
    const { hook, question } = await wait("Bash", { command: "make roost" });
    await card("make roost").waitFor();
    signalProcess(hook.pid, "SIGTERM");
    await card("make roost").getByText("Declined in the terminal.").waitFor();
    await waitForOutcome(viewer.rookery, question.id, { state: "declined" });
  });
});

describe("the inbox", () => {
  test("shows a question that was asked before the viewer was open, and answers it", async () => {
    await page.goto("about:blank");
    const id = await ask("Which cache?", ["Redis", "Memory"]);
    page = await viewer.open("#/today", { reducedMotion: "reduce" });
    await card("Which cache?").getByRole("button", { name: "Redis" }).click();
    await ended("Which cache?", "You answered: Redis.");
    await page.locator(".inbox-summary", { hasText: "No open questions." }).waitFor();
    await card("Which cache?").locator(".chosen-one", { hasText: "Redis" }).waitFor();
    expect((await read(id)).state).toBe("answered");
  });

  test("appends a new question without moving the others, and ignores clicks for a moment", async () => {
    const first = await ask("First?", ["yes", "no"]);
    const button = card("First?").getByRole("button", { name: "yes" });
    await button.click({ trial: true });
    const before = await button.boundingBox();
    await button.hover();
    await page.mouse.down();
    // A click at the moment of the change was meant for the previous layout.
    const pressed = page.evaluate(
      () =>
        new Promise<void>((done) => {
          const pressOnArrival = new MutationObserver(() => {
            if (!document.querySelector(".inbox-row")) return;
            pressOnArrival.disconnect();
            const press = new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 });
            document.querySelector(".question button.option")?.dispatchEvent(press);
            done();
          });
          pressOnArrival.observe(document.body, { childList: true, subtree: true });
        }),
    );
    const second = await ask("Second?", ["yes", "no"]);
    await pressed;
    await row("Second?").waitFor();
    expect(await button.boundingBox()).toEqual(before);
    await page.mouse.move(0, 0);
    await page.mouse.up();
    expect((await read(second)).state).toBe("open");
    expect((await read(first)).state).toBe("open");
    await button.click();
    await ended("First?", "You answered: yes.");
    await card("Second?").getByRole("button", { name: "no", exact: true }).click();
    await ended("Second?", "You answered: no.");
  });

  test("wants a second press for a dangerous command", async () => {
    const { hook, question } = await wait("Bash", { command: "rm -rf build" });
    const shown = card("rm -rf build");
    await shown.getByText("Careful: this deletes files without asking.").waitFor();
    await shown.getByRole("button", { name: "Allow once" }).dblclick();
    expect((await read(question.id)).state).toBe("open");
    await shown.getByRole("button", { name: "Press again to allow once" }).click();
    expect(await decisionOf(hook)).toMatchObject({ behavior: "allow" });
  });
});

describe("a question", () => {
  test("is answered by a click, or by the number of an option while its card is in front", async () => {
    const clicked = await ask("Which store shall it be?", ["SQLite", "Postgres <b>14</b>"]);
    await card("Which store").getByRole("button", { name: "Postgres <b>14</b>" }).click();
    await ended("Which store", "You answered: Postgres <b>14</b>.");
    expect(await read(clicked)).toMatchObject({
      state: "answered",
      answer: { answers: [["Postgres <b>14</b>"]] },
      answerer: { place: "viewer" },
    });
    const typed = await ask("Which branch?", ["main", "next"]);
    await card("Which branch?").waitFor();
    await card("Which branch?").focus();
    await page.keyboard.press("2");
    await ended("Which branch?", "You answered: next.");
    expect(await read(typed)).toMatchObject({ answer: { answers: [["next"]] } });
  });

  test("is answered with free text", async () => {
    const id = await ask("What is the port?");
    await card("What is the port?").getByRole("textbox").fill("8443");
    await page.keyboard.press("Enter");
    await ended("What is the port?", "You answered: 8443.");
    expect(await read(id)).toMatchObject({ answer: { answers: [["8443"]] } });
  });

  test("takes several options, and free text beside them", async () => {
    const id = await ask("Which seeds?", ["Millet", "Hemp", "Oats"], { multi: true });
    const shown = card("Which seeds?");
    const send = shown.getByRole("button", { name: "Answer" });
    expect(await send.isDisabled()).toBe(true);
    await shown.getByRole("button", { name: "Millet" }).click();
    await shown.getByRole("button", { name: "Oats" }).click();
    await shown.getByRole("button", { name: "Hemp" }).click();
    await shown.getByRole("button", { name: "Hemp" }).click();
    expect(await shown.getByRole("button", { name: "Oats" }).getAttribute("aria-pressed")).toBe("true");
    await shown.getByLabel("In your own words").fill("Nuts");
    await send.click();
    await ended("Which seeds?", "You answered: Millet, Oats, Nuts.");
    expect(await read(id)).toMatchObject({ answer: { answers: [["Millet", "Oats", "Nuts"]] } });
  });

  test("with several parts is sent when each part is answered, and its hook gets all answers", async () => {
    const questions = [
      { question: "Which DB?", header: "DB", options: [{ label: "A" }, { label: "B" }], multiSelect: false },
      { question: "Which OS?", header: "OS", options: [{ label: "L" }, { label: "M" }], multiSelect: true },
    ];
    const { hook } = await wait("AskUserQuestion", { questions });
    const shown = card("Which DB?");
    await shown.getByRole("button", { name: "B", exact: true }).click();
    expect(await shown.getByRole("button", { name: "Answer" }).isDisabled()).toBe(true);
    await shown.getByRole("button", { name: "L", exact: true }).click();
    await shown.getByRole("button", { name: "M", exact: true }).click();
    await shown.getByRole("button", { name: "Answer" }).click();
    expect((await decisionOf(hook)).updatedInput.answers).toEqual({ "Which DB?": "B", "Which OS?": "L, M" });
  });

  test("appears in every tab, and disappears when one has answered it", async () => {
    const other = await viewer.open("#/questions");
    const times: number[] = [];
    for (let n = 0; n < 3; n++) {
      const id = await ask(`Is it number ${n}?`, ["yes", "no"]);
      const askedAt = performance.now();
      await card(`Is it number ${n}?`).waitFor();
      times.push(performance.now() - askedAt);
      const there = other.locator(".question", { hasText: `Is it number ${n}?` });
      await there.waitFor(); // A tab that never showed the question would also pass the next check.
      await card(`Is it number ${n}?`).getByRole("button", { name: "yes" }).click();
      await there.getByText("You answered: yes.").waitFor();
      expect(await there.getByRole("button").count()).toBe(0);
      expect((await read(id)).state).toBe("answered");
    }
    printTimes("a question appears", times);
    await other.close();
  });
});

test("the history shows who answered, where and how long it took, and the totals", async () => {
  await goTo(page, "#/questions");
  await page.getByText(/\d+ answered \(median .*in the viewer/).waitFor();
  const settled = page.locator(".settled li", { hasText: "make fledge" });
  await settled.getByText("Allowed once on the command line.").first().waitFor();
  await settled.getByText(`${owner} on the command line after`).waitFor();
  const own = page.locator(".settled li", { hasText: "You answered: " }).first();
  await own.getByText(/^in the viewer after/).waitFor();
  await settled.locator("summary").click();
  await settled.getByRole("link", { name: "Open session" }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
});
