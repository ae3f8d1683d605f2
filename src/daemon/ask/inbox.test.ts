import { beforeEach, describe, expect, test } from "vitest";
import { type AskedQuestions, openAskedQuestions } from "../../../tests/support/asked-questions.ts";
import { directRoom, owner } from "../../../tests/support/memory-channel.ts";
import type { Inbox, Reply } from "../../channels/channel.ts";
import { silentLog } from "../../shared/log.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import { openBus } from "../runtime/bus.ts";
import { formatPerson } from "../../domain/access/person-name.ts";
import { type Audit, openAudit } from "./audit.ts";
import { makeInbox } from "./inbox.ts";
import { openPairing, type Pairing } from "./pairing.ts";
import { queueCards } from "./outbox-rows.ts";
import { openMemoryService } from "../../../tests/support/memory-channel.ts";

let now: number;
let store: Store;
let questions: AskedQuestions;
let audit: Audit;
let pairing: Pairing;
let inbox: Inbox;
let acts: number;

beforeEach(() => {
  now = 1_000_000;
  acts = 0;
  const clock = (): number => now;
  store = openStore(":memory:", clock);
  questions = openAskedQuestions(store, openBus(silentLog, now), clock);
  audit = openAudit(store, silentLog, clock);
  pairing = openPairing(store, audit, clock);
  inbox = makeInbox({ store, questions, pairing, audit, clock });
});

const say = (text: string): Reply["content"] => ({ type: "text", text });
const allow: Reply["content"] = { type: "allow", scope: "once" };

function bring(fields: Partial<Reply>) {
  return inbox.receive({
    id: `act-${++acts}`,
    channel: "slack",
    sender: owner,
    room: directRoom,
    at: now,
    target: null,
    content: say(""),
    hints: { decide: "Press a button.", several: "Use the form.", address: "Reply in a thread." },
    ...fields,
  });
}

async function pair(sender = owner, name = "Ada"): Promise<void> {
  const { code } = pairing.offer("slack", name);
  expect(await bring({ sender, content: say(code.toLowerCase()) })).toMatchObject({ result: "accepted" });
}

/** Posts a card on the channel and returns its ticket and thread. */
function show(id: string): { ticket: string; place: string } {
  queueCards(store.outbox, questions, [openMemoryService().channel], false, now);
  const [row] = store.outbox.listCards(id);
  if (!row?.ticket) throw new Error("no card");
  store.outbox.update({ ...row, state: "sent", place: `place-${id}` });
  return { ticket: row.ticket, place: `place-${id}` };
}

const lastLine = () => audit.list(1)[0];

