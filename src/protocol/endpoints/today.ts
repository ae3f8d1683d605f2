import { defineEndpoint } from "../endpoint.ts";
import { periodRequest, recallUseView, stripView, talkView, weekRequest, weekView } from "../today.ts";

/** The reports of the viewer's front page. */
export const todayEndpoints = {
  getStrip: defineEndpoint({
    method: "GET",
    path: "/api/strip",
    access: "token",
    summary:
      "The agents of a period: when each worked, waited for the person or was idle, and its turns, questions and notes.",
    query: periodRequest,
    answer: stripView,
  }),
  getWeek: defineEndpoint({
    method: "GET",
    path: "/api/week",
    access: "token",
    summary: "Totals of several days: agents, turns, questions, notes and working time.",
    query: weekRequest,
    answer: weekView,
  }),
  getRecallUse: defineEndpoint({
    method: "GET",
    path: "/api/recall-use",
    access: "token",
    summary: "Per project: the cost of memory, the notes that were recalled, and whether they were used.",
    query: periodRequest,
    answer: recallUseView,
  }),
  getTalk: defineEndpoint({
    method: "GET",
    path: "/api/talk",
    access: "token",
    summary: "The number of messages between each sender and recipient.",
    query: periodRequest,
    answer: talkView,
  }),
};
