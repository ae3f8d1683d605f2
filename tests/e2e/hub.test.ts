import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hubSettings, invite, openHubStage } from "../support/hub-stage.ts";
import { findPostgres, type Postgres } from "../support/postgres.ts";
import { waitFor } from "../support/processes.ts";
import { useOutside } from "../support/use-outside.ts";
import { openWorld, type World } from "../support/world.ts";
import { waitUntilDistilled } from "../support/written-session.ts";

const decision =
  "We decided to use SQLite in WAL mode for the job queue, because Redis would be one more server.";

/** Two machines with the real `claude`. */
describe.skipIf(findPostgres() === undefined)("a hub", () => {
  const person = useOutside();
  let postgres: Postgres;
  let ada: World;
  let bob: World;

  beforeAll(async () => {
    ada = await openWorld({ env: hubSettings });
    bob = await openWorld({ env: hubSettings });
    for (const { rookery } of [ada, bob]) await rookery.start();
    postgres = await openHubStage(person, ada.rookery);
    for (const [member, { rookery }] of Object.entries({ ada, bob })) {
      const code = await invite(person, ada.rookery, member);
      const joined = await person.call(rookery, "POST", "/api/hub/join", { code, device: member });
      expect(joined.status).toBe(200);
    }
  }, 120_000);
  afterAll(async () => {
    await bob?.close();
    await ada?.close();
    await postgres?.close();
  });

  const share = async ({ rookery, project }: World): Promise<void> => {
    const body = { project, key: "acme/jobs" };
    expect((await person.call(rookery, "POST", "/api/hub/share", body)).status).toBe(200);
  };

  test("makes a decision of a session on one machine known in the next session on the other", async () => {
    for (const world of [ada, bob]) {
      world.model.respondWith(() => ({ text: "DONE" }));
      expect((await world.run("Say DONE.")).code).toBe(0);
      await share(world);
    }
    ada.model.respondWith(() => ({ text: decision }));
    expect((await ada.run("Which database does the job queue use? Decide.")).code).toBe(0);
    await waitUntilDistilled(ada.rookery);

    // Starting brings the note; the session after it is given the note.
    expect((await bob.run("Say DONE.")).code).toBe(0);
    const received = () => bob.rookery.query("SELECT author FROM observations WHERE author IS NOT NULL");
    await waitFor(() => received().length > 0, { describe: "the note on the other machine" });
    expect(received()).toEqual([{ author: "ada" }]);
    const before = bob.model.requests.length;
    expect((await bob.run("Add a table for the job queue.")).code).toBe(0);
    const text = bob.model.requests[before]?.text;
    expect(text).toContain("SQLite in WAL mode for the job queue");
    expect(text).toMatch(/from=\\?"ada\\?"/);
  }, 200_000);
});