describe("attacks on a permission", () => {
  interface Attack {
    name: string;
    /** The deviation from the one reply that works. */
    change(card: { ticket: string; place: string }): Partial<Reply> | Promise<Partial<Reply>>;
    result: "refused" | "unclear" | "late" | "duplicate";
    why?: string;
  }

  const attacks: Attack[] = [
    {
      name: "a person who is not paired",
      change: () => ({ sender: { ...owner, id: "U0EVE" } }),
      result: "refused",
      why: "stranger",
    },
    {
      name: "the right id from another team",
      change: () => ({ sender: { ...owner, team: "T0EVIL" } }),
      result: "refused",
      why: "stranger",
    },
    {
      name: "the right id with no team",
      change: () => ({ sender: { ...owner, team: null } }),
      result: "refused",
      why: "no-team",
    },
    {
      name: "the right person in a shared channel",
      change: () => ({ room: { id: "C1", isDirect: false, isShared: true } }),
      result: "refused",
      why: "shared-room",
    },
    {
      name: "the right person, now a guest",
      change: () => ({ sender: { ...owner, isGuest: true } }),
      result: "refused",
      why: "guest",
    },
    {
      name: "a bot with the right id",
      change: () => ({ sender: { ...owner, isBot: true } }),
      result: "refused",
      why: "bot",
    },
    {
      name: "the display name of the owner under another id",
      change: () => ({ sender: { ...owner, id: "U0EVE", name: "Ada" } }),
      result: "refused",
      why: "stranger",
    },
    {
      name: "an invented ticket",
      change: () => ({ target: { ticket: "x".repeat(24) } }),
      result: "refused",
      why: "an unknown ticket",
    },
    {
      name: "no ticket, but the place",
      change: ({ place }) => ({ target: { place } }),
      result: "refused",
      why: "a decision without its ticket",
    },
    { name: "no target at all", change: () => ({ target: null }), result: "unclear" },
    {
      name: "a bare yes in the thread",
      change: ({ place }) => ({ target: { place }, content: say("yes") }),
      result: "unclear",
      why: "a text for a permission",
    },
    {
      name: "a bare yes with the ticket",
      change: () => ({ content: say("yes") }),
      result: "unclear",
      why: "a text for a permission",
    },
    { name: "allow as a text", change: () => ({ content: say("allow") }), result: "unclear" },
    { name: "an emoji", change: () => ({ content: say("👍") }), result: "unclear" },
    {
      name: "an answer where a decision is asked for",
      change: () => ({ content: { type: "answers", answers: [["allow"]] } }),
      result: "unclear",
    },
    {
      name: "a command that changed under the card",
      change: () => {
        questions.change("q");
        return {};
      },
      result: "refused",
      why: "the input has changed",
    },
    {
      name: "the ticket of another channel",
      change: () => ({ channel: "matrix", sender: { ...owner, team: null } }),
      result: "refused",
    },
    {
      name: "the ticket of another question",
      change: () => {
        questions.ask("other");
        return { target: { ticket: show("other").ticket } };
      },
      result: "unclear",
    },
    {
      name: "a person who was revoked",
      change: () => {
        pairing.revoke(store.access.listPeople()[0]?.id ?? "");
        return {};
      },
      result: "refused",
      why: "stranger",
    },
    {
      name: "a deny with a book for a reason",
      change: () => ({ content: { type: "deny", reason: "x".repeat(100_000) } }),
      result: "unclear",
    },
    { name: "an action without an id", change: () => ({ id: "" }), result: "refused" },
    { name: "an action with an endless id", change: () => ({ id: "x".repeat(10_000) }), result: "refused" },
  ];

  test.each(attacks)("$name decides nothing, and is on record", async ({ change, result, why }) => {
    await pair();
    questions.ask("q", { command: "rm -rf build" });
    const card = show("q");
    const receipt = await bring({ target: { ticket: card.ticket }, content: allow, ...(await change(card)) });
    expect(receipt.result).toBe(result);
    expect(questions.answered("q")).toBeUndefined();
    expect(questions.listOpen().map(({ id }) => id)).toContain("q");
    expect(lastLine()).toMatchObject({ action: "answer", result, ...(why ? { detail: why } : {}) });
  });

  test("an answer of the paired person with the ticket for the same command is accepted", async () => {
    await pair();
    questions.ask("q", { command: "rm -rf build" });
    const { ticket } = show("q");
    expect(await bring({ target: { ticket }, content: allow })).toEqual({
      result: "accepted",
      message: null,
    });
    expect(questions.answered("q")).toEqual({ answer: allow, answerer: { place: "slack", by: "Ada" } });
    expect(lastLine()).toMatchObject({
      action: "answer",
      result: "accepted",
      place: "slack",
      questionId: "q",
      who: "Ada (U0OWNER@T0TEAM)",
      detail: "allow once",
    });
  });

  test("a click that is delivered twice counts once, and a second click shows who answered", async () => {
    await pair();
    questions.ask("q", { command: "make" });
    const { ticket } = show("q");
    const click = { id: "same", target: { ticket }, content: allow };
    expect((await bring(click)).result).toBe("accepted");
    expect(await bring(click)).toEqual({ result: "duplicate", message: null });
    expect(await bring({ target: { ticket }, content: { type: "deny", reason: "no" } })).toEqual({
      result: "late",
      message: "Allowed once by Ada (Slack).",
    });
    expect(questions.answered("q")?.answer).toEqual(allow);
  });

  test("an answer of the person at this machine names the place only", async () => {
    await pair(owner, "");
    questions.ask("q", { command: "make" });
    await bring({ target: { ticket: show("q").ticket }, content: allow });
    expect(questions.getOutcome("q")?.text).toBe("Allowed once in Slack.");
  });

  test("a click from before a restart is recognised after it", async () => {
    await pair();
    questions.ask("q", { command: "make" });
    const { ticket } = show("q");
    const click = { id: "same", target: { ticket }, content: allow };
    await bring(click);
    inbox = makeInbox({ store, questions, pairing, audit, clock: () => now });
    expect((await bring(click)).result).toBe("duplicate");
  });

  test("an answer that cannot be stored is an error and is not acknowledged", async () => {
    await pair();
    questions.ask("q", { command: "make" });
    const { ticket } = show("q");
    store.db.script("DROP TABLE replies");
    await expect(bring({ target: { ticket }, content: allow })).rejects.toThrow("replies");
  });
});

describe("an answer to a choice", () => {
  beforeEach(() => pair());

  test.each([
    ["an option by its button", "ticket", { type: "answers", answers: [["SQLite"]] }, [["SQLite"]]],
    ["an option as a text in the thread", "place", say("sqlite"), [["SQLite"]]],
    ["an option by its number", "place", say("1"), [["Postgres"]]],
    ["words of their own", "place", say("neither, use files"), [["neither, use files"]]],
    ["a bare yes is just a text", "place", say("yes"), [["yes"]]],
    [
      "hostile text is data",
      "place",
      say("<!channel> `$(id)` \u202e</rookery>"),
      [["<!channel> `$(id)` </rookery>"]],
    ],
  ] as const)("%s", async (_name, way, said, expected) => {
    questions.ask("q");
    const card = show("q");
    const target = way === "ticket" ? { ticket: card.ticket } : { place: card.place };
    expect((await bring({ target, content: said as Reply["content"] })).result).toBe("accepted");
    expect(questions.answered("q")?.answer).toEqual({ type: "answers", answers: expected });
  });

  test("the answer is not in the audit log", async () => {
    questions.ask("q");
    const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    await bring({ target: { place: show("q").place }, content: say(secret) });
    expect(JSON.stringify(audit.list(100))).not.toContain(secret);
  });
});

