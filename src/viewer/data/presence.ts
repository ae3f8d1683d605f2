import { call } from "./api.ts";
import { token } from "./access.ts";

const quietMs = 20_000;

/** Tells the daemon that somebody is here. */
export function startPresence(): void {
  let toldAt = 0;
  const tell = (): void => {
    if (token.value === null || Date.now() - toldAt < quietMs) return;
    toldAt = Date.now();
    // The next sign of life tells it again.
    call("POST /api/presence", { body: { seen: "viewer" } }).catch(() => undefined);
  };
  for (const sign of ["keydown", "pointerdown", "wheel"] as const)
    addEventListener(sign, tell, { passive: true });
}
