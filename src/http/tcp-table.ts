import { readFile } from "node:fs/promises";
import { type Address, isSameAddress, type Peer } from "./peer.ts";

type TcpPeer = NonNullable<Peer>;

/** The other end of a connection, in the kernel's table. */
interface Connection {
  /** The user that opened it; 0 once it is closed. */
  uid: number;
  inode: string;
}

/** The connections of this machine (Linux). */
export async function readTcpTables(): Promise<string> {
  const tables = ["tcp", "tcp6"].map((table) => readFile(`/proc/net/${table}`, "utf8").catch(() => ""));
  return (await Promise.all(tables)).join("\n");
}

/** Undefined if the other end is not on this machine; its local address is the peer's remote address. */
export function findConnection(table: string, peer: TcpPeer): Connection | undefined {
  for (const line of table.split("\n")) {
    const [, local = "", remote = "", , , , , uid, , inode = closedInode] = line.trim().split(/\s+/);
    if (isOtherEnd(peer, readHexAddress(local), readHexAddress(remote))) return { uid: Number(uid), inode };
  }
  return undefined;
}

/** A connection that its process has closed belongs to nobody. */
const closedInode = "0";

/**
 * Whether another user of this machine opened the connection: a token that they got hold of is useless to them. Where the
 * system does not say who did (macOS, Windows, another network namespace), the token alone decides.
 */
export function isOtherUser(table: string, peer: TcpPeer, ownUid: number): boolean {
  const connection = findConnection(table, peer);
  if (!connection) return false;
  return connection.inode === closedInode || ![ownUid, 0].includes(connection.uid);
}

export function isOtherEnd(peer: TcpPeer, local: Address | undefined, remote: Address | undefined): boolean {
  if (!local || !remote) return false;
  return (
    isSameAddress(local, { address: peer.remoteAddress, port: peer.remotePort }) &&
    isSameAddress(remote, { address: peer.localAddress, port: peer.localPort })
  );
}

/** `0100007F:9391`: groups of four bytes, each in reverse order. Undefined for anything but IPv4 and ::1. */
function readHexAddress(text: string): Address | undefined {
  const match = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/.exec(text);
  if (!match) return undefined;
  const [, hex = "", port = ""] = match;
  const bytes = [...hex.matchAll(/.{8}/g)].flatMap(([group]) => [...Buffer.from(group, "hex")].toReversed());
  const ipv4 = bytes.slice(-4).join(".");
  const prefix = bytes.slice(0, -4).join(".");
  const isIpv4 = prefix === "" || prefix === mappedPrefix;
  if (!isIpv4 && bytes.join(".") !== ipv6Loopback) return undefined;
  return { address: isIpv4 ? ipv4 : "::1", port: Number.parseInt(port, 16) };
}

const mappedPrefix = "0.0.0.0.0.0.0.0.0.0.255.255";
const ipv6Loopback = "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1";
