import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AskedQuestions, openAskedQuestions } from "../../../tests/support/asked-questions.ts";
import { type MemoryService, openMemoryService, owner } from "../../../tests/support/memory-channel.ts";
import { waitFor } from "../../../tests/support/processes.ts";
import type { Notice } from "../../domain/ask/card.ts";
import { silentLog } from "../../shared/log.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import { type Bus, openBus } from "../runtime/bus.ts";
import { openAudit } from "./audit.ts";
import { makeInbox } from "./inbox.ts";
import { openPairing } from "./pairing.ts";
import { openPresence, type PresenceWatch } from "./presence.ts";
import { openReach, type ReachControl } from "./open-reach.ts";
import { hourMs } from "../../shared/clock.ts";

const awayMs = 60_000;

let skewMs: number;
const clock = (): number => Date.now() + skewMs;
let lastKeypressAt: number | null;
let store: Store;
let bus: Bus;
let service: MemoryService;
let questions: AskedQuestions;
let presence: PresenceWatch;
let reach: ReachControl;

const wanted = { done: true, failed: true, idle: true, "needs-input": true, news: true };

/** One run of the daemon; the store and the service outlive it. */
function live(
  options: { quietHours?: { from: number; to: number }; wants?: Partial<typeof wanted> } = {},
): void {
  bus = openBus(silentLog, 0);
  questions = openAskedQuestions(store, bus, clock);
  const terminals = { lastKeypressAt: () => lastKeypressAt, hasPresenceFile: () => false };
  presence = openPresence({ store, bus, clock, terminals, awayMs, quietHours: options.quietHours });
  const audit = openAudit(store, silentLog, clock);
  const inbox = makeInbox({ store, questions, pairing: openPairing(store, audit, clock), audit, clock });
  reach = openReach({
    store,
    bus,
    log: silentLog,
    clock,
    questions,
    presence,
    inbox,
    channels: [service.reopen()],
    random: () => 0.5,
    wanted: { ...wanted, ...options.wants },
  });
  presence.start();
  reach.start();
}

beforeEach(() => {
  skewMs = 0;
  lastKeypressAt = null;
  store = openStore(":memory:", clock);
  service = openMemoryService();
});
afterEach(async () => {
  presence.stop();
  await reach.stop();
});

/** Advances the clock and triggers a check. */
function pass(ms: number): void {
  skewMs += ms;
  bus.publish({ type: "presence.changed", isHere: true, reason: "test" });
}

const texts = async (): Promise<string[]> => (await service.messages()).map(({ text }) => text);
const shows = (count: number): Promise<string[]> =>
  waitFor(async () => (await texts()).length === count && (await texts()), {
    describe: async () => `${count} messages, not ${JSON.stringify(await texts())}`,
  });
const rows = () => store.outbox.list(100, true);
const settled = (): Promise<true> =>
  waitFor(() => rows().every(({ state }) => state === "sent" || state === "dropped") && true, {
    describe: () => `all sent: ${JSON.stringify(rows())}`,
  });
/** Resolves when all work started so far is done. */
const quiet = async (): Promise<void> => {
  for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
};

const news = (fields: Partial<Notice> = {}): Notice => ({
  kind: "done",
  level: "info",
  headline: "api-rook is done",
  body: "All green.",
  asker: { project: "api", agent: "api-rook", sessionId: "s-1", subagent: null },
  ...fields,
});

