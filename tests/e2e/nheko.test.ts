import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { spawnDaemon } from "../support/daemon-process.ts";
import { signIn, useMailStage } from "../support/mail-stage.ts";
import { openOutside } from "../support/outside.ts";
import { waitFor } from "../support/processes.ts";
import { repository, type Rookery } from "../support/rookery.ts";
import { openNheko } from "../support/screen.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries(afterAll);
let rookery: Rookery;
const stage = useMailStage(() => rookery);

/** Takes a minute and a few hundred megabytes of packages: `ROOKERY_NHEKO=1 npm test -- --project e2e nheko`. */
test.runIf(process.env.ROOKERY_NHEKO === "1")(
  "a person signs in with nheko, sees the project's room, and writes a line that an agent reads",
  async () => {
    rookery = rookeries.open();
    await spawnDaemon(rookery);
    const rook = await stage.open("orders-api");
    const outside = await openOutside();
    const made = await outside.call(rookery, "POST", "/api/matrix/people", { name: "ada" });
    await outside.close();
    const ada = await signIn(rookery, "ada", made.json.password);
    const room = await waitFor(async () =>
      (await rookery.call("GET", "/api/rooms")).json.rooms.find(({ name }: any) => name === "orders-api"),
    );
    await ada.call("POST", `/join/${encodeURIComponent(room.id)}`, {});
    await rook.send("project", "The endpoint is renamed; all 12 tests pass. May I merge it?");
    const { matrixPort } = JSON.parse(readFileSync(rookery.home.daemonFile, "utf8"));

    const screen = await openNheko();
    try {
      await screen.step(() => screen.click(631, 489)); // LOGIN
      await screen.click(550, 330); // Matrix ID
      // `rookery.local` cannot be resolved, so nheko asks for the address.
      await screen.step(async () => {
        await screen.type("@ada:rookery.local");
        await screen.press("Tab");
      });
      await screen.type(made.json.password);
      await screen.press("Tab", "Tab", "ctrl+a");
      await screen.type(`http://127.0.0.1:${matrixPort}`);
      await screen.press("Tab");
      await screen.step(() => screen.click(550, 563)); // LOGIN
      const devices = async (): Promise<number> => (await ada.call("GET", "/devices")).devices.length;
      await waitFor(async () => (await devices()) === 2, { describe: "nheko to sign in" });
      await screen.step(() => screen.click(1016, 618)); // Encryption is not set up.
      await screen.step(() => screen.click(150, 165)); // The room.
      await screen.click(600, 637);
      await screen.step(async () => {
        await screen.type("Yes, merge it today. Thank you!");
        await screen.press("Return");
      });
      const received = await stage.waitForText(rook, (text) => text.includes("merge it today"));
      expect(received).toContain('from="@ada:rookery.local" via="room orders-api"');
      mkdirSync(join(repository, "docs", "images"), { recursive: true });
      await screen.shoot(join(repository, "docs", "images", "nheko.png"));
    } finally {
      await screen.close();
    }
  },
);
