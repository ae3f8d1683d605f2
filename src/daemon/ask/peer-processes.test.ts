import { expect, test } from "vitest";
import { findConnection, isOtherUser } from "../../http/tcp-table.ts";
import { readLsof } from "./peer-processes.ts";

const from = (remoteAddress: string, remotePort: number, localPort: number, localAddress = "127.0.0.1") => ({
  remoteAddress,
  remotePort,
  localAddress,
  localPort,
});

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:9391 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 111 1
   1: 0200007F:D431 0100007F:9391 01 00000000:00000000 00:00000000 00000000  1000        0 200 1
   2: 0100007F:D431 0100007F:9391 01 00000000:00000000 00:00000000 00000000  1000        0 222 1
   3: 0200000A:1000 0100007F:9391 01 00000000:00000000 00:00000000 00000000  1000        0 333 1
   4: 0000000000000000FFFF00000100007F:1001 0000000000000000FFFF00000100007F:9391 01 0:0 00:0 0  1000        0 444 1
   5: 00000000000000000000000001000000:1002 00000000000000000000000001000000:9391 01 0:0 00:0 0  1000        0 555 1
   6: 0100007F:1003 0100007F:9391 06 00000000:00000000 00:00000000 00000000  1000        0 0 1`;

test.each([
  ["the other end", from("127.0.0.1", 0xd431, 0x9391), "222"],
  ["the same port at another address", from("127.0.0.2", 0xd431, 0x9391), "200"],
  ["our own end, asked for as a peer", from("127.0.0.1", 0x9391, 0xd431), "111"],
  ["a peer that is mapped into IPv6", from("::ffff:127.0.0.1", 0x1001, 0x9391), "444"],
  ["a peer on ::1", from("::1", 0x1002, 0x9391, "::1"), "555"],
  ["another local address", from("127.0.0.1", 0xd431, 0x9391, "127.0.0.9"), undefined],
  ["an address that no connection has", from("127.0.0.3", 0xd431, 0x9391), undefined],
  ["a port that no connection has", from("127.0.0.1", 1, 0x9391), undefined],
  ["a closed connection", from("127.0.0.1", 0x1003, 0x9391), "0"],
])("the kernel's table: %s", (_what, peer, inode) => {
  expect(findConnection(table, peer)?.inode).toBe(inode);
});

test.each([
  ["its own user", 0xd431, 1000, false],
  ["another user", 0xd431, 1001, true],
  ["a user, and the daemon runs as root", 0xd431, 0, true],
  ["nobody: it is closed", 0x1003, 1000, true],
  ["nobody on this machine", 1, 1001, false],
])("a connection of %s", (_whose, port, ownUid, isOther) => {
  expect(isOtherUser(table, from("127.0.0.1", port, 0x9391), ownUid)).toBe(isOther);
});

test.each([
  ["the other end", from("127.0.0.1", 36762, 46313), [10172]],
  ["the same port at another address", from("127.0.0.2", 36762, 46313), [10180]],
  ["a peer on ::1", from("::1", 36762, 46313, "::1"), [10190]],
  ["a port that no connection has", from("127.0.0.1", 1, 46313), []],
])("lsof: %s", (_what, peer, pids) => {
  const output = [
    ...["p10165", "f20", "n127.0.0.1:46313->127.0.0.1:36762", "p10172", "f21"],
    ...["n127.0.0.1:36762->127.0.0.1:46313", "p10180", "f3", "n127.0.0.2:36762->127.0.0.1:46313"],
    ...["p10190", "f4", "n[::1]:36762->[::1]:46313", ""],
  ].join("\n");
  expect(readLsof(output, peer)).toEqual(pids);
});