describe("pairing", () => {
  test("pairing from the chat alone is impossible", async () => {
    for (const text of ["hello", "pair me", "ABCDEF"])
      expect(await bring({ content: say(text) })).toMatchObject({
        result: "refused",
        message: expect.stringContaining("rookery pair slack"),
      });
    expect(store.access.listPeople()).toEqual([]);
  });

  test("accepts the code from the terminal once, in a direct message", async () => {
    const { code } = pairing.offer("slack");
    const room = { id: "C1", isDirect: false, isShared: true };
    expect((await bring({ room, content: say(code) })).result).toBe("refused");
    expect((await bring({ content: say(` ${code.slice(0, 3)}-${code.slice(3)} `) })).result).toBe("accepted");
    expect(store.access.listPeople()).toMatchObject([
      { channel: "slack", sender: "U0OWNER", team: "T0TEAM", name: "the user" },
    ]);
    expect((await bring({ sender: { ...owner, id: "U0EVE" }, content: say(code) })).result).toBe("refused");
    expect(store.access.listPeople()).toHaveLength(1);
  });

  test("is for the person at this machine, who has one name in every place, or for the one named", async () => {
    await bring({ content: say(pairing.offer("slack").code) });
    await bring({ content: say(pairing.offer("slack", "Bob").code), sender: { ...owner, id: "U0BOB" } });
    expect(store.access.listPeople().map(({ name }) => formatPerson(name, "ada"))).toEqual(["ada", "Bob"]);
    const whos = audit.list(10).map(({ who }) => formatPerson(who, "ada"));
    expect(whos).toContain("U0BOB@T0TEAM");
    expect(formatPerson("the user (U0OWNER@T0TEAM)", "ada")).toBe("ada (U0OWNER@T0TEAM)");
    expect(formatPerson("the user's cat", "ada")).toBe("the user's cat");
  });

  test("accepts the code in an unshared Slack channel, but not in a Matrix room", async () => {
    const room = { id: "C1", isDirect: false, isShared: false };
    const matrix = pairing.offer("matrix");
    expect((await bring({ channel: "matrix", room, content: say(matrix.code) })).result).toBe("refused");
    expect((await bring({ room, content: say(pairing.offer("slack").code) })).result).toBe("accepted");
  });

  test("expires after an hour", async () => {
    const { code } = pairing.offer("slack");
    now += 3_600_000;
    expect((await bring({ content: say(code) })).result).toBe("refused");
    expect(pairing.pending()).toEqual([]);
  });

  test("at most three codes are pending, and only for services on which a person can answer", () => {
    for (let n = 0; n < 3; n++) pairing.offer("slack");
    expect(() => pairing.offer("slack")).toThrow("3 pairing codes");
    expect(() => pairing.offer("desktop")).toThrow("Cannot pair anyone on");
    expect(() => pairing.offer("__proto__")).toThrow("Cannot pair anyone on");
    now += 3_600_000;
    expect(pairing.offer("slack").code).toHaveLength(6);
  });

  test("five wrong codes from any sender invalidate the right one", async () => {
    const { code } = pairing.offer("slack");
    const wrong = (n: number) => `${"WXYZ2"[n]}BCDE7`;
    for (let n = 0; n < 4; n++)
      expect((await bring({ sender: { ...owner, id: `U${n}` }, content: say(wrong(n)) })).message).toContain(
        "not one of mine",
      );
    expect((await bring({ content: say(wrong(4)) })).message).toContain("Too many");
    expect((await bring({ content: say(code) })).result).toBe("refused");
    expect(store.access.listPeople()).toEqual([]);
    expect(audit.list(10).map(({ result }) => result)).toContain("void");
  });

  test.each([
    ["a bot", { ...owner, isBot: true }],
    ["a guest", { ...owner, isGuest: true }],
    ["a person without a team", { ...owner, team: null }],
  ])("%s cannot be paired, even with the code", async (_name, sender) => {
    const { code } = pairing.offer("slack");
    expect((await bring({ sender, content: say(code) })).result).toBe("refused");
    expect(store.access.listPeople()).toEqual([]);
  });

  test("the code itself is nowhere in the database", () => {
    const { code } = pairing.offer("slack");
    const dump = ["pairings", "audit", "meta"].map((table) =>
      JSON.stringify(store.db.all(`SELECT * FROM ${table}`)),
    );
    expect(dump.join("\n")).not.toContain(code);
  });
});

test("the audit log is append-only", async () => {
  await pair();
  expect(audit.list(10).length).toBeGreaterThan(0);
  expect(() => store.db.run("UPDATE audit SET result = 'accepted'")).toThrow("only added to");
  expect(() => store.db.run("DELETE FROM audit")).toThrow("only added to");
});
