import { expect, test } from "vitest";
import { findBarriers } from "./support/axe.ts";
import { useViewer } from "./support/viewer.ts";

const viewer = useViewer();

test("a daemon that does not ask says so; one that does shows the question, takes the answer and keeps the history", async () => {
  const { rookery } = viewer;
  const page = await viewer.open("#/now", { reducedMotion: "reduce" });
  const probe = await rookery.call("GET", "/api/questions");
  if (probe.json?.code === "route_not_found") {
    await page.evaluate(() => void (location.hash = "#/questions"));
    await page.getByText("This daemon has no questions").waitFor();
    return;
  }

  const ask = async (question: string, options: string[]): Promise<string> => {
    const body = { question, options, cwd: rookery.home.root, wait: false };
    const { status, text, json } = await rookery.call("POST", "/api/questions", body);
    expect(status, text).toBe(201);
    return json.question.id;
  };
  const read = async (id: string) => (await rookery.call("GET", `/api/questions/${id}`)).json;

  const quick = await ask("Which store shall it be?", ["SQLite", "Postgres <b>14</b>"]);
  const card = page.locator(".question", { hasText: "Which store shall it be?" });
  await card.waitFor();
  expect(await page.title()).toMatch(/^\(1\) /);
  expect(await findBarriers(page)).toEqual([]);
  await card.getByRole("button", { name: "Postgres <b>14</b>" }).click();
  await card.waitFor({ state: "detached" });
  expect(await read(quick)).toMatchObject({
    ...{ state: "answered", answer: { answers: [["Postgres <b>14</b>"]] }, answerer: { place: "viewer" } },
  });

  const free = await ask("What is the port?", []);
  await page.locator(".question", { hasText: "What is the port?" }).getByRole("textbox").fill("8443");
  await page.keyboard.press("Enter");
  await page.locator(".question").waitFor({ state: "detached" });
  expect(await read(free)).toMatchObject({ answer: { answers: [["8443"]] } });

  await page.evaluate(() => void (location.hash = "#/questions"));
  await page
    .locator(".settled", { hasText: "Which store shall it be?" })
    .getByText(/in the viewer after/)
    .first()
    .waitFor();
  expect(await findBarriers(page)).toEqual([]);
});
