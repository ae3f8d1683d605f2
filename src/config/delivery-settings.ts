import * as z from "zod";

/** Settings of what is added to a session, whether memory or messages. */
export const deliverySettings = {
  delivery: z
    .strictObject({
      wake: z.boolean().default(true).describe("Wake an idle session when a message for it arrives."),
      characters: z
        .number()
        .int()
        .min(1000)
        .max(9500)
        .default(8000)
        .describe("Max characters added to a session at one point; the rest waits for the next point."),
    })
    .prefault({}),
};
