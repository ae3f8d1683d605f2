import { defineEndpoint } from "../endpoint.ts";
import { spendRequest, spendView, trialView } from "../model.ts";

/** The optional model that writes notes. */
export const modelEndpoints = {
  getSpend: defineEndpoint({
    method: "GET",
    path: "/api/spend",
    access: "token",
    summary: "The ledger of model calls by day, provider, model and project, and the daily budget.",
    query: spendRequest,
    answer: spendView,
  }),
  tryModel: defineEndpoint({
    method: "POST",
    path: "/api/model/trial",
    access: "token",
    summary: "Makes one small test call, which is charged like any other.",
    answer: trialView,
  }),
};
