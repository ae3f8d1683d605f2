import * as z from "zod";
import { stopRequest } from "../api.ts";
import { defineEndpoint } from "../endpoint.ts";

/** The two calls that start and stop a daemon: apart from the rest, because every process loads them. */
export const runningEndpoints = {
  getHealth: defineEndpoint({
    method: "GET",
    path: "/health",
    access: "open",
    summary: "Whether the daemon runs.",
    answer: z.object({ status: z.enum(["ok", "paused"]), version: z.string() }),
  }),
  stopDaemon: defineEndpoint({
    method: "POST",
    path: "/api/stop",
    access: "token",
    summary:
      "Responds, then stops the daemon. Events that arrive in the meantime wait in the spool. Only a person may stop it to restore its database.",
    body: stopRequest,
    answer: z.object({ stopping: z.literal(true) }),
    status: 202,
  }),
};
