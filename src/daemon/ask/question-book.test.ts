import { describe, expect, it } from "vitest";
import type { Answer, Answerer } from "../../domain/ask/question.ts";
import type { BusEvent } from "../../protocol/bus-events.ts";
import { silentLog } from "../../shared/log.ts";
import { openStore } from "../../store/open-store.ts";
import { openBus } from "../runtime/bus.ts";
import { openQuestionBook } from "./question-book.ts";

const prompt = (text: string) => ({
  text,
  header: null,
  options: [
    { label: "Postgres", description: null },
    { label: "SQLite", description: null },
  ],
  isMulti: false,
});

function openBook() {
  let now = 1_000;
  const store = openStore(":memory:", () => now);
  const bus = openBus(silentLog, now);
  const events: BusEvent[] = [];
  bus.subscribe(({ event }) => events.push(event));
  const book = openQuestionBook({ store, bus, log: silentLog, clock: () => now++ });
  const add = (
    text: string,
    more: { kind?: "choice" | "permission"; hookId?: string; project?: string } = {},
  ) => {
    const { kind = "choice", hookId = null, project = "/api" } = more;
    return book.add(
      {
        kind,
        hookId,
        project,
        projectName: "api",
        agentId: null,
        agent: "api-rook",
        sessionId: "s-1",
        ...{
          subagentId: null,
          subagent: null,
          hostPid: null,
          pidStarted: null,
          toolName: null,
          toolUseId: null,
        },
        input: {},
        isExact: true,
        inputHash: "hash",
        context: null,
        wording: text,
        prompts: kind === "choice" ? [prompt(text)] : [],
        subject: null,
        sessionRule: null,
        urgency: "normal",
        createdAt: now,
        expiresAt: now + 1_000_000,
      },
      {},
    );
  };
  return { store, book, events, add };
}

const answers = (text: string): Answer => ({ type: "answers", answers: [[text]] });
const at = (place: Answerer["place"], by = "Ada"): Answerer => ({ place, by });

describe("the question book", () => {
  it("accepts exactly one of three answers to each of 1,000 questions, and tells the others who answered", async () => {
    const { book, events, add } = openBook();
    const ids = Array.from({ length: 1_000 }, (_, n) => add(`Question ${n}?`, { hookId: `h-${n}` }).id);
    const places = [at("slack"), at("viewer", "Bo"), at("cli", "Cy")] as const;
    const results = await Promise.all(
      ids.map((id, n) =>
        Promise.all(
          places.map(async (_, turn) => {
            const place = places[(n + turn) % places.length] as Answerer;
            await new Promise((resolve) => setImmediate(resolve));
            return { place, ...book.answer(id, answers(`from ${place.place}`), place) };
          }),
        ),
      ),
    );
    for (const [n, given] of results.entries()) {
      const winners = given.filter(({ result }) => result === "accepted");
      expect(winners).toHaveLength(1);
      const [winner] = winners;
      const text = book.getOutcome(ids[n] as string)?.text ?? "";
      expect(text).toContain(`from ${winner?.place.place}`);
      for (const loser of given.filter(({ result }) => result !== "accepted"))
        expect(loser).toMatchObject({ result: "late", message: text });
    }
    expect(events.filter(({ type }) => type === "question.settled")).toHaveLength(1_000);
    expect(book.listOpen()).toEqual([]);
  });

  it("shows the last answer of the same kind and project, unless it was overruled", () => {
    const { book, add } = openBook();
    book.answer(add("Which database should we use?").id, answers("SQLite"), at("slack"));
    expect(add("Which database should we use").earlier).toMatchObject({ answer: "SQLite" });
    expect(add("Which database should we use?", { project: "/web" }).earlier).toBeNull();
    expect(add("Which database should we use?", { kind: "permission" }).earlier).toBeNull();
    const second = add("Which database should we use?", { hookId: "h-1" });
    book.answer(second.id, answers("Postgres"), at("slack"));
    book.recordVerdict(second.id, "overruled", "the terminal answered first: SQLite");
    expect(add("Which database should we use?").earlier).toMatchObject({ answer: "SQLite" });
  });

  it("confirms or overrules an answer once, and publishes it", () => {
    const { book, events, add } = openBook();
    const { id } = add("Really?", { kind: "permission", hookId: "h-1" });
    expect(book.answer(id, answers("yes"), at("slack"))).toMatchObject({ result: "unfit" });
    expect(book.answer(id, { type: "deny", reason: "no" }, at("slack"))).toEqual({ result: "accepted" });
    expect(book.isPending("s-1")).toBe(true);
    book.recordVerdict(id, "overruled", "it ran");
    book.recordVerdict(id, "confirmed");
    expect(book.isPending("s-1")).toBe(false);
    expect(book.getOutcome(id)?.text).toBe("Denied by Ada (Slack): no. But it ran.");
    expect(events.map(({ type }) => type)).toEqual([
      "question.opened",
      "question.settled",
      "question.settled",
    ]);
  });

  it("keeps a secret in an answer out of the store, and gives it to the asker", () => {
    const { store, book, add } = openBook();
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ0123456789";
    const { id } = add("Which token?");
    book.answer(id, answers(secret), at("viewer"));
    const row = store.questions.byId(id);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(row && book.getExact(row).answer).toEqual(answers(secret));
  });

  it("accepts no answer to a question that is unknown or being dismissed", () => {
    const { book, add } = openBook();
    expect(book.answer("nobody", answers("x"), at("cli"))).toEqual({ result: "unknown" });
    const { id } = add("Which?");
    book.blockAnswers(id);
    expect(book.answer(id, answers("x"), at("cli"))).toMatchObject({ result: "late" });
  });
});
