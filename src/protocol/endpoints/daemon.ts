import * as z from "zod";
import { hookAnswer } from "../api.ts";
import { configPatch, configView } from "../config.ts";
import { defineEndpoint } from "../endpoint.ts";
import { zeroOrOne } from "../fields.ts";
import { statusReport } from "../status.ts";

/** The daemon itself: its state, its settings, and the events of hosts. */
export const daemonEndpoints = {
  getStatus: defineEndpoint({
    method: "GET",
    path: "/api/status",
    access: "token",
    summary: "The report that `rookery status` prints.",
    answer: statusReport,
  }),
  getMetrics: defineEndpoint({
    method: "GET",
    path: "/api/metrics",
    access: "token",
    summary: "The same figures as Prometheus text.",
    answer: "text",
  }),
  streamEvents: defineEndpoint({
    method: "GET",
    path: "/api/events",
    access: "token",
    summary: "Server-sent events, live. `Last-Event-ID` resumes within the last 512 events.",
    query: z.object({
      viewer: zeroOrOne.describe("1: a person has the viewer open, so questions wait for them"),
    }),
    answer: "events",
  }),
  postHook: defineEndpoint({
    method: "POST",
    path: "/api/hooks/:event",
    access: "token",
    summary:
      "Stores an event as the hook script does. `:event` is the host's name for it, or `EVENT@HOST`; the body is the hook's payload. A posted event neither answers nor closes a question. The header `x-rookery-event-id` makes it idempotent; `x-host-pid` (or `x-claude-pid`) is the id of the host process, if it is known: a process of the caller that runs no other session. Events of a session whose process is known are accepted only from its processes or a person (TCP only).",
    body: "bytes",
    answer: hookAnswer,
  }),
  getConfig: defineEndpoint({
    method: "GET",
    path: "/api/config",
    access: "token",
    summary:
      "Every setting with its value, source, meaning and limits. `running` has the values that take effect only after a restart.",
    answer: configView,
  }),
  changeConfig: defineEndpoint({
    method: "PATCH",
    path: "/api/config",
    access: "token",
    summary:
      'Writes settings by path, such as `{"log.level": "debug"}`; null removes an override. Only a person may change a person-only setting.',
    body: configPatch,
    answer: configView,
  }),
};
