import { signal } from "@preact/signals";
import { parseJson } from "../../shared/json.ts";

const storageKey = "rookery.token";

/** Kept per tab in sessionStorage. A cookie would be sent to every port of 127.0.0.1. */
export const token = signal<string | null>(sessionStorage.getItem(storageKey));

/** The secret that decisions need. Only in memory: browsers write sessionStorage to disk. */
export const consent = signal<string | null>(null);

/** Why the daemon refused the code, if it gave a reason. */
export const refusal = signal<string | null>(null);

export function dropToken(): void {
  sessionStorage.removeItem(storageKey);
  token.value = null;
}

/** Removes the one-time code from the address and exchanges it for the token. */
export async function redeemCodeInAddress(): Promise<void> {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (code === undefined) return;
  history.replaceState(null, "", "#/today");
  const response = await fetch("/viewer/token", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const answer = parseJson(await response.text()) as {
    token?: string;
    consent?: string | null;
    message?: string;
  };
  if (answer.token === undefined) {
    // A tab that is already signed in stays signed in.
    if (token.value === null) refusal.value = answer.message ?? "The code was refused.";
    return;
  }
  sessionStorage.setItem(storageKey, answer.token);
  refusal.value = null;
  consent.value = answer.consent ?? null;
  token.value = answer.token;
}
