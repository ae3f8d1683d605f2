import { embeddingsTrial, embeddingsTrialRequest } from "../embeddings.ts";
import { defineEndpoint } from "../endpoint.ts";

/** The optional embedding endpoint for search. */
export const embeddingsEndpoints = {
  tryEmbeddings: defineEndpoint({
    method: "POST",
    path: "/api/embeddings/trial",
    access: "person",
    summary: "Embeds one short text with these settings and reports the number of dimensions. Saves nothing.",
    body: embeddingsTrialRequest,
    answer: embeddingsTrial,
  }),
};
