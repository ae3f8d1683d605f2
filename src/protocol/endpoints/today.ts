import { defineEndpoint } from "../endpoint.ts";
import { periodRequest, stripView } from "../today.ts";

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
};
