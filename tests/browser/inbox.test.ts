import { expect, test } from "vitest";
import { findBarriers } from "./support/axe.ts";
import { goTo, useViewer } from "./support/viewer.ts";

const viewer = useViewer();

async function ask(question: string, options: string[]): Promise<string> {
  const body = { question, options, cwd: viewer.rookery.home.root, wait: false };
  const { status, text, json } = await viewer.rookery.call("POST", "/api/questions", body);
  expect(status, text).toBe(201);
  return json.question.id;
}

const read = async (id: string) => (await viewer.rookery.call("GET", `/api/questions/${id}`)).json;

test("works with 500 questions, by keyboard, on a narrow screen; one answer goes to all that ask the same", async () => {
  const alike = [await ask("Same?", ["yes", "no"]), await ask("Same?", ["yes", "no"])];
  const many = Array.from({ length: 498 }, (_, n) => `Number ${n}? <b>&\u202e`);
  await Promise.all(many.map((text) => ask(text, ["yes", "no"])));
  const narrow = await viewer.open("#/questions", { viewport: { width: 390, height: 800 } });
  await narrow.locator(".inbox-row").nth(497).waitFor();
  const overflow = await narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await goTo(narrow, "#/today");
  await narrow.getByRole("link", { name: "All 500 questions" }).click();
  await narrow.locator(".inbox-row").nth(497).waitFor();
  const front = narrow.locator(".question", { hasText: "Same?" });
  await front.getByRole("button", { name: "Snooze 15 min" }).click();
  await front.waitFor({ state: "detached" });
  await narrow.getByRole("button", { name: "Show 2 snoozed" }).click();
  await narrow.locator(".inbox-row", { hasText: "Same?" }).focus();
  await narrow.keyboard.press("Enter");
  await front.and(narrow.locator(":focus")).waitFor();
  await narrow.keyboard.press("1");
  // One after the other: the second may be on its way, or already show its own outcome.
  await front.getByText("You answered: yes.").first().waitFor();
  for (const id of alike) await expect.poll(async () => (await read(id)).state).toBe("answered");
  await narrow.getByLabel("Kind").selectOption("Plans");
  await narrow.locator(".inbox-row").first().waitFor({ state: "detached" });
  expect(await findBarriers(narrow)).toEqual([]);
});
