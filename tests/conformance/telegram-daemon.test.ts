import { readFileSync, statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  bob,
  botToken,
  findMessage,
  hasLocalTelegram,
  type LocalTelegram,
  openLocalTelegram,
} from "../support/local-telegram.ts";
import { someRows } from "../support/long.ts";
import { launcher, waitForOutcome } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

/** End to end: the command line, the daemon, and the emulator. */
describe.skipIf(!hasLocalTelegram)("rookery setup telegram", () => {
  const person = useOutside();
  const rookeries = useRookeriesWithoutRooms();
  let telegram: LocalTelegram;
  beforeEach(async () => {
    telegram = await openLocalTelegram();
  });
  afterEach(() => telegram.close());

  const open = (): Rookery =>
    rookeries.open({
      ROOKERY_TELEGRAM_API_URL: telegram.apiUrl,
      ROOKERY_DESKTOP_ENABLED: "off",
      ROOKERY_PRESENCE_AWAY_SECONDS: "0",
    });
  const run = (rookery: Rookery, args: string[], input?: string) =>
    person.run([...launcher, ...args], rookery.env, input);
  const setup = (rookery: Rookery, input: string) =>
    run(rookery, ["setup", "telegram", "--stdin", "--json"], input);
  const ask = async (rookery: Rookery, question: string): Promise<string> => {
    const body = { question, options: ["Postgres", "SQLite"], wait: false };
    return (await rookery.call("POST", "/api/questions", body)).json.question.id;
  };
  const card = (text: string) =>
    findMessage(telegram, (message) => message.text.includes(text) && message.keyboard.length > 0);

  test("pairs by the start link, asks, takes presses made while it was down, and is removed", async () => {
    const rookery = open();
    const ran = await setup(rookery, `${botToken}\n`);
    expect(ran.stderr).toBe("");
    const { bot, pairing, link } = JSON.parse(ran.stdout);
    expect(link).toBe(`https://t.me/${bot.username}?start=${pairing.code}`);
    expect(statSync(rookery.home.secrets).mode & 0o777).toBe(0o600);

    // A stranger, before and after the pairing.
    await telegram.say("hello", { user: bob });
    await findMessage(
      telegram,
      ({ text, chat }) => chat === String(bob.id) && text.includes("rookery pair telegram"),
    );
    await telegram.say(`/start ${pairing.code}`);
    await findMessage(telegram, ({ text }) => text.startsWith("You are paired"));

    const first = await ask(rookery, "Which database?");
    await telegram.press(await card("Which database?"), "SQLite", bob);
    await waitFor(() => telegram.alerts.some((text) => text.includes("I do not know you yet")));
    await telegram.press(await card("Which database?"), "SQLite");
    await waitForOutcome(rookery, first, { outcome: "Answered in Telegram: SQLite" });
    await findMessage(
      telegram,
      ({ text, keyboard }) => text.includes("Answered in Telegram: SQLite") && keyboard.length === 0,
    );

    // Answered elsewhere.
    const second = await ask(rookery, "Which queue?");
    await card("Which queue?");
    await person.call(rookery, "POST", `/api/questions/${second}/answer`, { answers: [["Postgres"]] });
    await findMessage(
      telegram,
      ({ text }) => text.includes("Which queue?") && text.includes("Answered in the viewer: Postgres"),
    );

    const third = await ask(rookery, "Which cache?");
    const shown = await card("Which cache?");
    await rookery.kill9();
    await telegram.press(shown, "Postgres");
    await rookery.start();
    await waitForOutcome(rookery, third, { outcome: "Answered in Telegram: Postgres" });
    const { entries } = (await rookery.call("GET", "/api/audit")).json;
    const taken = entries.filter(
      ({ action, result, place }: any) =>
        action === "answer" && result === "accepted" && place === "telegram",
    );
    expect(taken).toHaveLength(2);

    for (const file of [rookery.home.log, rookery.home.config])
      expect(readFileSync(file, "utf8")).not.toContain(botToken);
    expect((await run(rookery, ["setup", "telegram", "--remove"])).code).toBe(0);
    expect(readFileSync(rookery.home.secrets, "utf8")).not.toContain(botToken);
    const { channels } = JSON.parse((await rookery.cli("status", "--json")).stdout);
    expect(channels.map(({ name }: any) => name)).not.toContain("telegram");
  });

  const refusals = [
    ["no token", "", /BotFather/, {}],
    ["a malformed token", "nonsense", /malformed/, {}],
    ["an unknown token", "1234:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBB", /rejected the bot token/, {}],
    ["an outage", botToken, /Cannot reach Telegram/, { isDown: true }],
    ["a bot that another program reads", botToken, /Another program reads/, { isConflicting: true }],
  ] as const;
  test.each(someRows(refusals, 2))("refuses %s and stores nothing", async (_name, input, message, faults) => {
    const rookery = open();
    Object.assign(telegram.faults, faults);
    const ran = await setup(rookery, input);
    expect(ran.code).not.toBe(0);
    expect(JSON.parse(ran.stdout).error.message).toMatch(message);
    if (input) expect(ran.stdout).not.toContain(input);
    expect(() => statSync(rookery.home.secrets)).toThrow();
  });
});
