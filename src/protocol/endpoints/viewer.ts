import * as z from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { count, limit } from "../fields.ts";
import {
  browseRequest,
  browserSignIn,
  browseView,
  codeRedeem,
  codeView,
  nowView,
  savingsView,
  seriesView,
  signInView,
  sourcesView,
  storyView,
} from "../viewer.ts";

/** Reads that only the viewer needs, and its sign-in. */
export const viewerEndpoints = {
  createViewerCode: defineEndpoint({
    method: "POST",
    path: "/api/viewer/codes",
    access: "token",
    summary: "An address that signs in one browser tab, once, within a minute.",
    answer: codeView,
    status: 201,
  }),
  redeemViewerCode: defineEndpoint({
    method: "POST",
    path: "/viewer/token",
    access: "open",
    summary:
      "The token, in exchange for a one-time code; if a person asked for the code, also the secret for decisions.",
    body: codeRedeem,
    answer: signInView.extend({
      browser: z.string().nullable().describe("the id of the remembered browser"),
    }),
  }),
  createChallenge: defineEndpoint({
    method: "POST",
    path: "/viewer/challenges",
    access: "open",
    summary: "A text that a remembered browser signs, once, within a minute.",
    answer: z.object({ challenge: z.string() }),
    status: 201,
  }),
  signInBrowser: defineEndpoint({
    method: "POST",
    path: "/viewer/browser",
    access: "open",
    summary: "The token, in exchange for a signature by the key of a remembered browser.",
    body: browserSignIn,
    answer: signInView,
  }),
  forgetBrowsers: defineEndpoint({
    method: "DELETE",
    path: "/api/viewer/browsers",
    access: "token",
    summary: "Forgets all remembered browsers.",
    answer: z.object({ forgotten: z.number() }),
  }),
  getNow: defineEndpoint({
    method: "GET",
    path: "/api/now",
    access: "token",
    summary: "The running sessions, and what each is doing.",
    answer: nowView,
  }),
  browseMemory: defineEndpoint({
    method: "GET",
    path: "/api/browse",
    access: "token",
    summary: "A page of a list of notes, or of another kind, newest first.",
    query: browseRequest,
    answer: browseView,
  }),
  getNoteSources: defineEndpoint({
    method: "GET",
    path: "/api/notes/:id/sources",
    alias: "/api/observations/:id/sources",
    access: "token",
    summary: "The events that a note was made from, and the sessions that it was given to.",
    answer: sourcesView,
  }),
  getStory: defineEndpoint({
    method: "GET",
    path: "/api/sessions/:id/story",
    access: "token",
    summary: "A session turn by turn: prompts, tools, replies, summary, notes, files.",
    query: z.object({
      before: count.optional().describe("only turns before this number"),
      limit: limit(30, 100),
    }),
    answer: storyView,
  }),
  getSeries: defineEndpoint({
    method: "GET",
    path: "/api/series",
    access: "token",
    summary: "Hook latency, queue, spool and sizes every 10 s over the last six hours.",
    answer: seriesView,
  }),
  getSavings: defineEndpoint({
    method: "GET",
    path: "/api/savings",
    access: "token",
    summary: "Tokens injected and tokens saved, by day.",
    query: z.object({ days: limit(30, 3650) }),
    answer: savingsView,
  }),
};