describe("a question", () => {
  test("is sent at once if the person is away", async () => {
    live();
    questions.ask("q");
    expect(await shows(1)).toEqual([expect.stringContaining("Which database?")]);
  });

  test("asked while the person is here is sent when they leave", async () => {
    lastKeypressAt = clock();
    live();
    questions.ask("q");
    await quiet();
    expect(await texts()).toEqual([]);
    pass(awayMs - 1_000);
    await quiet();
    expect(await texts()).toEqual([]);
    lastKeypressAt = clock(); // The person keeps typing.
    pass(awayMs - 1_000);
    await quiet();
    expect(await texts()).toEqual([]);
    pass(1_001);
    await shows(1);
  });

  test("is sent by a timer as soon as the person counts as away", async () => {
    lastKeypressAt = clock() - awayMs + 300;
    live();
    questions.ask("q");
    await shows(1);
  });

  test.each([
    ["an urgent one is sent while the person is here", true, undefined, "now", 1],
    ["an urgent one is sent in quiet hours", false, { from: 0, to: 1440 }, "now", 1],
    ["another one waits for quiet hours to end", false, { from: 0, to: 1440 }, "normal", 0],
  ] as const)("%s", async (_name, isHere, quietHours, urgency, expected) => {
    lastKeypressAt = isHere ? clock() : null;
    live(quietHours ? { quietHours } : {});
    questions.ask("q", { urgency });
    await quiet();
    await shows(expected);
  });

  test("is sent in quiet hours if the person set themselves away", async () => {
    live({ quietHours: { from: 0, to: 1440 } });
    questions.ask("q");
    await quiet();
    expect(await texts()).toEqual([]);
    presence.set("away");
    await shows(1);
  });

  test("is settled on its card, and corrected if it was overruled", async () => {
    live();
    questions.ask("q");
    await shows(1);
    await waitFor(() => service.watched().length === 1);
    questions.answer("q", { type: "answers", answers: [["SQLite"]] }, { place: "viewer", by: "Ada" });
    await waitFor(async () => (await texts())[0]?.includes("Answered by Ada (the viewer): SQLite"));
    expect((await service.messages())[0]?.canAct).toBe(false);
    await waitFor(() => service.watched().length === 0);
    questions.recordVerdict("q", "overruled", "the terminal answered first: Postgres");
    await waitFor(async () => (await texts())[0]?.includes("But the terminal answered first: Postgres."));
    expect(await texts()).toHaveLength(1);
  });

  test("is not sent if it was settled before", async () => {
    lastKeypressAt = clock();
    live();
    questions.ask("here");
    questions.settle("here", "answered in the terminal");
    await service.fail("outage");
    lastKeypressAt = null;
    questions.ask("outage");
    await waitFor(() => rows().some(({ attempts }) => attempts > 0));
    questions.settle("outage", "answered in the terminal");
    await waitFor(() => rows().every(({ state }) => state === "dropped"));
    await service.repair();
    pass(hourMs);
    await quiet();
    expect(await texts()).toEqual([]);
  });

  test("answered from the channel closes its card", async () => {
    live();
    store.access.addPerson({
      id: "p",
      channel: "slack",
      sender: owner.id,
      team: owner.team,
      name: "Ada",
      pairedAt: 0,
    });
    questions.ask("q", { command: "make" });
    await shows(1);
    const [open] = await waitFor(() => service.watched().length > 0 && service.watched());
    if (!open) throw new Error("no open card");
    await service.person.press(open.place, open.card, { type: "allow", scope: "once" }, "act-1");
    expect(questions.answered("q")?.answerer).toEqual({ place: "slack", by: "Ada" });
    await waitFor(async () => (await texts())[0]?.includes("Allowed once by Ada (Slack)."));
  });

  test("two hundred at once are each sent once, and no card is built more than a few times", async () => {
    live();
    for (let n = 0; n < 200; n++) questions.ask(`q-${n}`);
    await shows(200);
    expect(new Set(service.posts()).size).toBe(200);
    await waitFor(() => service.watched().length === 200);
    expect(questions.cardsMade()).toBeLessThan(1_000);
  });
});

