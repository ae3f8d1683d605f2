import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { QuestionView } from "../../src/protocol/ask.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { useFakeClaudes } from "../support/fake-claude.ts";
import { hasLocalSlack, workspace } from "../support/local-slack.ts";
import {
  inTheViewer,
  onTheCommandLine,
  openQuestion,
  openQuestions,
  postAnswer,
  waitForOutcome,
} from "../support/person-elsewhere.ts";
import { openPersonOnSlack, type PersonOnSlack } from "../support/person-on-slack.ts";
import { signalProcess, waitFor } from "../support/processes.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { pressable, show, textOf } from "../support/slack-harness.ts";
import type { Delivered } from "../support/slack-proxy.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";
import { startPermissionHook, type WaitingHook } from "../support/waiting-hook.ts";

const secret = "ghp_0123456789abcdefghijABCDEFGHIJ0123456789";

/** End to end with real parts: waiting hooks, daemon, the Slack SDKs, the emulator, and the API. */
describe.skipIf(!hasLocalSlack)("a daemon on Slack", () => {
  const person = useOutside();
  const rookeries = useRookeries(afterAll);
  const claudes = useFakeClaudes();
  let phone: PersonOnSlack;
  let rookery: Rookery;
  const hooks: WaitingHook[] = [];

  beforeAll(async () => {
    phone = await openPersonOnSlack();
    rookery = await rookeries.started(phone.env);
    await phone.pair(rookery, person);
  });
  afterAll(() => phone.close());
  afterEach(async () => {
    for (const hook of hooks) if (!hook.isOver()) signalProcess(hook.pid, "SIGTERM");
    await Promise.all(hooks.splice(0).map(({ done }) => done));
    await openQuestions(rookery, 0);
  });

  function start(command: string): WaitingHook {
    const hook = startPermissionHook(rookery, { tool_name: "Bash", tool_input: { command } });
    hooks.push(hook);
    return hook;
  }
  async function asked(command: string): Promise<{ hook: WaitingHook; question: QuestionView }> {
    const hook = start(command);
    return { hook, question: await openQuestion(rookery) };
  }
  const allow = { allow: "once" } as const;

  test("notices are sent and confirmed to their sender", async () => {
    expect((await rookery.cli("notify", "All green")).stdout).toBe("Notification queued.\n");
    const channel = await phone.slack.direct();
    const isThere = async () =>
      (await phone.slack.messages(channel)).some((message) => textOf(message).includes("All green"));
    await waitFor(isThere, { describe: "the notice" });
    await openQuestions(rookery, 0);
  });

  test("with a bot token and a channel only, a person pairs in the channel and answers in the thread", async () => {
    const { SLACK_APP_TOKEN: _app, ROOKERY_SLACK_USER_ID: _user, ...env } = phone.env;
    const two = await rookeries.started({ ...env, SLACK_CHANNEL_ID: workspace.channel });
    const { slack } = phone;
    const { json: offer } = await person.call(two, "POST", "/api/pairings", { channel: "slack" });
    await slack.say({ channel: workspace.channel, text: offer.code });
    await waitFor(async () => (await person.call(two, "GET", "/api/pairings")).json.people.length === 1, {
      describe: "the person to be paired",
    });
    const asked = { question: "Which DB?", options: ["Postgres", "SQLite"], wait: false };
    const { json } = await two.call("POST", "/api/questions", asked);
    const card = await waitFor(async () =>
      (await slack.messages(workspace.channel)).find((message) => textOf(message).includes("Which DB?")),
    );
    await slack.say({ channel: workspace.channel, thread: card.ts, text: "SQLite" });
    await waitForOutcome(two, json.question.id, { outcome: "Answered in Slack: SQLite" });
    expect(readFileSync(two.home.log, "utf8")).not.toContain(phone.env.SLACK_BOT_TOKEN);
    await two.stop();
  });

  test("the person has one name, whether they answer on Slack, in the viewer or on the command line", async () => {
    const { SLACK_APP_TOKEN: _app, ROOKERY_SLACK_USER_ID: _user, ...env } = phone.env;
    const { slack } = phone;
    const { channel } = workspace;
    // On Slack her account is called ada.
    const own = await rookeries.started({ ...env, SLACK_CHANNEL_ID: channel, ROOKERY_MATRIX_OWNER: "olga" });
    const { json: offer } = await person.call(own, "POST", "/api/pairings", { channel: "slack" });
    await slack.say({ channel, text: offer.code });
    const people = async () => (await person.call(own, "GET", "/api/pairings")).json.people;
    await waitFor(async () => (await people()).length === 1);
    const { pid } = claudes.open();
    await own.hook("SessionStart", makePayload("SessionStart", { session_id: "s-1" }), { hostPid: pid });
    const ask = async (question: string): Promise<QuestionView> =>
      (await own.call("POST", "/api/questions", { question, wait: false, pid })).json.question;

    const onSlack = await ask("Which queue?");
    const card = await waitFor(async () =>
      (await slack.messages(channel)).find((message) => textOf(message).includes("Which queue?")),
    );
    await slack.say({ channel, thread: card.ts, text: "the one in memory" });
    await waitForOutcome(own, onSlack.id, { state: "answered" });
    const elsewhere = [inTheViewer(person), onTheCommandLine(person)];
    for (const [n, place] of elsewhere.entries())
      await place.answer(own, await ask(`Which cache, ${n}?`), { answers: [["none"]] });

    const { questions } = (await own.call("GET", "/api/questions?limit=10")).json;
    expect(questions.map(({ answerer }: QuestionView) => answerer)).toEqual([
      { place: "cli", by: "olga" },
      { place: "viewer", by: "olga" },
      { place: "slack", by: "olga" },
    ]);
    expect(await people()).toMatchObject([{ name: "olga" }]);
    const { entries } = (await own.call("GET", "/api/audit")).json;
    const answered = entries.filter(({ action }: any) => action === "answer");
    expect(answered.map(({ who }: any) => who.split(" (")[0])).toEqual(["olga", "olga", "olga"]);
    await waitFor(() => own.query("SELECT 1 FROM deliveries WHERE kind = 'answer'").length === 3);
    expect(own.query("SELECT DISTINCT sender FROM deliveries WHERE kind = 'answer'")).toEqual([
      { sender: "olga" },
    ]);
    await own.stop();
  });

  test("50 questions answered on Slack, in the viewer and in the terminal at once: one answer counts, the others are reported as late", async () => {
    const run = Date.now().toString(36); // A retry uses other commands.
    const commands = Array.from({ length: 50 }, (_, n) => `make race-${n}-${run}`);
    const waiting = new Map<string, WaitingHook>();
    for (const [n, command] of commands.entries()) {
      waiting.set(command, start(command));
      if (n % 10 === 9) await openQuestions(rookery, n + 1);
    }
    const questions = await openQuestions(rookery, commands.length);
    const cards = await Promise.all(questions.map(({ id }) => phone.card(rookery, id)));

    const race = async (question: QuestionView, n: number) => {
      const card = cards[n];
      if (!card) throw new Error("no card");
      const { channel, ts } = card;
      const command = question.subject?.text;
      const ran = {
        tool_name: "Bash",
        tool_input: { command },
        tool_use_id: `tu-${n}-${run}`,
        tool_response: {},
      };
      const places = [
        () => phone.slack.act({ channel, ts, action: pressable(card, "Allow once") }),
        () => postAnswer(person, rookery, question.id, allow),
        () => rookery.hook("PostToolUse", makePayload("PostToolUse", ran)),
      ] as const;
      // Each of the three is first for a third of the questions.
      const order = [n % 3, (n + 1) % 3, (n + 2) % 3];
      const given: Promise<any>[] = [];
      for (const [turn, index] of order.entries()) {
        given[index] = places[index]?.() ?? Promise.resolve();
        // On a busy machine one place may win every race: each wins at least one, without a race.
        if (n >= places.length || turn > 0) continue;
        await waitForOutcome(rookery, question.id, { state: "answered" });
        if (index < 2) await (waiting.get(command ?? "") as WaitingHook).done;
      }
      const [, viewed] = await Promise.all(given);
      return viewed as Awaited<ReturnType<typeof postAnswer>>;
    };
    const viewed = await Promise.all(questions.map(race));

    const winners = new Set<string>();
    let received = 0;
    for (const [n, question] of questions.entries()) {
      const ended = await waitForOutcome(rookery, question.id, { state: "answered" });
      const place = ended.answerer?.place ?? "";
      winners.add(place);
      const outcome = ended.outcome ?? "";
      await phone.shows(rookery, question.id, outcome);
      if (place === "viewer") expect(viewed[n]).toMatchObject({ status: 200 });
      else expect(viewed[n]).toMatchObject({ status: 409, json: { code: "question_settled" } });
      if (place !== "viewer") expect(viewed[n]?.json.message).toBe(outcome);
      if (place !== "slack") await isTold(cards[n]?.ts ?? "", outcome);
      const { stdout } = await (waiting.get(question.subject?.text ?? "") as WaitingHook).done;
      // If the terminal answered before the hook fetched the other answer, the host has continued and gets no reply.
      if (place !== "terminal" && stdout !== "") {
        expect(JSON.parse(stdout).hookSpecificOutput.decision.behavior).toBe("allow");
        received++;
      } else expect(stdout).toBe("");
      expect(accepted(question.id)).toHaveLength(place === "terminal" ? 0 : 1);
    }
    expect(winners).toEqual(new Set(["slack", "viewer", "terminal"]));
    expect(received).toBeGreaterThan(0);
  });

  async function isTold(thread: string, text: string): Promise<void> {
    const channel = await phone.slack.direct();
    const isThere = async () =>
      (await phone.slack.messages(channel)).some(
        (message) => message.thread_ts === thread && textOf(message) === text,
      );
    await waitFor(isThere, { describe: `"${text}" under ${thread}` });
  }
  const accepted = (id: string) =>
    rookery.query(
      "SELECT 1 FROM audit WHERE question_id = ? AND action = 'answer' AND result = 'accepted'",
      id,
    );

  describe("nothing is approved by", () => {
    let question: QuestionView;
    let hook: WaitingHook;

    async function press(label: string, user: string = workspace.owner): Promise<Delivered> {
      const card = await phone.card(rookery, question.id);
      const before = phone.proxy.delivered.length;
      await phone.slack.act({ channel: card.channel, ts: card.ts, user, action: pressable(card, label) });
      return waitFor(() => phone.proxy.delivered[before]);
    }
    /** Takes a click of an unknown user and sends it again with changed fields. */
    async function forge(change: (payload: any) => void): Promise<void> {
      const template = await press("Allow once", workspace.other);
      phone.proxy.redeliver(template, (payload) => {
        Object.assign(payload.user, { id: workspace.owner, team_id: workspace.team });
        payload.trigger_id = `forged-${Math.random()}`;
        change(payload);
      });
    }
    const refusals = () =>
      rookery.query("SELECT 1 FROM audit WHERE action = 'answer' AND result IN ('refused', 'unclear')")
        .length;
    const say = async (text: string, user: string = workspace.owner) => {
      const card = await phone.card(rookery, question.id);
      await phone.slack.say({ channel: card.channel, thread: card.ts, text, user });
    };

    test.each<[name: string, refused: number, attack: () => Promise<unknown>]>([
      ["an unpaired user", 1, () => press("Allow once", workspace.other)],
      ["a text of an unpaired user", 1, () => say("allow", workspace.other)],
      ["a bare yes", 1, () => say("yes")],
      ["“allow once” as text", 1, () => say("Allow once")],
      ["a forged team", 2, () => forge((payload) => (payload.user.team_id = "T0FORGED"))],
      [
        "the paired user in a shared channel",
        2,
        () => {
          phone.proxy.faults.shared = [workspace.channel];
          return forge((payload) => (payload.channel.id = workspace.channel));
        },
      ],
      ["a guessed ticket", 2, () => forge((payload) => (payload.actions[0].value = "guessed"))],
      [
        "a press on a command that has changed",
        1,
        async () => {
          await phone.card(rookery, question.id);
          const database = openDatabase(rookery.home.database);
          database.run("UPDATE questions SET input_hash = 'another' WHERE id = ?", question.id);
          database.close();
          await press("Allow once");
        },
      ],
      ["an agent over TCP, with the token", 1, () => fromHere("callTcp")],
      ["an agent over the socket", 1, () => fromHere("call")],
    ])("%s", async (_, refused, attack) => {
      ({ hook, question } = await asked(`make attack-${Math.random()}`));
      const before = refusals();
      await attack();
      await waitFor(() => refusals() >= before + refused, { describe: "the refusal in the audit log" });
      expect((await openQuestion(rookery)).id).toBe(question.id);
      expect(accepted(question.id)).toEqual([]);
      expect(hook.isOver()).toBe(false);
    });

    /** The hooks reported this process as claude. */
    async function fromHere(way: "call" | "callTcp"): Promise<void> {
      const answered = await rookery[way]("POST", `/api/questions/${question.id}/answer`, allow);
      expect(answered).toMatchObject({ status: 403, json: { code: "may_not_decide" } });
    }

    test("a replayed press, on its own question or another", async () => {
      ({ hook, question } = await asked("make first"));
      const pressed = await press("Allow once");
      await hook.done;
      const { outcome } = await waitForOutcome(rookery, question.id, { state: "answered" });
      const ticket = pressed.payload.actions[0].value;
      ({ hook, question } = await asked("make second"));
      const card = await phone.card(rookery, question.id);
      phone.proxy.redeliver(pressed);
      phone.proxy.redeliver(pressed, (payload) => {
        payload.trigger_id = "again";
        payload.message.ts = card.ts;
        expect(payload.actions[0].value).toBe(ticket);
      });
      await isTold(card.ts, outcome ?? "");
      expect((await openQuestion(rookery)).id).toBe(question.id);
      expect(accepted(question.id)).toEqual([]);
    });
  });

  test("secrets are not sent and hostile text is escaped", async () => {
    const hostile = "<!channel> <@U0OTHER> `x` *b* \u202Egnp.exe <https://evil.example|safe> ";
    const { question } = await asked(`curl -H "Authorization: Bearer ${secret}" # ${hostile.repeat(2_000)}`);
    const card = await phone.card(rookery, question.id);
    const channel = await phone.slack.direct();
    const shown = await waitFor(async () => {
      const all = await phone.slack.messages(channel);
      const seen = await show(phone.slack, all.find(({ ts }) => ts === card.ts) ?? card, all);
      return seen.files.length > 0 && seen.canAct && seen;
    });
    expect(shown.text).toContain("1 secret hidden");
    expect(shown.live).toEqual([]);
    expect(shown.files.join()).not.toMatch(/\u202E/);
    await say(question, `x${secret}`);
    await postAnswer(person, rookery, question.id, { deny: `never with ${secret}` });
    await phone.shows(rookery, question.id, "never with");
    await rookery.cli("notify", `it was ${secret}`);
    const isNoticed = async () =>
      (await phone.slack.messages(channel)).some((message) => textOf(message).includes("it was"));
    await waitFor(isNoticed, { describe: "the notice" });
    expect(phone.proxy.sent.some((body) => body.includes("Authorization"))).toBe(true);
    expect(phone.proxy.sent.filter((body) => body.includes(secret))).toEqual([]);
  });

  async function say({ id }: QuestionView, text: string): Promise<void> {
    const { channel, ts } = await phone.card(rookery, id);
    await phone.slack.say({ channel, thread: ts, text });
  }
});
