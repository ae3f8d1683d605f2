import { expect } from "vitest";
import type { Answer, Person, TestServer } from "./homeserver.ts";

type Query = Record<string, string | number | boolean | object>;

export const enc = encodeURIComponent;
/** The path `rooms/…` of a room, with encoded parts. */
export const inRoom = (roomId: string, ...parts: string[]): string =>
  `rooms/${[roomId, ...parts].map(enc).join("/")}`;

/** Common actions in a room, for tests that need them as setup. */
interface Acts {
  /** A new person with a unique name. */
  person(prefix?: string): Promise<Person>;
  /** A public room that these people have joined. */
  makeRoom(creator: Person, others?: Person[], options?: object): Promise<string>;
  say(who: Person, roomId: string, body: string, more?: object): Promise<string>;
  send(who: Person, roomId: string, type: string, content: object): Promise<string>;
  put(who: Person, roomId: string, type: string, content: object, stateKey?: string): Promise<Answer>;
  sync(who: Person, query?: Query): Promise<any>;
}

export function makeActs(server: () => TestServer): Acts {
  let names = 0;
  let txns = 0;

  async function send(who: Person, roomId: string, type: string, content: object): Promise<string> {
    const answer = await who.call("PUT", inRoom(roomId, "send", type, `acts${txns++}`), content);
    expect(answer.status, answer.text).toBe(200);
    return answer.json.event_id;
  }

  return {
    person: (prefix = "p") => server().register(`${prefix}-${names++}`),
    async makeRoom(creator, others = [], options = {}) {
      const { json, text } = await creator.call("POST", "createRoom", { preset: "public_chat", ...options });
      expect(json.room_id, text).toBeTypeOf("string");
      for (const other of others) await other.call("POST", `join/${enc(json.room_id)}`, {});
      return json.room_id;
    },
    send,
    say: (who, roomId, body, more = {}) =>
      send(who, roomId, "m.room.message", { msgtype: "m.text", body, ...more }),
    put: (who, roomId, type, content, stateKey = "") =>
      who.call("PUT", inRoom(roomId, "state", type, stateKey), content),
    async sync(who, query = {}) {
      const search = Object.entries(query).map(
        ([key, value]) => `${key}=${enc(typeof value === "object" ? JSON.stringify(value) : String(value))}`,
      );
      const answer = await who.call("GET", `sync?${search.join("&")}`);
      expect(answer.status, answer.text).toBe(200);
      return answer.json;
    },
  };
}
