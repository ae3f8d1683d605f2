import * as z from "zod";
import { personOnly } from "./person-only.ts";

/** Settings of sharing through a hub. They have no effect before a hub is joined. */
export const hubSettings = {
  hub: z
    .strictObject({
      pollSeconds: z
        .number()
        .int()
        .min(1)
        .max(3_600)
        .default(10)
        .describe(
          "Ask the hub this often while a session works on a shared project; otherwise every 15 minutes.",
        ),
      injectMachines: z
        .boolean()
        .default(false)
        .describe(
          "Also give sessions the notes of machine accounts, such as CI. They can always be searched.",
        )
        .meta(personOnly),
    })
    .prefault({}),
};
