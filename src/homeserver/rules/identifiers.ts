/** `@local:server`, `#local:server` or `!local:server`, at most 255 bytes. */
interface Identifier {
  local: string;
  server: string;
}

const serverName = /^(?:\[[0-9A-Fa-f:.]{2,45}\]|[0-9A-Za-z.-]{1,230})(?::\d{1,5})?$/;

export function parseIdentifier(sigil: "@" | "#" | "!", id: string): Identifier | undefined {
  const colon = id.indexOf(":");
  if (!id.startsWith(sigil) || colon < 1 || Buffer.byteLength(id) > 255) return undefined;
  const [local, server] = [id.slice(1, colon), id.slice(colon + 1)];
  if (!serverName.test(server) || local.includes("\0")) return undefined;
  return { local, server };
}

export function isUserId(id: unknown): id is string {
  return typeof id === "string" && parseIdentifier("@", id) !== undefined;
}

export function isAlias(id: unknown): id is string {
  return typeof id === "string" && id.length > 2 && parseIdentifier("#", id) !== undefined;
}

/** Whether the name can be registered here. Historical user ids may contain other characters. */
export function isLocalpart(text: string): boolean {
  return /^[a-z0-9._=\-/+]{1,200}$/.test(text);
}
