/** Whether the address is on this machine. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Tokens are sent to this address, so it must be encrypted or local. */
export function isSafeAddress(address: string): boolean {
  const { protocol } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && isLoopback(address));
}
