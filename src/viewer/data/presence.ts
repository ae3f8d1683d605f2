import { call } from "./api.ts";
import { token } from "./access.ts";

const quietMs = 20_000;

/** Reports to the daemon that the user is active in the viewer. */
export function startPresence(): void {
  let reportedAt = 0;
  const report = (): void => {
    if (token.value === null || Date.now() - reportedAt < quietMs) return;
    reportedAt = Date.now();
    // Not retried: a later input reports again.
    call("POST /api/presence", { body: { seen: "viewer" } }).catch(() => undefined);
  };
  for (const sign of ["keydown", "pointerdown", "wheel"] as const)
    addEventListener(sign, report, { passive: true });
}
