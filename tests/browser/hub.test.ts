import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HubMachine, hubSettings, invite, joinMachine, openHubStage } from "../support/hub-stage.ts";
import { findPostgres, type Postgres } from "../support/postgres.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";
import { findBarriers } from "./support/axe.ts";
import { useViewer } from "./support/viewer.ts";

describe.skipIf(findPostgres() === undefined)("the hub in the settings", () => {
  const viewer = useViewer({ env: hubSettings });
  const rookeries = useRookeries(afterAll, hubSettings);
  const person = useOutside();
  let postgres: Postgres;
  let ada: HubMachine;
  let bob: HubMachine;
  const join = async (rookery: HubMachine["rookery"], member: string, device: string): Promise<HubMachine> =>
    joinMachine(person, rookery, { code: await invite(person, viewer.rookery, member), member, device });

  beforeAll(async () => {
    postgres = await openHubStage(person, viewer.rookery);
    bob = await join(await rookeries.started(), "bob", "desk");
  }, 60_000);
  afterAll(() => postgres?.close());

  test("is not mentioned before one is joined; then shows what is shared, by whom, and how far behind", async () => {
    const page = await viewer.open("#/settings/storage", { reducedMotion: "reduce" });
    const heading = page.getByRole("heading", { name: "Sharing" });
    const row = page.getByRole("region", { name: "Shared projects" }).locator("tbody tr");
    await page.getByText("hub.pollSeconds", { exact: true }).waitFor();
    expect(await heading.count()).toBe(0);

    ada = await join(viewer.rookery, "ada", "laptop");
    await heading.waitFor();
    await page.getByText("127.0.0.1, as ada (laptop), no contact yet.").waitFor();
    await page.getByText("No project is shared.").waitFor();

    await ada.save("We deploy the api only from signed tags.");
    await bob.save("The staging cluster runs on three small nodes.");
    await bob.save("Orders are archived after ninety days by the nightly job.");
    for (const machine of [bob, ada]) await machine.post("/api/hub/share", { project: machine.cwd });
    await row.getByText("bob 2").waitFor();
    expect(await row.locator("th, td").allTextContents()).toEqual(
      // Project, sent, waiting, refused, from others, behind, machines.
      ["api-laptop", "1", "0", "0", "bob 2", "0", "2"],
    );
    expect(await findBarriers(page)).toEqual([]);
  });

  test("shows that the hub cannot be reached, and how many notes wait", async () => {
    const page = await viewer.open("#/settings/storage", { reducedMotion: "reduce" });
    await postgres.kill9();
    await ada.save("Invoices are numbered per tenant, never globally.");
    await ada.resync();
    await page.getByText("Not reached: The hub does not answer").waitFor();
    // Comparing everything queues the sent note again.
    const waiting = page.getByRole("row").last().locator("td").nth(1);
    await waiting.getByText("2", { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await postgres.start();
    await ada.resync();
    await page.getByText("Not reached").waitFor({ state: "detached" });
  });
});
