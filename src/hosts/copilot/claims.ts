import type { HostClaims } from "../host.ts";

export const claims: HostClaims = {
  capture: { works: "yes", how: "all; the last message from the transcript" },
  context: { works: "yes" },
  permissions: {
    works: "yes",
    how: "beside the dialog, with `copilot --experimental`; otherwise you are notified that it waits",
  },
  questions: { works: "yes", how: "with `copilot --experimental`" },
  waking: {
    works: "yes",
    how: "with `copilot --experimental`; otherwise messages come with the next prompt or tool call",
  },
  identity: { works: "yes", how: "the process that started the server" },
  reconciliation: { works: "partly", how: "the last message of a turn" },
  import: { works: "yes" },
};