describe("a crash", () => {
  test("between showing a card and storing its place shows no second one", async () => {
    live();
    service.onShown(() => {
      throw new Error("killed here"); // Stops the old run here.
    });
    questions.ask("q");
    await waitFor(() => rows().some(({ state }) => state === "sending"));
    await reach.stop();
    service.onShown(() => {});
    live();
    pass(hourMs);
    await settled();
    expect(await texts()).toHaveLength(1);
    questions.settle("q", "Ada answered");
    await waitFor(async () => (await texts())[0]?.includes("Ada answered"));
  });

  test("followed by an answer in the terminal: a card that may exist is found by its key and settled", async () => {
    live();
    service.onShown(() => {
      throw new Error("killed here");
    });
    questions.ask("q");
    await waitFor(() => rows().some(({ state }) => state === "sending"));
    await reach.stop();
    questions.settle("q", "answered in the terminal");
    service.onShown(() => {});
    live();
    pass(hourMs);
    await waitFor(async () => (await texts())[0]?.includes("answered in the terminal"));
    expect((await service.messages()).map(({ canAct }) => canAct)).toEqual([false]);
  });

  test("before a settlement is confirmed: the next start repeats the settlement", async () => {
    live();
    questions.ask("q");
    await shows(1);
    await settled();
    await reach.stop();
    questions.settle("q", "Ada answered");
    live();
    await waitFor(async () => (await texts())[0]?.includes("Ada answered"));
  });
});

describe("an outage", () => {
  test("during which the clock is set back by a day does not last a day", async () => {
    live();
    await service.fail("outage");
    reach.notify(news());
    await waitFor(() => rows().some(({ attempts }) => attempts > 0));
    await service.repair();
    pass(-24 * hourMs);
    await shows(1);
  });

  test("lasts an hour: nothing is lost or reordered, and there is no flood of messages", async () => {
    live();
    await service.fail("outage");
    questions.ask("first");
    for (let n = 0; n < 20; n++)
      reach.notify(news({ asker: { ...news().asker, sessionId: `s-${n}` }, headline: `turn ${n}` }));
    questions.ask("second");
    for (let minute = 0; minute < 65; minute++) {
      pass(60_000);
      if (minute === 30)
        reach.notify(news({ asker: { ...news().asker, sessionId: "s-20" }, headline: "turn 20" }));
      await quiet();
    }
    expect(rows().filter(({ state }) => state === "parked")).toEqual([]);
    await service.repair();
    pass(60_000);
    const shown = await shows(3);
    expect(shown[2]).toContain("21 notifications");
    expect(shown[2]).toContain("turn 20");
    expect(service.posts().slice(0, 2)).toEqual(["question:first", "question:second"]);
    await settled();
    expect(rows().filter(({ kind, state }) => kind === "card" && state === "sent")).toHaveLength(2);
  });

  test("never ends: the message is parked, listed and can be retried", async () => {
    live();
    await service.fail("refused");
    questions.ask("q");
    await waitFor(() => store.outbox.counts().parked === 1);
    const [row] = rows();
    expect(row?.error).toBe("the token was revoked");
    await service.repair();
    expect(reach.retry(row?.id ?? "")).toBe(true);
    await shows(1);
    expect(reach.retry(row?.id ?? "")).toBe(false);
  });

  test("a parked question that was answered elsewhere counts as settled, not as failed", async () => {
    live();
    await service.fail("refused");
    questions.ask("q");
    await waitFor(() => store.outbox.counts().parked === 1);
    questions.settle("q", "answered in the terminal");
    await waitFor(() => store.outbox.counts().parked === 0);
  });

  test("one message that cannot be sent does not stop the others", async () => {
    live();
    await service.fail("refused");
    questions.ask("bad");
    await waitFor(() => store.outbox.counts().parked === 1);
    await service.repair();
    questions.ask("good");
    await shows(1);
  });

  test("is not retried before the time that the service names", async () => {
    live();
    await service.fail("limited");
    questions.ask("q");
    await waitFor(() => rows()[0]?.attempts === 1);
    await service.repair();
    await shows(1);
  });
});

