import * as z from "zod";
import { personOnly } from "./person-only.ts";

/** Where agents and people talk. */
export const matrixSettings = {
  matrix: z
    .strictObject({
      enabled: z.boolean().default(true).describe("Agents and people talk in Matrix rooms."),
      homeserver: z
        .string()
        .regex(
          /^(?:embedded|managed|https?:\/\/[^/\s]+)$/,
          "must be embedded, managed or an address without a path",
        )
        .default("embedded")
        .describe(
          "`embedded` runs a homeserver of our own, `managed` one that `matrix.command` starts; an address uses another.",
        )
        .meta(personOnly),
      command: z
        .string()
        .default("")
        .describe("Command line of the `managed` homeserver; it gets CONDUIT_* variables (docs/agents.md).")
        .meta(personOnly),
      port: z
        .number()
        .int()
        .min(0)
        .max(65535)
        .default(37778)
        .describe(
          "Port of the embedded homeserver. 0 takes any free one; a port in use falls back to a free one.",
        ),
      host: z
        .string()
        .min(1)
        .default("127.0.0.1")
        .describe("Address the embedded homeserver listens on; see docs/matrix.md before you open it.")
        .meta(personOnly),
      publicUrl: z
        .string()
        .default("")
        .describe("What clients are told to use, if they reach the homeserver by another address.")
        .meta(personOnly),
      serverName: z
        .string()
        .regex(/^[A-Za-z0-9.-]{1,200}(?::\d{1,5})?$/)
        .default("rookery.local")
        .describe("The part after the colon in every id; fixed once the homeserver has started.")
        .meta(personOnly),
      owner: z
        .string()
        .regex(/^(?:[a-z0-9._=/-]{0,60}|@[^:\s]{1,100}:[^\s]{1,150})$/)
        .default("")
        .describe(
          "Your name on the homeserver; empty takes your user name on this machine. On another homeserver your whole id there, such as @ada:example.org.",
        )
        .meta(personOnly),
      hops: z
        .number()
        .int()
        .min(1)
        .max(100)
        .default(8)
        .describe("Longest chain of agents' messages with no person in between."),
      perPairAndMinute: z
        .number()
        .int()
        .min(1)
        .max(1000)
        .default(10)
        .describe("Most messages from one agent to the same recipient in a minute."),
      perHour: z
        .number()
        .int()
        .min(1)
        .max(10_000)
        .default(120)
        .describe("Most messages that one agent may write in an hour."),
      registration: z
        .enum(["closed", "open"])
        .default("closed")
        .describe("`open` lets anybody who reaches the embedded homeserver make an account.")
        .meta(personOnly),
      writesPerSecond: z
        .number()
        .int()
        .min(0)
        .default(2000)
        .describe("Most changes one user may make per second on the embedded homeserver; 0 is no limit."),
      mediaBytes: z
        .number()
        .int()
        .min(1024)
        .max(1_000_000_000)
        .default(50_000_000)
        .describe("Largest upload to the embedded homeserver."),
    })
    .prefault({}),
};
