import type { Inbox, Receipt, Reply } from "../../channels/channel.ts";
import { explainRefusal, judgeSender, type Person } from "../../domain/access/judge-sender.ts";
import { cleanAnswer, parseAnswerText } from "../../domain/access/parse-answer-text.ts";
import type { Answer } from "../../domain/ask/question.ts";
import type { OutboxRow } from "../../store/outbox.ts";
import { type Audit, describeAnswer } from "./audit.ts";
import { describeSender, type Pairing } from "./pairing.ts";
import type { Questions } from "./questions.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface InboxDeps extends Pick<DaemonContext, "store" | "clock"> {
  questions: Questions;
  pairing: Pairing;
  audit: Audit;
}

/** The result of a reply, and the reason for it, worded for the audit log. */
interface JudgedReply extends Receipt {
  why: string;
  questionId?: string | null;
  who?: string;
}

const maxIdLength = 300;

/**
 * Receives all replies from channels. None is trusted: a repeated reply counts once, a reply from an unknown sender
 * never, and only a ticket that we issued for exactly the current question decides. On any error there is no decision.
 */
export function makeInbox(deps: InboxDeps): Inbox {
  const { store, questions, pairing, audit, clock } = deps;

  function judge(reply: Reply): JudgedReply {
    if (reply.id === "" || reply.id.length > maxIdLength) return refuse("an action without a usable id");
    const judged = judgeSender(reply.channel, reply.sender, reply.room, store.access.listPeople());
    if ("person" in judged) return judgeAct(reply, judged.person);
    if (judged.refusal === "stranger" && reply.content.type === "text") {
      const { text } = reply.content;
      const redeemed = store.db.transaction(() => pairing.redeem(reply, text));
      if (redeemed === "paired")
        return {
          result: "accepted",
          message: `You are paired: I will ask you ${describeRoom(reply)} when nobody is at the terminal.`,
          why: "",
        };
      if (redeemed === "wrong")
        return { result: "refused", message: "That code is not one of mine.", why: "" };
      if (redeemed === "void")
        return { result: "refused", message: "Too many wrong codes: run `rookery pair` again.", why: "" };
    }
    return refuse(judged.refusal, explainRefusal(judged.refusal, reply.channel));
  }

  function judgeAct(reply: Reply, person: Person): JudgedReply {
    const row = findCard(reply);
    if (!row?.questionId) {
      const isClick = reply.target !== null && "ticket" in reply.target;
      if (isClick) return refuse("an unknown ticket", "This card is no longer valid.");
      return {
        result: "unclear",
        message: reply.hints.address,
        why: "no card",
      };
    }
    const { questionId } = row;
    const said = readAnswer(reply, row);
    if ("result" in said) return { ...said, questionId };
    if (row.inputHash === null || questions.getInputHash(questionId) !== row.inputHash) {
      const message =
        "The question has changed since this card was sent, so nothing was decided. Use the newest card.";
      return { ...refuse("the input has changed", message), questionId };
    }
    const answered = questions.answer(questionId, said.answer, { place: reply.channel, by: person.name });
    const about = { questionId, who: `${person.name} (${describeSender(reply.sender)})` };
    const why = describeAnswer(said.answer);
    if (answered.result === "accepted") return { result: "accepted", message: null, why, ...about };
    if (answered.result === "late") return { result: "late", message: answered.message, why, ...about };
    if (answered.result === "unfit")
      return { result: "unclear", message: answered.message, why: `unfit: ${why}`, ...about };
    return { ...refuse("the question is gone", "This question no longer exists."), ...about };
  }

  /** On Matrix, several people share one room for questions. */
  function describeRoom({ channel }: Reply): string {
    const others = store.access.listPeople().filter((person) => person.channel === channel);
    return channel === "matrix" && others.length > 1 ? "in a room with the others" : "here";
  }

  function findCard({ channel, target }: Reply): OutboxRow | undefined {
    if (target === null) return undefined;
    const row =
      "ticket" in target ? store.outbox.byTicket(target.ticket) : store.outbox.byPlace(channel, target.place);
    return row?.channel === channel ? row : undefined;
  }

  /** A button press needs its ticket; a text only answers a choice. */
  function readAnswer(reply: Reply, row: OutboxRow): { answer: Answer } | JudgedReply {
    const card = questions.makeCard(row.questionId ?? "", row.ticket ?? "");
    if (!card) return refuse("the question is gone", "This question no longer exists.");
    const isText = reply.content.type === "text";
    const hasTicket = reply.target !== null && "ticket" in reply.target;
    if (!isText && !hasTicket && card.kind !== "choice")
      return refuse("a decision without its ticket", reply.hints.decide);
    const read =
      reply.content.type === "text"
        ? parseAnswerText(reply.content.text, card, reply.hints)
        : cleanAnswer(reply.content);
    if ("answer" in read) return read;
    return {
      result: "unclear",
      message: read.unclear,
      why: isText ? `a text for a ${card.kind}` : "too long",
    };
  }

  return {
    async receive(reply) {
      const known = store.access.findReply(reply.channel, reply.id);
      if (known !== undefined) return { result: "duplicate", message: null };
      const { result, message, why, questionId, who } = judge(reply);
      // An answer is already stored at this point. If the daemon ends before this commit, the reply arrives again and
      // counts as late.
      store.db.transaction(() => {
        store.access.storeReply(reply.channel, reply.id.slice(0, maxIdLength), result, clock());
        if (why === "") return; // Pairing has written its own audit row.
        audit.record({
          action: "answer",
          result,
          place: reply.channel,
          detail: why,
          who: who ?? describeSender(reply.sender),
          questionId: questionId ?? null,
        });
      });
      return { result, message };
    },
  };
}

function refuse(why: string, message: string | null = null): JudgedReply {
  return { result: "refused", message, why };
}
