import { type Address, callEndpoint } from "../../client/request.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import { sessionEndpoints } from "../../protocol/endpoints/sessions.ts";
import type { Command } from "../command.ts";
import { formatMinute, formatTable } from "../format.ts";

export const why: Command = {
  summary: "Show what a session was given, when, and why.",
  usage: "[SESSION]",
  examples: ["rookery why", "rookery why 800303e5-85aa-46aa-95c9-42467f3e3ce2"],
  words: { min: 0, max: 1 },
  async run(context, { words }) {
    const session =
      words[0] ?? context.environment.CLAUDE_SESSION_ID ?? (await findLatestSession(context.address));
    if (!session) {
      context.print("No session yet.");
      return 0;
    }
    const { address } = context;
    const { injections } = await callEndpoint(address, memoryEndpoints.listInjections, {
      query: { session },
    });
    // Throws if there is no such session.
    if (injections.length === 0)
      await callEndpoint(address, sessionEndpoints.getSession, { params: { id: session } });
    if (context.isJson) context.print(JSON.stringify(injections, null, 2));
    else if (injections.length === 0) context.print(`Session ${session} was given no context.`);
    else {
      const rows = injections.map((i) => [formatMinute(i.at), i.point, String(i.tokens), i.reason, i.title]);
      context.print(formatTable(["When", "Point", "Tokens", "Why", "What"], rows, context.columns));
    }
    return 0;
  },
};

async function findLatestSession(address: Address): Promise<string | undefined> {
  const { sessions } = await callEndpoint(address, sessionEndpoints.listSessions, { query: { limit: 1 } });
  return sessions[0]?.id;
}
