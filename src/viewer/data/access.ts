import { signal } from "@preact/signals";
import { parseJson } from "../../shared/json.ts";
import { dropKey, keepKey, makeKey, readKey, signWith } from "./remembered.ts";

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
  const made = await makeKey();
  const body = { code, ...(made ? { publicKey: made.publicKey } : {}) };
  const answer = await post("/viewer/token", body).catch((): SignIn => ({ message: lost }));
  if (made && answer.browser) await keepKey({ id: answer.browser, keys: made.keys });
  if (answer.token === undefined) {
    // A tab that is already signed in stays signed in.
    if (token.value === null) refusal.value = answer.message ?? "The code was refused.";
    return;
  }
  signIn(answer);
}

/** Signs in a browser that was remembered. Also after a reload, which loses the secret for decisions. */
export async function signInRemembered(): Promise<void> {
  if (consent.value !== null) return;
  const remembered = await readKey();
  if (!remembered) return;
  // The daemon may be restarting: the page shows that, and a reload tries again.
  const { challenge } = await post("/viewer/challenges", {}).catch((): SignIn => ({}));
  if (challenge === undefined) return;
  const signature = await signWith(remembered, `rookery ${location.port} ${challenge}`);
  const answer = await post("/viewer/browser", { browser: remembered.id, challenge, signature });
  if (answer.token !== undefined) signIn(answer);
  else if (answer.code === "code_not_valid") await dropKey();
}

const lost = "The daemon did not answer. Check it with `rookery status`.";

interface SignIn {
  token?: string;
  consent?: string | null;
  browser?: string | null;
  challenge?: string;
  code?: string;
  message?: string;
}

function signIn({ token: given = "", consent: secret = null }: SignIn): void {
  sessionStorage.setItem(storageKey, given);
  refusal.value = null;
  consent.value = secret;
  token.value = given;
}

async function post(path: string, body: object): Promise<SignIn> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return parseJson(await response.text()) as SignIn;
}
