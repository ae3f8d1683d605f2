import { ChannelError } from "../channel.ts";
import { isDirect, type People } from "./people.ts";
import type { Web } from "./web.ts";

/** The conversation that messages are posted to, and the direct message with the person. */
export interface Destination {
  /** The configured channel; empty if there is none. */
  readonly channel: string;
  /** The configured channel, or else the direct message with the person. Throws `ChannelError`. */
  find(): Promise<string>;
  /** The channel and the direct message with the person, if they are configured. Throws `ChannelError`. */
  findAll(): Promise<string[]>;
}

export function makeDestination(
  { channel, user }: { channel: string; user: string },
  web: Web,
  people: People,
): Destination {
  const person = isPerson(channel) ? channel : user;
  const isRoom = channel !== "" && !isPerson(channel) && !isDirect(channel);
  let direct: string | undefined;

  async function findDirect(): Promise<string | undefined> {
    if (isDirect(channel)) return channel;
    if (!person) return undefined;
    direct ??= (await web.run("conversations.open", (client) => client.conversations.open({ users: person })))
      .channel?.id;
    if (direct) return direct;
    throw new ChannelError("later", "Slack did not open a direct message.");
  }

  async function find(): Promise<string> {
    if (!isRoom) {
      const found = await findDirect();
      if (found) return found;
      throw new ChannelError("never", "No recipient is set. Run `rookery setup slack --user NAME`.");
    }
    if (!(await people.isShared(channel))) return channel;
    throw new ChannelError(
      "never",
      `The channel ${channel} is shared with another organisation. Choose another one: \`rookery setup slack --channel ID\`.`,
    );
  }

  async function findAll(): Promise<string[]> {
    const found = await findDirect();
    return [...(found ? [found] : []), ...(isRoom ? [channel] : [])];
  }

  return { channel, find, findAll };
}

const isPerson = (id: string): boolean => /^[UW]/.test(id);
