import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "../shared/errors.ts";
import { peerOf } from "./peer.ts";
import { isOtherUser, readTcpTables } from "./tcp-table.ts";

const localHosts = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * A page of another site can send requests to 127.0.0.1 and can rebind its own name to it. So over TCP the Host must be
 * ours, and so must the Origin if there is one.
 */
export function checkHostAndOrigin({ host, origin }: IncomingHttpHeaders, port: number): void {
  if (!isOwnAddress(`http://${host ?? ""}`, port))
    throw new AppError("forbidden_origin", `Host ${quote(host)} is not this daemon.`);
  if (origin !== undefined && !isOwnAddress(origin, port))
    throw new AppError("forbidden_origin", `Origin ${quote(origin)} may not call this daemon.`);
}

function isOwnAddress(address: string, port: number): boolean {
  try {
    const url = new URL(address);
    const isRoot =
      url.pathname === "/" &&
      url.search === "" &&
      url.hash === "" &&
      url.username === "" &&
      url.password === "";
    return (
      url.protocol === "http:" && isRoot && localHosts.has(url.hostname) && Number(url.port || 80) === port
    );
  } catch {
    return false;
  }
}

/** The returned function throws unless the `authorization` header holds the token. */
export function makeTokenCheck(token: string): (authorization: string | undefined) => void {
  const expected = Buffer.from(`Bearer ${token}`);
  return (authorization = "") => {
    const given = Buffer.from(authorization);
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new AppError("unauthorized", "The token is missing or wrong.");
  };
}

/** The returned function rejects for a connection of another user of this machine. */
export function makeUserCheck(): (socket: Socket) => Promise<void> {
  const ownUid = process.getuid?.();
  const judged = new WeakMap<Socket, Promise<boolean>>();

  async function judge(socket: Socket): Promise<boolean> {
    const peer = peerOf(socket);
    if (!peer || ownUid === undefined) return false;
    return isOtherUser(await readTcpTables(), peer, ownUid);
  }

  return async (socket) => {
    const isOther = judged.get(socket) ?? judge(socket);
    judged.set(socket, isOther);
    // One that is gone by now could not be looked up.
    if ((await isOther) || socket.destroyed)
      throw new AppError("unauthorized", "Another user of this machine opened this connection.");
  };
}

function quote(text: string | undefined): string {
  return JSON.stringify((text ?? "").slice(0, 100));
}
