import type { QuestionView } from "../../src/protocol/ask.ts";
import { type LocalSlack, openLocalSlack, type StoredMessage, tokens, workspace } from "./local-slack.ts";
import type { Elsewhere, Person, Said } from "./person-elsewhere.ts";
import { waitFor } from "./processes.ts";
import type { Rookery } from "./rookery.ts";
import { pressable, pressFor, textOf } from "./slack-harness.ts";
import { openSlackProxy, type SlackProxy } from "./slack-proxy.ts";

/** A person on Slack: the emulator behind the fault proxy, with the cards of a real daemon. */
export interface PersonOnSlack extends Elsewhere {
  slack: LocalSlack;
  proxy: SlackProxy;
  /** Environment that connects a daemon to this Slack and makes the person always away. */
  env: Record<string, string>;
  /** Sends the pairing code to the bot. */
  pair(rookery: Parameters<Person["call"]>[0], person: Person): Promise<void>;
  /** Waits for the card of a question. */
  card(rookery: Rookery, questionId: string): Promise<StoredMessage>;
  /** Waits until the card shows its outcome instead of buttons. */
  shows(rookery: Rookery, questionId: string, text: string): Promise<void>;
  /** The bot's messages other than cards. */
  told(): Promise<string[]>;
  close(): Promise<void>;
}

export async function openPersonOnSlack(): Promise<PersonOnSlack> {
  const slack = await openLocalSlack();
  const proxy = await openSlackProxy(slack.url);

  async function card(rookery: Rookery, questionId: string): Promise<StoredMessage> {
    const [channel = "", ts = ""] = (await waitFor(() => findPlace(rookery, questionId))).split(":");
    return waitFor(async () => (await slack.messages(channel)).find((message) => message.ts === ts));
  }

  async function answer(rookery: Rookery, question: QuestionView, said: Said): Promise<void> {
    const message = await card(rookery, question.id);
    // The emulator loses what is pressed while no daemon is connected.
    await waitFor(() => proxy.sockets() > 0, { describe: "the daemon to connect to Slack" });
    if ("allow" in said) return pressFor(slack, message, question.kind, { type: "allow", scope: said.allow });
    if ("deny" in said) return pressFor(slack, message, question.kind, { type: "deny", reason: said.deny });
    const { answers } = said;
    const isOffered = question.prompts.every(({ options }, index) =>
      answers[index]?.every((text) => options.some(({ label }) => label === text)),
    );
    if (isOffered) return pressFor(slack, message, question.kind, { type: "answers", answers });
    // Own words are typed into the modal, even if options were selected too.
    const { channel, ts } = message;
    const label = question.prompts.length > 1 ? "Write an answer …" : "Other …";
    await slack.act({ channel, ts, action: pressable(message, label) });
    await slack.submit(
      Object.fromEntries(answers.map((chosen, index) => [`choose:${index}`, chosen.join(", ")])),
    );
  }

  return {
    name: "Slack",
    who: "in Slack",
    slack,
    proxy,
    env: {
      SLACK_BOT_TOKEN: tokens.bot,
      SLACK_APP_TOKEN: tokens.app,
      ROOKERY_SLACK_API_URL: proxy.apiUrl,
      ROOKERY_SLACK_USER_ID: workspace.owner,
      ROOKERY_PRESENCE_AWAY_SECONDS: "0",
      ROOKERY_DESKTOP_ENABLED: "off",
    },
    answer,
    card,
    async pair(rookery, person) {
      // The test message opens the direct message.
      await person.call(rookery, "POST", "/api/channels/slack/test");
      const { json: offer } = await person.call(rookery, "POST", "/api/pairings", { channel: "slack" });
      await slack.say({ channel: await slack.direct(), text: offer.code });
      const isPaired = async () =>
        (await person.call(rookery, "GET", "/api/pairings")).json.people.length === 1;
      await waitFor(isPaired, { describe: "the person to be paired" });
    },
    async shows(rookery, questionId, text) {
      let shown = "";
      const isShown = async () => {
        const message = await card(rookery, questionId);
        shown = JSON.stringify(message.blocks);
        return textOf(message).includes(text) && !message.blocks?.some(({ type }) => type === "actions");
      };
      await waitFor(isShown, { describe: () => `"${text}" on ${shown}` });
    },
    async told() {
      const messages = await slack.messages(await slack.direct());
      return messages.filter(({ user, thread_ts }) => user === workspace.bot && thread_ts).map(textOf);
    },
    async close() {
      await proxy.close();
      await slack.close();
    },
  };
}

/** Only the outbox knows the card's place. */
function findPlace(rookery: Rookery, questionId: string): string | undefined {
  const sql = "SELECT place FROM outbox WHERE question_id = ? AND channel = 'slack'";
  return rookery.query<{ place: string | null }>(sql, questionId)[0]?.place ?? undefined;
}
