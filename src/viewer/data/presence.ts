import { call, Refused } from "./api.ts";
import { token } from "./access.ts";

const quietMs = 20_000;

/** Tells the daemon that somebody is here, as long as it wants to know. */
export function startPresence(): void {
  let toldAt = 0;
  let isWanted = true;
  const tell = (): void => {
    if (!isWanted || token.value === null || Date.now() - toldAt < quietMs) return;
    toldAt = Date.now();
    call("POST", "/api/presence", { seen: "viewer" }).catch((error: unknown) => {
      if (error instanceof Refused && error.code === "route_not_found") isWanted = false;
    });
  };
  for (const sign of ["keydown", "pointerdown", "wheel"] as const)
    addEventListener(sign, tell, { passive: true });
}
