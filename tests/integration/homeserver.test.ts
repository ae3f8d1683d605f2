import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isLong } from "../support/long.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries();
const open = { ROOKERY_MATRIX_REGISTRATION: "open" };
const clientApi = "/_matrix/client/v3";

const readPort = (rookery: Rookery): number | undefined =>
  JSON.parse(readFileSync(rookery.home.daemonFile, "utf8")).matrixPort;

function matrixPort(rookery: Rookery): Promise<number> {
  return waitFor(() => readPort(rookery), { describe: "matrixPort in daemon.json" });
}

async function call(port: number, method: string, path: string, token = "", body?: unknown): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: token ? { Authorization: `Bearer ${token}` } : {},
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

async function register(port: number, username: string): Promise<string> {
  const body = { username, password: "x", auth: { type: "m.login.dummy" } };
  return (await call(port, "POST", `${clientApi}/register`, "", body)).access_token;
}

describe("the homeserver in the daemon", () => {
  it("listens on its own port, appears in the status, and rejects registration", async () => {
    const rookery = await rookeries.started();
    const port = await matrixPort(rookery);
    expect((await call(port, "GET", "/_matrix/client/versions")).versions).toContain("v1.11");
    expect(await call(port, "POST", `${clientApi}/register`, "", { username: "x" })).toMatchObject({
      status: 403,
      errcode: "M_FORBIDDEN",
    });
    // Another address of this machine: it answers only if the server listens on every interface.
    await expect(fetch(`http://127.0.0.2:${port}/_matrix/client/versions`)).rejects.toThrow("fetch failed");
    const status = await rookery.call("GET", "/api/status");
    expect(status.json.matrix).toMatchObject({
      url: `http://127.0.0.1:${port}/`,
      users: expect.any(Number),
      isRegistrationOpen: false,
    });
    expect((await rookery.cli("status")).stdout).toMatch(/Matrix +http:\/\/127\.0\.0\.1:\d+\/ \d+ users?,/);
    expect((await rookery.cli("matrix")).stdout).not.toMatch(/\b1 (?:users|rooms|events|messages)\b/);
  });

  it("does not run if it is disabled", async () => {
    const rookery = await rookeries.started({ ROOKERY_MATRIX_ENABLED: "false" });
    expect((await rookery.call("GET", "/api/status")).json.matrix).toBeNull();
    expect(readPort(rookery)).toBeUndefined();
  });

  it("keeps acknowledged messages and sessions when the daemon is killed", async () => {
    const rookery = await rookeries.started(open);
    let port = await matrixPort(rookery);
    const token = await register(port, "sender");
    const { room_id: roomId } = await call(port, "POST", `${clientApi}/createRoom`, token, {});
    const room = `${clientApi}/rooms/${encodeURIComponent(roomId)}`;
    const acknowledged: string[] = [];
    for (let round = 0; round < (isLong ? 5 : 2); round++) {
      const send = async (n: number): Promise<void> => {
        const id = `${round}-${n}`;
        const answer = await call(port, "PUT", `${room}/send/m.room.message/${id}`, token, { body: id });
        if (answer.status === 200) acknowledged.push(id);
      };
      const sends = Array.from({ length: 40 }, (_, n) => send(n).catch(() => {})); // Cut off by the kill.
      await waitFor(() => acknowledged.some((id) => id.startsWith(`${round}-`)), { intervalMs: 1 });
      await rookery.kill9();
      await Promise.all(sends);
      await rookery.start();
      port = await matrixPort(rookery);
    }
    const { chunk } = await call(port, "GET", `${room}/messages?dir=f&limit=1000`, token);
    const stored: string[] = chunk.map((event: any) => event.content.body).filter(Boolean);
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(stored).size).toBe(stored.length);
  });
});
