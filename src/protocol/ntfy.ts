import * as z from "zod";

const topic = z.string().regex(/^[\w-]{1,64}$/, "must have only letters, digits, - and _");

/** Stores and sends nothing. */
export const ntfyCheckRequest = z.strictObject({
  server: z.url(),
  topic,
  answerTopic: topic,
  token: z.string().min(1).max(500).optional(),
});
