import { readFileSync, statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openNtfyStandIn } from "../support/ntfy-server.ts";
import { launcher, waitForOutcome } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

/** End to end: the command line, the daemon, and a stand-in for the ntfy server. */
describe("rookery setup ntfy", () => {
  const person = useOutside();
  const rookeries = useRookeriesWithoutRooms();
  let server: Awaited<ReturnType<typeof openNtfyStandIn>>;
  beforeEach(async () => {
    server = await openNtfyStandIn({ token: "tk_secret" });
  });
  afterEach(() => server.close());

  const run = (rookery: Rookery, args: string[], env: Record<string, string> = {}) =>
    person.run([...launcher, ...args], { ...rookery.env, ...env });
  const headers = { authorization: "Bearer tk_secret" };
  async function shown(topic: string): Promise<any[]> {
    const text = await (await fetch(`${topic}/json?poll=1&since=all`, { headers })).text();
    return text.split("\n").flatMap((line) => (line ? [JSON.parse(line)] : []));
  }

  test("makes secret topics, pairs, asks, is answered by a press, and is removed", async () => {
    const rookery = rookeries.open({
      ROOKERY_NTFY_SERVER: server.url,
      ROOKERY_DESKTOP_ENABLED: "off",
      ROOKERY_PRESENCE_AWAY_SECONDS: "0",
    });
    const refused = await run(rookery, ["setup", "ntfy", "--json"]);
    expect(JSON.parse(refused.stdout).error.message).toContain("refused access");
    expect(() => statSync(rookery.home.secrets)).toThrow();

    const ran = await run(rookery, ["setup", "ntfy", "--token-from-env", "TOKEN", "--json"], {
      TOKEN: "tk_secret",
    });
    expect(ran.stderr).toBe("");
    const { subscribe, answer, pairing } = JSON.parse(ran.stdout);
    for (const url of [subscribe, answer]) expect(url).toMatch(/\/rookery-[\w-]{20}$/);
    expect(await shown(subscribe)).toMatchObject([{ title: "Rookery can reach you here" }]);
    expect(statSync(rookery.home.secrets).mode & 0o777).toBe(0o600);

    await fetch(answer, { method: "POST", body: pairing.code });
    await waitFor(async () =>
      (await shown(subscribe)).some(({ message }) => message.startsWith("You are paired")),
    );
    const body = { question: "Which database?", options: ["Postgres", "SQLite"], wait: false };
    const { id } = (await rookery.call("POST", "/api/questions", body)).json.question;
    const card = await waitFor(async () =>
      (await shown(subscribe)).find(({ actions }) => actions?.length === 2),
    );
    const press = card.actions[1];
    await fetch(press.url, { method: press.method, body: press.body });
    await waitForOutcome(rookery, id, { outcome: "Answered in ntfy: SQLite" });
    await waitFor(async () => {
      const latest = (await shown(subscribe)).findLast(({ sequence_id }) => sequence_id === card.sequence_id);
      return latest.message.includes("Answered in ntfy: SQLite") && latest.actions === undefined;
    });

    const [topic = ""] = subscribe.split("/").slice(-1);
    for (const secret of [topic, "tk_secret"])
      for (const file of [rookery.home.log, rookery.home.config])
        expect(readFileSync(file, "utf8")).not.toContain(secret);
    expect((await run(rookery, ["setup", "ntfy", "--remove"])).code).toBe(0);
    expect(readFileSync(rookery.home.secrets, "utf8")).not.toContain(topic);
  });
});
