import { beforeAll, expect, test } from "vitest";
import { isLong } from "../support/long.ts";
import { type StagedSession, useMailStage } from "../support/mail-stage.ts";
import { useOutside } from "../support/use-outside.ts";
import type { Page } from "./support/chromium.ts";
import { waitForRoom } from "./support/staged-present.ts";
import { goByKeys, goTo, owner, printTimes, useViewer } from "./support/viewer.ts";

const viewer = useViewer();
const outside = useOutside();
const stage = useMailStage(() => viewer.rookery);
let rook: StagedSession;
let jay: StagedSession;
let room = "";
let page: Page;
const placeOf = (key: string): string => `#/rooms/${encodeURIComponent(key)}`;
const get = async (path: string): Promise<any> => (await viewer.rookery.call("GET", path)).json;
const tell = (session: StagedSession, method: string, path: string, body: object): Promise<any> =>
  viewer.rookery.call(method, path, { ...body, hostPid: session.claude.pid });
const write = async (text: string): Promise<void> => {
  await page.getByRole("textbox", { name: /^Message to/ }).fill(text);
  await page.keyboard.press("Enter");
};
const spoken = (text: string) => page.locator(".spoken", { hasText: text });

beforeAll(async () => {
  rook = await stage.open("aviary");
  jay = await stage.open("aviary");
  room = (await waitForRoom(viewer.rookery, "aviary")).id;
  page = await viewer.open("#/today");
});

