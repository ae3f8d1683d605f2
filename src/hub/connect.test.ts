import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { connectHub } from "./connect.ts";

const cleartext = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
const md5 = Buffer.from([0x52, 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4]);

test.each([
  ["in clear text", cleartext],
  ["as an MD5 hash", md5],
])("a server that asks for the password %s does not get it", async (_how, request) => {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on("data", (bytes) => received.push(bytes));
    socket.on("error", () => {}); // Cut by the client.
    socket.once("data", () => socket.write(request));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const target = { host: "127.0.0.1", port, database: "hub", user: "ada", password: "s3cret", isPlain: true };
  const closed = once(server, "connection").then(([socket]) => once(socket, "close"));
  await expect(connectHub(target)).rejects.toMatchObject({
    code: "hub_refused",
    message: expect.stringContaining("without SCRAM"),
  });
  await closed;
  server.close();
  // Only the startup message: its first byte is a length, not the type of a password message.
  expect(received).toHaveLength(1);
  expect(Buffer.concat(received).toString("latin1")).not.toContain("s3cret");
});
