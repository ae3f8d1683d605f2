import { readFileSync, statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  bob,
  botToken,
  findMessage,
  hasLocalDiscord,
  type LocalDiscord,
  openLocalDiscord,
  unescape,
} from "../support/local-discord.ts";
import { someRows } from "../support/long.ts";
import { launcher, waitForOutcome } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

/** End to end: the command line, the daemon, and the emulator. */
describe.skipIf(!hasLocalDiscord)("rookery setup discord", () => {
  const person = useOutside();
  const rookeries = useRookeriesWithoutRooms();
  let discord: LocalDiscord;
  beforeEach(async () => {
    discord = await openLocalDiscord();
  });
  afterEach(() => discord.close());

  const open = (): Rookery =>
    rookeries.open({
      ROOKERY_DISCORD_API_URL: discord.apiUrl,
      ROOKERY_DESKTOP_ENABLED: "off",
      ROOKERY_PRESENCE_AWAY_SECONDS: "0",
    });
  const run = (rookery: Rookery, args: string[], input?: string) =>
    person.run([...launcher, ...args], rookery.env, input);
  const setup = (rookery: Rookery, input: string) =>
    run(rookery, ["setup", "discord", "--stdin", "--json"], input);
  const ask = async (rookery: Rookery, question: string): Promise<string> => {
    const body = { question, options: ["Postgres", "SQLite"], wait: false };
    return (await rookery.call("POST", "/api/questions", body)).json.question.id;
  };
  const card = (text: string) =>
    findMessage(discord, ({ content, buttons }) => content.includes(text) && buttons.length > 0);
  const told = (text: string) =>
    waitFor(async () => (await discord.told()).some((each) => each.includes(text)), { describe: () => text });

  test("pairs by a direct message, asks, takes replies sent while it was down, and is removed", async () => {
    const rookery = open();
    const ran = await setup(rookery, `${botToken}\n`);
    expect(ran.stderr).toBe("");
    const { bot, pairing, invite } = JSON.parse(ran.stdout);
    expect(invite).toContain(`client_id=${bot.applicationId}&`);
    expect(statSync(rookery.home.secrets).mode & 0o777).toBe(0o600);
    await waitFor(() => discord.connections() === 1);

    // A stranger, before and after the pairing.
    await discord.say("hello", { user: bob });
    await told("rookery pair discord");
    await discord.say(pairing.code);
    await told("You are paired");

    const first = await ask(rookery, "Which database?");
    await discord.press(await card("Which database?"), "SQLite", { user: bob });
    await told("I do not know you yet");
    await discord.press(await card("Which database?"), "SQLite");
    await waitForOutcome(rookery, first, { outcome: "Answered in Discord: SQLite" });
    await findMessage(
      discord,
      ({ content, buttons }) =>
        unescape(content).includes("Answered in Discord: SQLite") && buttons.length === 0,
    );

    // Answered elsewhere.
    const second = await ask(rookery, "Which queue?");
    await card("Which queue?");
    await person.call(rookery, "POST", `/api/questions/${second}/answer`, { answers: [["Postgres"]] });
    await findMessage(discord, ({ content }) =>
      unescape(content).includes("Answered in the viewer: Postgres"),
    );

    const third = await ask(rookery, "Which cache?");
    const shown = await card("Which cache?");
    await rookery.kill9();
    await discord.say("Postgres", { to: shown.id });
    await rookery.start();
    await waitForOutcome(rookery, third, { outcome: "Answered in Discord: Postgres" });
    const { entries } = (await rookery.call("GET", "/api/audit")).json;
    const taken = entries.filter(
      ({ action, result, place }: any) => action === "answer" && result === "accepted" && place === "discord",
    );
    expect(taken).toHaveLength(2);

    for (const file of [rookery.home.log, rookery.home.config])
      expect(readFileSync(file, "utf8")).not.toContain(botToken);
    expect((await run(rookery, ["setup", "discord", "--remove"])).code).toBe(0);
    expect(readFileSync(rookery.home.secrets, "utf8")).not.toContain(botToken);
    const { channels } = JSON.parse((await rookery.cli("status", "--json")).stdout);
    expect(channels.map(({ name }: any) => name)).not.toContain("discord");
  });

  const unknownToken = ["D".repeat(24), "E".repeat(6), "F".repeat(30)].join(".");
  const refusals = [
    ["no token", "", /developers\/applications/, {}],
    ["a malformed token", "nonsense", /malformed/, {}],
    ["an unknown token", unknownToken, /rejected the bot token/, {}],
    ["an outage", botToken, /Cannot reach Discord/, { isDown: true }],
  ] as const;
  test.each(someRows(refusals, 2))("refuses %s and stores nothing", async (_name, input, message, faults) => {
    const rookery = open();
    Object.assign(discord.faults, faults);
    const ran = await setup(rookery, input);
    expect(ran.code).not.toBe(0);
    expect(JSON.parse(ran.stdout).error.message).toMatch(message);
    if (input) expect(ran.stdout).not.toContain(input);
    expect(() => statSync(rookery.home.secrets)).toThrow();
  });
});
