import { writeFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { waitFor } from "../support/processes.ts";
import { saveNotes } from "../support/seed-sessions.ts";
import type { Page } from "./support/chromium.ts";
import { goTo, useViewer } from "./support/viewer.ts";

const viewer = useViewer({ seed: (rookery) => saveNotes(rookery, ["20-postgres-slow-query"]) });
let page: Page;
beforeAll(async () => {
  page = await viewer.open("#/settings");
});
const setting = (path: string) =>
  page.locator("form.setting").filter({ has: page.getByText(path, { exact: true }) });
const config = async () => (await viewer.rookery.call("GET", "/api/config")).json;

test("an invalid number is refused beside its field; a valid one is saved with its source, in force after a restart, and can be reset", async () => {
  const tokens = setting("context.tokens");
  const field = tokens.getByRole("textbox");
  await field.fill("99999");
  await page.keyboard.press("Enter");
  const error = tokens.getByRole("alert");
  await error.getByText("context.tokens").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await field.getAttribute("aria-describedby")).toContain(await error.getAttribute("id"));
  expect((await config()).sources["context.tokens"]).toBe("default");
  await field.fill("many");
  await tokens.getByRole("button", { name: "Save" }).click();
  await error.getByText("context.tokens").waitFor();

  await field.fill("700");
  await tokens.getByRole("button", { name: "Save" }).click();
  await tokens.getByText("file", { exact: true }).waitFor();
  await error.waitFor({ state: "detached" });
  await tokens.getByText("after a restart").waitFor();
  await page.getByText("1 saved setting needs a restart").waitFor();
  expect(await config()).toMatchObject({
    values: { "context.tokens": 700 },
    running: { "context.tokens": 1000 },
  });
  await page.reload();
  await tokens.getByText("after a restart").waitFor();
  expect(await field.inputValue()).toBe("700");
  await tokens.getByRole("button", { name: "Reset to default" }).click();
  await tokens.getByText("default", { exact: true }).waitFor();
  await page.getByText(/needs? a restart/).waitFor({ state: "detached" });
});

test("a setting with few values is a choice with descriptions; one set by the environment is read-only", async () => {
  await goTo(page, "#/settings/model");
  const provider = setting("model.provider");
  const choice = provider.getByRole("combobox");
  expect(await choice.locator("option").allTextContents()).toEqual([
    ...["off", "claude", "anthropic", "openai", "gemini", "openrouter", "ollama"],
  ]);
  await provider.getByText("no model: sends nothing").waitFor();
  await choice.selectOption("ollama");
  await provider.getByText("a model on this machine").waitFor();
  await choice.selectOption("off");
  await goTo(page, "#/settings/agents");
  await setting("delivery.wake").waitFor();
  expect(await setting("delivery.wake").getByRole("combobox").locator("option").allTextContents()).toEqual([
    ...["on", "off"],
  ]);
  const port = setting("matrix.port");
  await port.getByText("environment", { exact: true }).waitFor();
  expect(await port.getByRole("textbox").isDisabled()).toBe(true);
  await port.getByText("ROOKERY_MATRIX_PORT").waitFor();
  await goTo(page, "#/settings/context");
  const lists = setting("capture.exclude").getByRole("textbox");
  expect((await lists.inputValue()).split("\n")).toContain("*.pem");
});

test("a change made without a person is shown, and can be accepted", async () => {
  const { config: file } = viewer.rookery.home;
  writeFileSync(file, JSON.stringify({ matrix: { publicUrl: "https://chat.example.org" } }));
  // In a new tab, because a reloaded one has lost the right to decide.
  page = await viewer.open("#/settings/agents");
  await page.getByText("1 setting was changed without you").waitFor();
  const address = setting("matrix.publicUrl");
  await address.getByText("not confirmed").waitFor();
  await address.getByRole("button", { name: "Accept" }).click();
  await address.getByText("after a restart").waitFor();
  await page.getByText("changed without you").waitFor({ state: "detached" });
  expect(await config()).toMatchObject({ unconfirmed: [], running: { "matrix.publicUrl": "" } });
  await address.getByRole("button", { name: "Reset to default" }).click();
  await page.getByText(/needs? a restart/).waitFor({ state: "detached" });
});

