import * as z from "zod";
import { machineNamePattern } from "../shared/machine-name.ts";
import { personOnly } from "./person-only.ts";
import { splitList } from "./split-list.ts";

/** Settings of the Matrix rooms and the homeserver. */
export const matrixSettings = {
  matrix: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe("Let agents and people talk in Matrix rooms.")
        .meta(personOnly),
      homeserver: z
        .string()
        .regex(
          /^(?:embedded|managed|https?:\/\/[^/\s]+)$/,
          "must be embedded, managed or an address without a path",
        )
        .default("embedded")
        .describe(
          "`embedded` runs the built-in homeserver, `managed` runs the one that `matrix.command` starts; an address uses an existing homeserver.",
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
          "Port of the embedded homeserver. 0 means any free port; if the port is in use, a free one is used.",
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
        .describe("Address that clients should use, if it differs from the one the homeserver listens on.")
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
          "Your user name on the homeserver; empty uses your user name on this machine. On an existing homeserver your full user id, such as @ada:example.org.",
        )
        .meta(personOnly),
      accounts: z
        .enum(["machine", "agents"])
        .default("machine")
        .describe(
          "Accounts on an existing homeserver; `agents` needs an application service that its administrator has registered (docs/agents.md).",
        )
        .meta(personOnly),
      machine: z
        .union([z.literal(""), z.string().regex(machineNamePattern)])
        .default("")
        .describe("Name of this machine in addresses such as api-jay@laptop; empty uses its host name.")
        .meta(personOnly),
      invitedBy: z
        .preprocess(splitList, z.array(z.string().regex(/^@[^:\s]{1,100}:[^\s]{1,150}$/)))
        .default([])
        .describe(
          "People besides the owner whose invitations are accepted on an existing homeserver, such as @bob:example.org, or @*:example.org for everyone there.",
        )
        .meta(personOnly),
      hops: z
        .number()
        .int()
        .min(1)
        .max(100)
        .default(8)
        .describe("Max length of a chain of messages between agents without a message from a person.")
        .meta(personOnly),
      perPairAndMinute: z
        .number()
        .int()
        .min(1)
        .max(1000)
        .default(10)
        .describe("Max messages per minute from one agent to the same recipient.")
        .meta(personOnly),
      perHour: z
        .number()
        .int()
        .min(1)
        .max(10_000)
        .default(120)
        .describe("Max messages per hour from one agent.")
        .meta(personOnly),
      registration: z
        .enum(["closed", "open"])
        .default("closed")
        .describe("`open` lets anybody who can reach the embedded homeserver create an account.")
        .meta(personOnly),
      writesPerSecond: z
        .number()
        .int()
        .min(0)
        .default(2000)
        .describe("Max changes per second by one user on the embedded homeserver; 0 means no limit."),
      mediaBytes: z
        .number()
        .int()
        .min(1024)
        .max(1_000_000_000)
        .default(50_000_000)
        .describe("Max size of an upload to the embedded homeserver, in bytes."),
    })
    .prefault({}),
};
