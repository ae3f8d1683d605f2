import * as z from "zod";

/** Where agents and people talk. */
export const matrixSettings = {
  matrix: z
    .strictObject({
      enabled: z.boolean().default(true).describe("Agents and people talk in Matrix rooms."),
      homeserver: z
        .string()
        .default("embedded")
        .describe("`embedded` runs a homeserver of our own; anything else is the address of another."),
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
        .describe("Address the embedded homeserver listens on; see docs/matrix.md before you open it."),
      publicUrl: z
        .string()
        .default("")
        .describe("What clients are told to use, if they reach the homeserver by another address."),
      serverName: z
        .string()
        .regex(/^[A-Za-z0-9.-]{1,200}(?::\d{1,5})?$/)
        .default("rookery.local")
        .describe("The part after the colon in every id; fixed once the homeserver has started."),
      registration: z
        .enum(["closed", "open"])
        .default("closed")
        .describe("`open` lets anybody who reaches the embedded homeserver make an account."),
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