test("settings are found by their words, and by differing from the default", async () => {
  await goTo(page, "#/settings/context");
  await setting("context.tokens").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("quiet");
  await setting("context.tokens").waitFor({ state: "detached" });
  await setting("notify.quietHours").waitFor();
  await page.getByRole("searchbox").fill("");
  await page.getByLabel("only changed settings").check();
  await setting("matrix.port").waitFor();
  await setting("context.tokens").waitFor({ state: "detached" });
  await page.getByLabel("only changed settings").uncheck();
  await setting("context.tokens").waitFor();
});

test("a project is isolated, switched off, and set to block edits under leases, at once", async () => {
  const projects = async () => (await viewer.rookery.call("GET", "/api/projects")).json.projects;
  const [{ name }] = await projects();
  await goTo(page, "#/settings/projects");
  const row = page.locator(".project", { hasText: name });
  for (const [group, label, field] of [
    ["Memory", "isolated", { mode: "isolated" }],
    ["Memory", "off", { mode: "off" }],
    ["Memory", "on", { mode: "on" }],
    ["Leases", "block", { leases: "block" }],
    ["Leases", "warn", { leases: "warn" }],
  ] as const) {
    await row.getByRole("group", { name: group }).getByText(label, { exact: true }).click();
    await waitFor(async () => {
      const [project] = await projects();
      return Object.entries(field).every(([key, value]) => project[key] === value);
    });
  }
});

test("the preview shows the start of a session, with current and with other limits", async () => {
  await goTo(page, "#/settings");
  const preview = page.locator(".preview");
  await page.locator(".preview-controls").getByLabel("Project").selectOption({ label: "metrics-db" });
  await preview.getByText("<rookery-memory").waitFor();
  await viewer.rookery.call("POST", "/api/notes", {
    project: "metrics-db",
    text: "The preview is alive today.",
  });
  await preview.getByText("The preview is alive today").waitFor();
  const { text } = (await viewer.rookery.call("GET", "/api/context?project=metrics-db")).json;
  expect(await preview.innerText()).toContain(text.split("\n")[4]);
  await page.getByLabel("Tokens:").fill("0");
  await page.getByText("Empty: there are no notes").waitFor();
});

test("every setting is in one section, a section fits on few screens, and the address names it", async () => {
  const { keys } = await config();
  const seen: string[] = [];
  for (const link of await page.locator(".sections a").all()) {
    await link.click();
    await page
      .locator('.sections a[aria-current="true"]', { hasText: (await link.textContent()) ?? "" })
      .waitFor();
    seen.push(...(await page.locator("form.setting code:first-child").allTextContents()));
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height).toBeLessThan(3_000);
  }
  expect([...new Set(seen)].filter((path) => keys.some((key: any) => key.path === path)).toSorted()).toEqual(
    keys.map(({ path }: any) => path).toSorted(),
  );
  expect(new URL(page.url()).hash).toBe("#/settings/daemon");
  const phone = await viewer.open("#/settings/daemon", { viewport: { width: 390, height: 844 } });
  await expect
    .poll(async () => (await phone.locator('.sections a[aria-current="true"]').boundingBox())?.x)
    .toBeLessThan(390);
  await phone.close();
});

test("many projects: the list is short, and words find one by its name or path", async () => {
  for (let number = 0; number < 30; number++)
    await viewer.rookery.call("POST", "/api/notes", { project: `wood-${number}`, text: "A tree." });
  await page.reload();
  await goTo(page, "#/settings/projects");
  await page.locator(".project").nth(24).waitFor();
  expect(await page.locator(".project").count()).toBe(25);
  await page.getByLabel("Search projects").fill("WOOD 29");
  await expect.poll(() => page.locator(".project").count()).toBe(1);
  await page.getByLabel("Search projects").fill("nothing of the kind");
  await page.getByText("No project has this name or path.").waitFor();
  await page.getByLabel("Search projects").fill("");
  await page.getByRole("button", { name: /more projects/ }).click();
  await page.locator(".project").nth(30).waitFor();
  await page.getByLabel("Search settings").fill("wood-7");
  await expect.poll(() => page.locator(".project").count()).toBe(1);
  await page.getByLabel("Search settings").fill("");
});
