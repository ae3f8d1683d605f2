import { beforeAll, expect, test } from "vitest";
import { waitFor } from "../support/processes.ts";
import type { Page } from "./support/chromium.ts";
import { useViewer } from "./support/viewer.ts";

const viewer = useViewer();
let page: Page;
beforeAll(async () => {
  page = await viewer.open("#/today", { permissions: ["notifications"] });
  await page.evaluate(() => {
    const { prototype } = ServiceWorkerRegistration;
    const show = prototype.showNotification;
    prototype.showNotification = async function record(title, options) {
      await show.call(this, title, options);
      ((globalThis as any).shownTitles ??= []).push(title);
    };
  });
});

async function ask(question: string, options: string[]): Promise<string> {
  const body = { question, options, cwd: viewer.rookery.home.root, wait: false };
  const { status, text, json } = await viewer.rookery.call("POST", "/api/questions", body);
  expect(status, text).toBe(201);
  return json.question.id;
}

const read = async (id: string) => (await viewer.rookery.call("GET", `/api/questions/${id}`)).json;
const list = (): Promise<{ title: string; body: string; buttons: string[] }[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return ((await registration?.getNotifications()) ?? []).map(({ title, body, actions }: any) => ({
      ...{ title, body, buttons: actions.map((action: any) => action.title) },
    }));
  });
/** Waits until the notification is on the screen: listing them earlier drops those that are not displayed yet. */
const shown = async (title: string) => {
  const isShown = (wanted: string): boolean => (globalThis as any).shownTitles?.includes(wanted) === true;
  await page.waitForFunction(isShown, title);
  return (await list()).find((notification) => notification.title === title);
};

/** As the browser does when the user clicks a button, or the text. */
async function click(title: string, action: string): Promise<void> {
  const worker = page.context().serviceWorkers()[0];
  await worker?.evaluate(
    async ([wanted, button]) => {
      const scope = globalThis as any;
      const all = await scope.registration.getNotifications();
      const notification = all.find((one: any) => one.title === wanted);
      scope.dispatchEvent(new scope.NotificationEvent("notificationclick", { notification, action: button }));
    },
    [title, action] as const,
  );
}

test("off until asked for: no worker, no notification", async () => {
  await page.evaluate(() => void (document.hasFocus = () => false));
  await ask("Before you asked for it?", []);
  await page.locator(".question", { hasText: "Before you asked for it?" }).waitFor();
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await expect.poll(() => page.locator("link[rel=icon]").getAttribute("href")).toMatch(/icon-asking/);
});

test("a new question is shown with its options, and a button answers it", async () => {
  await page.getByRole("button", { name: "Notifications: off" }).click();
  await page.getByRole("button", { name: "Notifications: on" }).waitFor();
  const id = await ask("Redis or <b>Postgres</b>?", ["Redis", "Postgres"]);
  expect(await shown("Redis or <b>Postgres</b>?")).toMatchObject({ buttons: ["Redis", "Postgres"] });
  // The earlier question is not announced again.
  expect(await list()).toHaveLength(1);
  await click("Redis or <b>Postgres</b>?", "1");
  await expect.poll(async () => (await read(id)).answer).toEqual({ answers: [["Postgres"]] });
  await expect.poll(list).toEqual([]);
});

test("a question that is answered elsewhere takes its notification away; a click on the text opens the page", async () => {
  const id = await ask("Answered in the terminal?", ["yes", "no"]);
  await shown("Answered in the terminal?");
  await page.locator(".inbox-row, .question", { hasText: "Answered in the terminal?" }).first().waitFor();
  await page.evaluate(
    async ([question]) => {
      const registration = await navigator.serviceWorker.ready;
      const [before] = await registration.getNotifications({ tag: question ?? "" });
      if (!before) throw new Error("not shown");
    },
    [id],
  );
  await ask("What shall it be called?", []);
  expect(await shown("What shall it be called?")).toMatchObject({ buttons: [] });
  await click("What shall it be called?", "");
  await page.getByRole("heading", { level: 1, name: "Questions" }).waitFor();
  await page.locator(".inbox-row", { hasText: "Answered in the terminal?" }).click();
  const card = page.locator(".question", { hasText: "Answered in the terminal?" });
  // A card ignores clicks just after it has moved.
  await waitFor(async () => {
    await card
      .getByRole("button", { name: /^yes/ })
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    return (await read(id)).state === "answered";
  });
  await expect
    .poll(async () => (await list()).map(({ title }) => title))
    .not.toContain("Answered in the terminal?");
});

test("a page in front shows no notification, and turning them off removes the worker", async () => {
  await page.evaluate(() => void (document.hasFocus = () => true));
  const before = (await list()).length;
  await ask("You see this anyway?", []);
  await page.locator(".inbox-row", { hasText: "You see this anyway?" }).waitFor();
  expect(await list()).toHaveLength(before);
  await page.getByRole("button", { name: "Notifications: on" }).click();
  await page.getByRole("button", { name: "Notifications: off" }).waitFor();
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
    .toBe(0);
});
