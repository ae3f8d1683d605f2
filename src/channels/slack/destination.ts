import { ChannelError } from "../channel.ts";
import { isDirect, type People } from "./people.ts";
import type { Web } from "./web.ts";

/** Where messages go, and where a person writes to the bot directly. */
export interface Destination {
  /** The channel of the settings, else the direct message with the person. Throws `ChannelError`. */
  find(): Promise<string>;
  /** The direct message with the person, where the settings say who that is. Throws `ChannelError`. */
  findDirect(): Promise<string | undefined>;
}

export function makeDestination(
  { channel, user }: { channel: string; user: string },
  web: Web,
  people: People,
): Destination {
  const person = isPerson(channel) ? channel : user;
  let direct: string | undefined;

  async function findDirect(): Promise<string | undefined> {
    if (isDirect(channel)) return channel;
    if (!person) return undefined;
    direct ??= (await web.run("conversations.open", (client) => client.conversations.open({ users: person })))
      .channel?.id;
    if (direct) return direct;
    throw new ChannelError("later", "Slack opened no direct message.");
  }

  async function find(): Promise<string> {
    if (!channel || isPerson(channel) || isDirect(channel)) {
      const found = await findDirect();
      if (found) return found;
      throw new ChannelError("never", "There is nobody to write to: run `rookery setup slack --user NAME`.");
    }
    if (!(await people.isShared(channel))) return channel;
    throw new ChannelError(
      "never",
      `The channel ${channel} is shared with another organisation: choose another with \`rookery setup slack --channel ID\`.`,
    );
  }

  return { find, findDirect };
}

const isPerson = (id: string): boolean => /^[UW]/.test(id);
