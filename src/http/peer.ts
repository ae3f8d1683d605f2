import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { agentHeader } from "../protocol/api.ts";
import { consentHeader } from "../shared/consent-header.ts";

export interface Address {
  address: string;
  port: number;
}

/** The two ends of a TCP connection; null for a unix socket or a pipe, which do not identify the caller. */
export type Peer = {
  remoteAddress: string;
  remotePort: number;
  localAddress: string;
  localPort: number;
  /** Identifies the connection: later requests over it come from the same process. */
  connection?: WeakKey;
  /** The caller stated that an agent started it. */
  isAgent?: true;
  /** The secret that the viewer got for its one-time code; not verified yet. */
  consent?: string;
} | null;

export function readPeer({ socket, headers }: IncomingMessage): Peer {
  const peer = peerOf(socket);
  if (!peer) return null;
  const consent = headers[consentHeader]?.toString();
  return {
    ...peer,
    connection: socket,
    ...(headers[agentHeader] ? { isAgent: true } : {}),
    ...(consent === undefined ? {} : { consent }),
  };
}

export function peerOf(socket: Socket | undefined): Peer {
  const { remoteAddress, remotePort, localAddress, localPort } = socket ?? {};
  return remoteAddress && remotePort && localAddress && localPort
    ? { remoteAddress, remotePort, localAddress, localPort }
    : null;
}

/** An IPv4 address is the same whether it is mapped into IPv6 or not. */
export function isSameAddress(a: Address, b: Address): boolean {
  return a.port === b.port && plainAddress(a.address) === plainAddress(b.address);
}

/**
 * Whether the other end uses the standard loopback address. Programs do so unless they bind another one on purpose; the
 * rest of 127.0.0.0/8 is refused.
 */
export function isLoopback({ remoteAddress }: NonNullable<Peer>): boolean {
  return ["127.0.0.1", "::1"].includes(plainAddress(remoteAddress));
}

function plainAddress(address: string): string {
  return address.toLowerCase().replace(/^::ffff:/, "");
}
