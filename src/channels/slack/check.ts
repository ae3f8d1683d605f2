import { type SlackCheck, type SlackCheckRequest, slackScopes } from "../../protocol/slack.ts";
import { ChannelError } from "../channel.ts";
import { platformCode, toAppTokenError } from "./errors.ts";
import { openWeb, type Web } from "./web.ts";

const timeoutMs = 8_000;
/** The search for a person by name stops after this many pages, which limits it in large workspaces. */
const maxUserPages = 20;

/** Checks tokens, scopes, the person and the channel. Throws `ChannelError` for the first problem. */
export async function checkSlack(request: SlackCheckRequest): Promise<SlackCheck> {
  const { botToken, appToken, apiUrl, user, channel } = request;
  const web = openWeb({ token: botToken, apiUrl, timeoutMs });
  try {
    const auth = await web.run("auth.test", (client) => client.auth.test());
    const granted = auth.response_metadata?.scopes;
    // If Slack does not list the scopes, a missing one shows up in the first call that needs it.
    const missing = Object.keys(slackScopes).filter((scope) => granted && !granted.includes(scope));
    if (missing.length > 0)
      throw new ChannelError(
        "never",
        `The Slack app lacks the scopes ${missing.join(", ")}: update it from the manifest and reinstall it.`,
      );
    if (appToken) await checkAppToken(appToken, apiUrl);
    return {
      team: { id: auth.team_id ?? "", name: auth.team ?? "" },
      bot: { id: auth.user_id ?? "", name: auth.user ?? "" },
      mode: appToken ? "socket" : "polling",
      user: user ? await findPerson(web, user) : null,
      channel: channel ? await checkPlace(web, channel) : null,
    };
  } finally {
    web.stop();
  }
}

async function checkAppToken(appToken: string, apiUrl: string): Promise<void> {
  const web = openWeb({ token: appToken, apiUrl, timeoutMs });
  try {
    await web.run("apps.connections.open", (client) => client.apps.connections.open({}));
  } catch (error) {
    throw toAppTokenError((error as ChannelError).cause ?? error);
  } finally {
    web.stop();
  }
}

interface Named {
  id: string;
  name: string;
}

/** Finds a person by id, by email address, or by one of their names on Slack. */
async function findPerson(web: Web, wanted: string): Promise<Named> {
  if (/^[UW][A-Z0-9]{5,}$/.test(wanted)) {
    const { user } = await web.run("users.info", (client) => client.users.info({ user: wanted }));
    return checkPerson(user ?? {}, wanted);
  }
  if (/.@./.test(wanted)) return findByEmail(web, wanted);
  const name = wanted.replace(/^@/, "").toLowerCase();
  const found: Named[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxUserPages; page++) {
    const { members = [], response_metadata } = await web.run("users.list", (client) =>
      client.users.list({ limit: 200, ...(cursor ? { cursor } : {}) }),
    );
    for (const member of members) {
      const names = [member.name, member.real_name, member.profile?.display_name, member.profile?.real_name];
      if (member.deleted || member.is_bot || !names.some((each) => each?.toLowerCase() === name)) continue;
      found.push(checkPerson(member, wanted));
    }
    cursor = response_metadata?.next_cursor || undefined;
    if (!cursor) break;
  }
  const [person, ...others] = found;
  if (person && others.length === 0) return person;
  const ids = found.map(({ id }) => id).join(", ");
  throw new ChannelError(
    "never",
    person
      ? `Several people are called ${wanted}: use one of the ids ${ids}.`
      : `No Slack user is called ${wanted}: use your member id (in Slack: your profile, ⋮, Copy member ID).`,
  );
}

async function findByEmail(web: Web, email: string): Promise<Named> {
  try {
    const { user } = await web.run("users.lookupByEmail", (client) => client.users.lookupByEmail({ email }));
    return checkPerson(user ?? {}, email);
  } catch (error) {
    if (platformCode(error as ChannelError) !== "missing_scope") throw error;
    throw new ChannelError(
      "never",
      "Finding a person by email needs the scope users:read.email, which Rookery does not request: use your name on Slack or your member id.",
      { cause: error },
    );
  }
}

interface Member {
  id?: string;
  name?: string;
  real_name?: string;
  is_bot?: boolean;
  is_restricted?: boolean;
  is_ultra_restricted?: boolean;
}

function checkPerson(member: Member, wanted: string): Named {
  const { id, name, real_name, is_bot, is_restricted, is_ultra_restricted } = member;
  if (!id || is_bot) throw new ChannelError("never", `${wanted} is not a person on Slack.`);
  if (is_restricted || is_ultra_restricted)
    throw new ChannelError("never", `${wanted} is a guest on Slack. Guests cannot answer.`);
  return { id, name: real_name || name || id };
}

async function checkPlace(web: Web, id: string): Promise<Named> {
  const { channel } = await web.run("conversations.info", (client) =>
    client.conversations.info({ channel: id }),
  );
  if (channel?.is_ext_shared)
    throw new ChannelError(
      "never",
      `The channel ${id} is shared with another organisation. Choose another one.`,
    );
  if (channel?.is_member === false)
    throw new ChannelError("never", `The bot is not a member of ${channel.name ?? id}. Invite it first.`);
  return { id, name: channel?.name ?? id };
}
