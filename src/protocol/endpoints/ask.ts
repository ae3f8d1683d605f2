import * as z from "zod";
import {
  askedView,
  noticeCreate,
  questionAnswer,
  questionCreate,
  questionHanded,
  questionStates,
  questionView,
} from "../ask.ts";
import { defineEndpoint } from "../endpoint.ts";
import { limit } from "../fields.ts";

/** Below the usual request timeout of clients and proxies. */
const maxWaitMs = 110_000;

/** Questions to the person, and notifications. */
export const askEndpoints = {
  listQuestions: defineEndpoint({
    method: "GET",
    path: "/api/questions",
    access: "token",
    summary: "Questions, newest first.",
    query: z.object({ state: z.enum(questionStates).optional(), limit: limit(50, 1000) }),
    answer: z.object({ questions: z.array(questionView) }),
  }),
  askQuestion: defineEndpoint({
    method: "POST",
    path: "/api/questions",
    access: "token",
    summary:
      "Asks the person. The answer goes to the waiting caller, or else to the agent's inbox. A caller that names a session or an agent must belong to it, which is verified over TCP only.",
    body: questionCreate,
    answer: askedView,
    status: 201,
  }),
  getQuestion: defineEndpoint({
    method: "GET",
    path: "/api/questions/:id",
    access: "token",
    summary: "One question, by its id or an unambiguous suffix.",
    query: z.object({
      wait: z.coerce
        .number<number | string>()
        .min(0)
        .default(0)
        .transform((ms) => Math.min(ms, maxWaitMs))
        .describe("wait up to this many milliseconds for it to be settled"),
    }),
    answer: questionView,
  }),
  answerQuestion: defineEndpoint({
    method: "POST",
    path: "/api/questions/:id/answer",
    access: "person",
    summary:
      "Answers a question. The first answer counts; a later one gets 409 and the outcome. The tool that asked may also answer, with its `key`.",
    body: questionAnswer,
    answer: questionView,
  }),
  takeAnswer: defineEndpoint({
    method: "POST",
    path: "/api/questions/:id/handed",
    access: "token",
    summary: "The caller that asked confirms that it has the answer, or no longer wants one.",
    body: questionHanded,
    answer: questionView,
  }),
  notifyPerson: defineEndpoint({
    method: "POST",
    path: "/api/notices",
    access: "token",
    summary:
      "Sends the person a notification that needs no answer; `isQueued` is false if it will never be shown. A named session or agent is verified as for a question.",
    body: noticeCreate,
    answer: z.object({ isQueued: z.boolean() }),
    status: 202,
  }),
};
