import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { spawnDaemon } from "../support/daemon-process.ts";
import { type MatrixPerson, type StagedSession, signIn, useMailStage } from "../support/mail-stage.ts";
import { openOutside, type Outside } from "../support/outside.ts";
import { waitFor } from "../support/processes.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { useRookeries } from "../support/use-rookery.ts";
import { startPermissionHook } from "../support/waiting-hook.ts";

const rookeries = useRookeries(afterAll);
let rookery: Rookery;
let outside: Outside;
let ada: MatrixPerson;
let session: StagedSession;
let room: string;
const stage = useMailStage(() => rookery);

/** A person who is away, with a Matrix client and paired. */
beforeAll(async () => {
  rookery = rookeries.open({ ROOKERY_PRESENCE_AWAY_SECONDS: "0" });
  await spawnDaemon(rookery);
  outside = await openOutside();
  const made = await outside.call(rookery, "POST", "/api/matrix/people", { name: "ada" });
  ada = await signIn(rookery, "ada", made.json.password);
  const { json: offer } = await outside.call(rookery, "POST", "/api/pairings", { channel: "matrix" });
  const direct = await ada.call("POST", "/createRoom", {
    invite: ["@rookery:rookery.local"],
    is_direct: true,
  });
  await ada.write(direct.room_id, { msgtype: "m.text", body: offer.code });
  await waitFor(async () => (await rookery.call("GET", "/api/pairings")).json.people.length === 1);
  session = await stage.open("shop");
});
afterAll(() => outside.close());

/** The newest message in the room with Rookery, whose invitation is accepted at the first. */
async function shown(words: string): Promise<{ id: string; body: string }> {
  return waitFor(
    async () => {
      if (!room) {
        const { rooms } = await ada.call("GET", "/sync?timeout=0");
        const [invited] = Object.keys(rooms?.invite ?? {});
        if (!invited) return undefined;
        await ada.call("POST", `/join/${encodeURIComponent(invited)}`, {});
        room = invited;
      }
      const all = await ada.read(room);
      const found = all.findLast(({ content }) => content.body?.includes(words));
      return found && { id: found.event_id, body: found.content.body };
    },
    { timeoutMs: 20_000, describe: `a card with: ${words}` },
  );
}

const reply = (eventId: string, body: string) =>
  ada.write(room, { msgtype: "m.text", body, "m.relates_to": { "m.in_reply_to": { event_id: eventId } } });

describe("a person who is away is asked on Matrix", () => {
  test("and a number answers a choice, once; the card says how it ended", async () => {
    const asked = await rookery.call("POST", "/api/questions", {
      ...{ question: "Which database?", options: ["Postgres", "SQLite"], agent: session.agent },
    });
    expect(asked.status, asked.text).toBe(201);
    const card = await shown("2. SQLite");
    expect(card.body).toContain(session.agent);
    await reply(card.id, "2");
    const id = asked.json.question.id;
    const { json } = await rookery.call("GET", `/api/questions/${id}?wait=10000`);
    expect(json).toMatchObject({ state: "answered" });
    expect(JSON.stringify(json)).toContain("SQLite");
    await shown("— ");
  });

  test("and only a line with the card's own code allows: no yes, no number, no reaction", async () => {
    const tool = { tool_name: "Bash", tool_input: { command: "mkdir build", description: "A folder" } };
    const about = { session_id: session.id, cwd: session.cwd, ...tool };
    await session.say("PreToolUse", { ...tool, tool_use_id: "tu-1" });
    const hook = startPermissionHook(rookery, makePayload("PermissionRequest", about), session.claude.pid);
    const card = await shown("mkdir build");
    const code = /^ {2}allow ([A-Z0-9]{6})$/m.exec(card.body)?.[1] ?? "";
    expect(code).not.toBe("");
    for (const words of ["yes", "1", "allow", `allow ${code} if you must`]) await reply(card.id, words);
    const path = `/rooms/${encodeURIComponent(room)}/send/m.reaction/r1`;
    const relation = { rel_type: "m.annotation", event_id: card.id, key: "👍" };
    await ada.call("PUT", path, { "m.relates_to": relation });
    await shown("any other text decides nothing");
    expect(hook.isOver()).toBe(false);
    await ada.write(room, { msgtype: "m.text", body: `allow ${code}` });
    const { stdout } = await hook.done;
    expect(JSON.parse(stdout).hookSpecificOutput.decision).toMatchObject({ behavior: "allow" });
    await shown("— ");
  });
});