test("a message is unread until it is seen, and appears live", async () => {
  await goTo(page, "#/today");
  await jay.send("project", `Agents among themselves, @${rook.agent}.`);
  await rook.send("project", `The nest is finished, @${owner}.`);
  const badge = page.getByRole("link", { name: /^Rooms/ }).getByText("1");
  await badge.waitFor();
  await goByKeys(page, "r");
  await page.locator(".row", { hasText: "The nest is finished" }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await spoken("The nest is finished").waitFor();
  await badge.waitFor({ state: "detached" });
  expect((await get("/api/rooms")).rooms.find(({ id }: any) => id === room)).toMatchObject({
    unread: 0,
    isYours: true,
    last: { from: rook.agent, text: `The nest is finished, @${owner}.` },
  });

  const times: number[] = [];
  for (let n = 0; n < 3; n++) {
    await jay.send("project", `Egg number ${n}.`);
    const sentAt = performance.now();
    await spoken(`Egg number ${n}.`).waitFor();
    times.push(performance.now() - sentAt);
  }
  printTimes("a message appears", times);
});

test("a message to all: Enter sends, Shift+Enter starts a line, and the delivery to each agent is shown", async () => {
  await goTo(page, placeOf(room));
  await page.getByRole("textbox", { name: /^Message to/ }).waitFor();
  await page.keyboard.press("c");
  await page.keyboard.type("Staging is down.");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("Leave it alone.");
  await page.keyboard.press("Enter");
  const mine = spoken("Staging is down.");
  await mine.getByText(/waiting for .*aviary-.*, aviary-/).waitFor();
  await expect.poll(() => page.getByRole("textbox", { name: /^Message to/ }).inputValue()).toBe("");
  const received = await stage.waitForText(rook, (text) => text.includes("Leave it alone."));
  expect(received).toContain(`from="${owner}"`);
  expect(received).toContain("Staging is down.\nLeave it alone.");
  await mine.getByText(`delivered to ${rook.agent}`).waitFor();
  rook.write(received);
  await rook.say("PostToolUse");
  await mine.getByText(`read by ${rook.agent}`).waitFor();
  await mine.getByText(`waiting for ${jay.agent}`).waitFor();
});

test("a message to one agent opens a direct room, which also shows its other deliveries", async () => {
  const script = { to: jay.agent, body: "By a script.", from: "cron" };
  await outside.call(viewer.rookery, "POST", "/api/deliveries", script);
  await goTo(page, placeOf(jay.agent));
  await page.getByText("Message from cron").click();
  await page.getByText("By a script.").waitFor();
  await write("Only for you.");
  await spoken("Only for you.").waitFor();
  await stage.waitForText(jay, (text) => text.includes("Only for you."));
  expect(await rook.say("PostToolUse")).not.toContain("Only for you.");
  await jay.send("user", "Understood.");
  await spoken("Understood.").getByRole("button", { name: "Reply" }).click();
  await page.keyboard.type("Good.");
  await page.keyboard.press("Enter");
  await spoken("Good.").getByText("Understood.").waitFor();
  const [answer] = (await get(`/api/messages?room=${jay.agent}`)).messages;
  expect(answer).toMatchObject({ text: "Good.", isMine: true, replyTo: expect.any(String), state: "sent" });
});

test("an unsent message stays in the box, across reloads and page changes, and is finally sent once", async () => {
  await goTo(page, placeOf(room));
  const box = page.getByRole("textbox", { name: /^Message to/ });
  await box.waitFor();
  await page.route("**/api/messages", (route) => route.abort());
  await write("Do not lose me.");
  await page.getByRole("alert").getByText("The daemon is not responding.").waitFor();
  expect(await box.inputValue()).toBe("Do not lose me.");
  const list = await page.locator(".messages").elementHandle();
  await goTo(page, placeOf(rook.agent));
  await page.getByRole("textbox", { name: `Message to ${rook.agent}` }).waitFor();
  expect(await box.inputValue()).toBe("");
  // The last scroll event of a list may arrive after it has left the page; an error in the page fails the run.
  await list?.evaluate((element) => void element.dispatchEvent(new Event("scroll")));
  await page.reload();
  await goTo(page, placeOf(room));
  await expect.poll(() => box.inputValue()).toBe("Do not lose me.");
  await page.unroute("**/api/messages");
  await box.focus();
  await page.keyboard.press("Enter");
  await spoken("Do not lose me.").waitFor();
  await expect.poll(() => box.inputValue()).toBe("");
  const { messages } = await get(`/api/messages?room=${encodeURIComponent(room)}`);
  expect(messages.filter(({ text }: any) => text === "Do not lose me.")).toHaveLength(1);
});

test("a message whose response was lost is sent again with the same id, and leaves the box when it appears", async () => {
  await goTo(page, placeOf(room));
  const box = page.getByRole("textbox", { name: /^Message to/ });
  const count = async (text: string): Promise<number> =>
    (await get(`/api/messages?room=${encodeURIComponent(room)}`)).messages.filter(
      (one: any) => one.text === text,
    ).length;
  let sent = 0;
  await page.route("**/api/messages", async (route) => {
    if (sent++ === 0) {
      await route.fetch();
      await route.abort();
    } else await route.continue();
  });
  // The events are not visible either.
  await page.route("**/api/messages?*", (route) => route.abort());
  await write("Received, and not answered.");
  await page.getByRole("alert").getByText("The daemon is not responding.").waitFor();
  expect(await count("Received, and not answered.")).toBe(1);
  await box.press("Enter");
  await expect.poll(() => box.inputValue()).toBe("");
  expect([sent, await count("Received, and not answered.")]).toEqual([2, 1]);

  sent = 0;
  await page.unroute("**/api/messages?*");
  await write("Seen after all.");
  await spoken("Seen after all.").waitFor();
  await expect.poll(() => box.inputValue()).toBe("");
  await page.getByRole("alert").waitFor({ state: "detached" });
  expect([sent, await count("Seen after all.")]).toEqual([1, 1]);
  await page.unroute("**/api/messages");
});

test("a conversation of two agents is read-only", async () => {
  await rook.send(jay.agent, "Just between us.");
  await goTo(page, "#/rooms");
  await page.getByText(/\d chats? between agents/).click();
  await page.locator(".room-group", { hasText: "between agents" }).getByRole("link").first().click();
  await spoken("Just between us.").waitFor();
  await page.getByText("you can read it").waitFor();
  expect(await page.locator(".composer").count()).toBe(0);
});

test("members and their activity are shown live, and a click puts a name into the message", async () => {
  await goTo(page, placeOf(room));
  await jay.say("UserPromptSubmit", { prompt: "Count the feathers" });
  const present = page.locator(".present li", { hasText: jay.agent });
  await present.getByText("Count the feathers").waitFor();
  await present.getByText("working").waitFor();
  await page.locator(".present li", { hasText: owner }).getByText("you").waitFor();
  await present.getByRole("button", { name: `Mention ${jay.agent}` }).click();
  const box = page.getByRole("textbox", { name: /^Message to/ });
  expect(await box.inputValue()).toBe(`@${jay.agent} `);
  await box.focus();
  await page.keyboard.press("End");
  await page.keyboard.type("how many?");
  await page.keyboard.press("Enter");
  await stage.waitForText(jay, (text) => text.includes("how many?"));
  expect(await rook.say("PostToolUse")).not.toContain("how many?");
  await jay.say("Stop", { last_assistant_message: "Seven." });
});

test("a task is created, taken, reassigned and ended, and everyone is informed", async () => {
  await goTo(page, placeOf(room));
  await page.getByRole("button", { name: "New task" }).click();
  const form = page.getByRole("form", { name: "New task" });
  await form.getByLabel("Title").fill("Count the eggs");
  await form.getByLabel("For").selectOption(jay.agent);
  await form.getByRole("button", { name: "Create task" }).click();
  const task = page.getByRole("article", { name: "Count the eggs" });
  await task.getByText("submitted").waitFor();
  expect(await stage.waitForText(jay, (text) => text.includes("Count the eggs"))).toContain('kind="task"');
  const read = async () => (await get("/api/tasks")).tasks[0];
  await tell(jay, "PATCH", `/api/tasks/${(await read()).id}`, { status: "working", progress: 40 });
  await task.getByText("in progress").waitFor();
  expect(await task.getByRole("progressbar").getAttribute("value")).toBe("40");

  await task.getByRole("button", { name: "Take" }).click();
  await task.getByRole("button", { name: "Take" }).waitFor({ state: "detached" });
  expect((await read()).owner).toBe(owner);
  await task.getByLabel("More actions for Count the eggs").selectOption(rook.agent);
  await task.getByRole("button", { name: "Take" }).waitFor();
  expect((await read()).owner).toBe(rook.agent);
  await task.getByRole("button", { name: "Done" }).click();
  await task.getByLabel("Result").fill("Seven, all warm.");
  await task.getByRole("button", { name: "Mark as done" }).click();
  await page.getByText("1 closed").click();
  await task.getByText("Seven, all warm.").waitFor();
  expect(await read()).toMatchObject({
    status: "completed",
    result: "Seven, all warm.",
    requester: owner,
    next: [],
  });
});

test("a lease is shown while it is held, and a person can end it", async () => {
  await goTo(page, placeOf(room));
  await tell(rook, "POST", "/api/leases", { globs: ["src/nest/**"], minutes: 30 });
  const lease = page.locator(".leases li", { hasText: "src/nest/**" });
  await lease.getByText(/exclusive, (29|30) min left/).waitFor();
  await lease.getByRole("button", { name: "Release" }).click();
  await lease.waitFor({ state: "detached" });
  expect((await get("/api/leases")).leases).toEqual([]);
});

test("a new room has the invited members", async () => {
  await goTo(page, "#/rooms");
  await page.getByRole("button", { name: "New room" }).click();
  const form = page.getByRole("form", { name: "New room" });
  await form.getByLabel("Name").fill("Design talk");
  await form.getByLabel(rook.agent).check();
  await form.getByRole("button", { name: "Create room" }).click();
  await page.getByRole("heading", { name: "design-talk" }).waitFor();
  await page.locator(".present li", { hasText: rook.agent }).waitFor();
  await write("Welcome to the design.");
  await stage.waitForText(rook, (text) => text.includes("Welcome to the design."));
});

test("a muted room is muted in every browser and in the terminal, and leaves the count of unread messages", async () => {
  const total = async (): Promise<number> => {
    const { rooms } = await get("/api/rooms");
    return rooms.reduce((sum: number, one: any) => sum + (one.isMuted ? 0 : one.unread), 0);
  };
  await goTo(page, placeOf(room));
  await page.getByRole("button", { name: "Mute" }).click();
  await page.getByRole("button", { name: "Unmute" }).waitFor();
  await goTo(page, "#/today");
  const before = await total();
  const other = await viewer.open("#/today");
  await rook.send("project", `Hear me, @${owner}.`);
  await rook.send("user", "In private.");
  await other.locator(".nav .count", { hasText: `${before + 1} new` }).waitFor();
  expect(await total()).toBe(before + 1);
  await goTo(other, placeOf(jay.agent));
  const muted = other.locator(".rooms-list .row").getByText("muted", { exact: true });
  await muted.waitFor();
  expect((await viewer.rookery.cli("rooms")).stdout).toMatch(/muted +aviary/);
  await goTo(page, placeOf(room));
  await page.getByRole("button", { name: "Unmute" }).waitFor();
  await page.keyboard.press("m");
  await muted.waitFor({ state: "detached" });
  await other.close();
});

test("words filter the rooms and agents, and an agent has one colour everywhere", async () => {
  await goTo(page, placeOf(room));
  const colorOf = (selector: string): Promise<string> =>
    page
      .locator(selector, { hasText: rook.agent })
      .first()
      .evaluate((element) => getComputedStyle(element).color);
  await spoken("The nest is finished").waitFor();
  const color = await colorOf(".rooms-list .tone");
  expect(await colorOf(".spoken-by .tone")).toBe(color);
  expect(await colorOf(".present .tone")).toBe(color);
  await page.keyboard.press("/");
  await page.keyboard.type(jay.agent.toUpperCase());
  const rowOf = (name: string) => page.locator(".rooms-list .row-title").getByText(name, { exact: true });
  await rowOf(rook.agent).waitFor({ state: "detached" });
  await rowOf(jay.agent).first().waitFor();
  await page.getByLabel("Filter rooms").fill("nothing of the kind");
  await page.getByText("No room or agent has this name.").waitFor();
  await page.getByLabel("Filter rooms").fill("");
});

// Scrolling is measured per frame, which is unreliable on a machine that runs other tests.
test.runIf(isLong)(
  "a long conversation does not move while scrolled back, and shows that messages arrived",
  async () => {
    const mark = Date.now().toString(36);
    await page.setViewportSize({ width: 1280, height: 420 });
    await goTo(page, placeOf(room));
    const box = page.getByRole("region", { name: "Messages" });
    for (const n of [1, 2, 3, 4, 5, 6]) await jay.send("project", `Line ${n} of ${mark}.`);
    await spoken(`Line 6 of ${mark}.`).waitFor();
    await box.evaluate((element) => void (element.scrollTop = 0));
    await jay.send("project", `Below the fold of ${mark}.`);
    await page.getByRole("button", { name: /\d new/ }).waitFor();
    expect(await box.evaluate((element) => element.scrollTop)).toBeLessThan(5);
    await page.getByRole("button", { name: /\d new/ }).click();
    const last = spoken(`Below the fold of ${mark}.`);
    await expect
      .poll(() => last.evaluate((element) => element.getBoundingClientRect().bottom))
      .toBeLessThan(420);
  },
);

test("two projects of the same name are told apart by their folders, in the list and above the messages", async () => {
  const twin = await stage.open("elsewhere/aviary");
  await goTo(page, "#/today");
  await goTo(page, "#/rooms");
  for (const { cwd } of [rook, twin]) {
    await page.locator(".row", { hasText: cwd }).click();
    await page.locator(".talk-head").getByText(cwd).waitFor();
  }
});
