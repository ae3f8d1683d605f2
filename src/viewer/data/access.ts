import { signal } from "@preact/signals";
import { parseJson } from "../../shared/json.ts";

const storageKey = "rookery.token";

/** Per tab, and gone with it. A cookie would go to every port of 127.0.0.1. */
export const token = signal<string | null>(sessionStorage.getItem(storageKey));

/** Why the page is locked, where that is worth saying. */
export const refusal = signal<string | null>(null);

export function dropToken(): void {
  sessionStorage.removeItem(storageKey);
  token.value = null;
}

/** Takes a one-time code out of the address and trades it for the token. */
export async function redeemCodeInAddress(): Promise<void> {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (code === undefined) return;
  history.replaceState(null, "", "#/now");
  const response = await fetch("/viewer/token", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const answer = parseJson(await response.text()) as { token?: string; message?: string };
  if (answer.token === undefined) {
    // A tab that is let in already stays so.
    if (token.value === null) refusal.value = answer.message ?? "The code was refused.";
    return;
  }
  sessionStorage.setItem(storageKey, answer.token);
  refusal.value = null;
  token.value = answer.token;
}
