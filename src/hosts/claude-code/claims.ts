import type { HostClaims } from "../host.ts";

export const claims: HostClaims = {
  capture: { works: "yes", how: "all" },
  context: { works: "yes" },
  permissions: { works: "yes", how: "beside the dialog" },
  questions: { works: "yes" },
  waking: { works: "yes", how: "a monitor" },
  identity: { works: "yes", how: "the process that started the server" },
  reconciliation: { works: "yes" },
  import: { works: "yes" },
};
