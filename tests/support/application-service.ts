import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Person, TestServer } from "./homeserver.ts";

/** An address of a homeserver at which an application service is registered. */
export interface ServedRegistration {
  url: string;
  /** Names of the users that it has created. */
  users(): string[];
  close(): Promise<void>;
}

interface Registration {
  asToken: string;
  senderLocalpart: string;
  /** Of user ids. */
  namespace: RegExp;
}

/**
 * The embedded homeserver has no application services. This adds one in front of it, as the specification says: the
 * service creates users in its namespace and makes calls as any of them.
 */
export async function serveRegistration(
  target: TestServer,
  { asToken, senderLocalpart, namespace }: Registration,
): Promise<ServedRegistration> {
  const people = new Map<string, Person>();
  const serverName = target.homeserver.services.serverName;
  const senderId = `@${senderLocalpart}:${serverName}`;
  const mayUse = (userId: string): boolean => userId === senderId || namespace.test(userId);

  function answer(outgoing: ServerResponse, status: number, body: object): void {
    outgoing.writeHead(status, { "content-type": "application/json" });
    outgoing.end(JSON.stringify(body));
  }

  async function register(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { type, username } = (await json(incoming)) as { type?: string; username?: string };
    const userId = `@${username}:${serverName}`;
    if (type !== "m.login.application_service" || username === undefined)
      answer(outgoing, 400, { errcode: "M_MISSING_PARAM", error: "No application service login." });
    else if (!mayUse(userId))
      answer(outgoing, 400, { errcode: "M_EXCLUSIVE", error: `${userId} is not in the namespace.` });
    else if (people.has(userId))
      answer(outgoing, 400, { errcode: "M_USER_IN_USE", error: `${userId} is taken.` });
    else {
      people.set(userId, await target.register(username));
      answer(outgoing, 200, { user_id: userId });
    }
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? "/", target.url);
    const { host: _, ...headers } = incoming.headers;
    if (headers.authorization === `Bearer ${asToken}`) {
      if (url.pathname === "/_matrix/client/v3/register") return register(incoming, outgoing);
      const userId = url.searchParams.get("user_id") ?? senderId;
      if (userId === senderId && !people.has(userId))
        people.set(userId, await target.register(senderLocalpart));
      const person = people.get(userId);
      if (!person || !mayUse(userId))
        return answer(outgoing, 403, { errcode: "M_FORBIDDEN", error: `${userId} is not registered.` });
      headers.authorization = `Bearer ${person.token}`;
      url.searchParams.delete("user_id");
    }
    const onward = request(url, { method: incoming.method, headers }, (received) => {
      outgoing.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    users: () => [...people.keys()].toSorted(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