describe("news", () => {
  test("is dropped at the person's next key, if the person is here", async () => {
    lastKeypressAt = clock();
    live();
    reach.notify(news());
    await quiet();
    expect(store.outbox.counts().held).toBe(1);
    skewMs += 5_000;
    lastKeypressAt = clock();
    pass(10);
    await waitFor(() => store.outbox.counts().held === 0);
    pass(awayMs * 2);
    await quiet();
    expect(await texts()).toEqual([]);
  });

  test("just after the person left is sent once they count as away", async () => {
    lastKeypressAt = clock() - 5_000;
    live();
    reach.notify(news());
    await quiet();
    expect(await texts()).toEqual([]);
    pass(awayMs);
    expect(await shows(1)).toEqual([expect.stringContaining("api-rook is done")]);
  });

  test("is merged with a count if it has the same kind and session", async () => {
    lastKeypressAt = clock() - 5_000;
    live();
    for (const body of ["one", "two", "three"]) reach.notify(news({ body }));
    pass(awayMs);
    expect(await shows(1)).toEqual([expect.stringMatching(/is done \(3 times\)[^]*three/)]);
  });

  test("is not repeated for a while if its text is the same", async () => {
    live();
    reach.notify(news());
    await shows(1);
    await settled();
    reach.notify(news());
    await quiet();
    pass(11 * 60_000);
    reach.notify(news());
    await shows(2);
  });

  test("held in quiet hours becomes one message in the morning", async () => {
    const now = new Date();
    const minute = now.getHours() * 60 + now.getMinutes();
    live({ quietHours: { from: (minute + 1435) % 1440, to: (minute + 60) % 1440 } });
    for (let n = 0; n < 5; n++) reach.notify(news({ asker: { ...news().asker, sessionId: `s-${n}` } }));
    await quiet();
    expect(await texts()).toEqual([]);
    pass(61 * 60_000);
    expect(await shows(1)).toEqual([expect.stringContaining("5 notifications")]);
  });

  test("is not stored if its kind is turned off", async () => {
    live({ wants: { idle: false } });
    reach.notify(news({ kind: "idle" }));
    expect(rows()).toEqual([]);
  });

  test("contains no secret when it is sent", async () => {
    live();
    const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    reach.notify(news({ kind: "news", body: `token is ${secret}`, headline: `look: ${secret}` }));
    const [shown] = await shows(1);
    expect(shown).not.toContain(secret);
    expect(JSON.stringify(rows())).not.toContain(secret);
  });
});

describe("a notice about an approval", () => {
  const approved = (headline = "Approved on the command line: a command"): Notice =>
    news({ kind: "approved", level: "warning", headline });
  const approvals = async (): Promise<string[]> =>
    (await texts()).filter((text) => text.includes("Approved on the command line"));

  test.each<[string, () => void]>([
    ["presence was set to here", () => presence.set("here")],
    ["the viewer was reported as used", () => presence.recordViewer()],
  ])("is sent at once although %s", async (_how, pretend) => {
    live();
    pretend();
    reach.notify(approved());
    skewMs += 5;
    pretend();
    pass(10);
    await shows(1);
    expect(await approvals()).toHaveLength(1);
  });

  test("is sent in quiet hours and with all notifications turned off", async () => {
    live({
      quietHours: { from: 0, to: 1439 },
      wants: { done: false, failed: false, idle: false, "needs-input": false, news: false },
    });
    expect(reach.notify(approved())).toBe(true);
    expect(await shows(1)).toEqual([expect.stringContaining("Approved on the command line")]);
  });

  test("is sent for each approval, even if the texts are the same", async () => {
    live();
    reach.notify(approved());
    await shows(1);
    await settled();
    reach.notify(approved());
    reach.notify(approved());
    await shows(3);
    expect(await approvals()).toHaveLength(3);
  });

  test("is not merged with other notifications after an outage", async () => {
    live();
    await service.fail("outage");
    reach.notify(approved());
    for (let n = 0; n < 12; n++) reach.notify(news({ asker: { ...news().asker, sessionId: `s-${n}` } }));
    await waitFor(() => rows().some(({ attempts }) => attempts > 0));
    skewMs += 11 * 60_000;
    await service.repair();
    pass(awayMs);
    await shows(2);
    expect(await approvals()).toHaveLength(1);
  });
});

test("a person can be reached only through a paired account or an open viewer", () => {
  live();
  expect(reach.canReach()).toBe(false);
  const close = reach.openViewer();
  expect(reach.canReach()).toBe(true);
  close();
  close();
  expect(reach.canReach()).toBe(false);
  store.access.addPerson({ id: "p", channel: "slack", sender: "U", team: "T", name: "Ada", pairedAt: 0 });
  expect(reach.canReach()).toBe(true);
});
