/** This browser's key, by which the daemon recognises it. The private half cannot be exported, not even by this page. */
interface Remembered {
  id: string;
  keys: CryptoKeyPair;
}

const databaseName = "rookery";
const storeName = "browser";
const rowKey = "this";
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** A new key pair, and its public half for the daemon. Undefined where the browser has none, as in a private window. */
export async function makeKey(): Promise<{ keys: CryptoKeyPair; publicKey: string } | undefined> {
  try {
    const keys = await crypto.subtle.generateKey(algorithm, false, ["sign"]);
    return { keys, publicKey: encode(await crypto.subtle.exportKey("spki", keys.publicKey)) };
  } catch {
    return undefined;
  }
}

export async function keepKey(remembered: Remembered): Promise<void> {
  await inStore("readwrite", (store) => store.put(remembered, rowKey)).catch(() => undefined);
}

export function dropKey(): Promise<unknown> {
  return inStore("readwrite", (store) => store.delete(rowKey)).catch(() => undefined);
}

export async function readKey(): Promise<Remembered | undefined> {
  const row = await inStore("readonly", (store) => store.get(rowKey)).catch(() => undefined);
  return row as Remembered | undefined;
}

export async function signWith({ keys }: Remembered, message: string): Promise<string> {
  return encode(await crypto.subtle.sign(algorithm, keys.privateKey, new TextEncoder().encode(message)));
}

function inStore(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(databaseName, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const request = use(opening.result.transaction(storeName, mode).objectStore(storeName));
      request.onerror = () => reject(request.error);
      request.onsuccess = () => resolve(request.result);
      request.transaction?.addEventListener("complete", () => opening.result.close());
    };
  });
}

function encode(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
