import type { Context } from "hono";
import type { Socket } from "node:net";

/** The two ends of a TCP connection; null where nobody can tell who is at the other end (a unix socket, a pipe). */
export type Peer = { remotePort: number; localPort: number } | null;

export function readPeer(c: Context): Peer {
  const { incoming } = c.env as { incoming?: { socket: Socket } };
  return peerOf(incoming?.socket);
}

export function peerOf(socket: Socket | undefined): Peer {
  const { remotePort, localPort } = socket ?? {};
  return remotePort && localPort ? { remotePort, localPort } : null;
}
