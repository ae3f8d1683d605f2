import type { HostClaims } from "../host.ts";

export const claims: HostClaims = {
  capture: { works: "yes", how: "its hooks do not report subagents, nor when it compacts" },
  context: { works: "yes", how: "before or after the prompt, and after the output of tools" },
  permissions: { works: "no", how: "its hooks cannot allow a call; you are notified that it waits" },
  questions: { works: "no" },
  waking: { works: "no", how: "messages come with the next prompt or tool call" },
  identity: { works: "yes", how: "the process that started the server" },
  reconciliation: { works: "no", how: "lines of its transcripts do not name the prompt" },
  import: { works: "yes", how: "not the `.json` files of older versions" },
};
