import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callOverTcp } from "../../src/client/call-over-tcp.ts";
import { daemonEndpoints } from "../../src/protocol/endpoints/daemon.ts";
import { launcher } from "../support/person-elsewhere.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const { started } = useRookeriesWithoutRooms(afterAll);
const outside = useOutside();
let rookery: Rookery;
beforeAll(async () => {
  rookery = await started();
});

const readToken = (): string => readFileSync(rookery.home.token, "utf8").trim();
const readPort = (): number => JSON.parse(readFileSync(rookery.home.daemonFile, "utf8")).port;

/** The code of an address that the person's own terminal shows. */
async function drawCode(): Promise<string> {
  const { stdout } = await outside.run([...launcher, "open", "--print"], rookery.env);
  return /#code=([\w-]+)/.exec(stdout)?.[1] ?? "";
}

const script = `
  const [url, token, body] = process.argv.slice(1);
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  fetch(url, body ? { method: "POST", headers, body } : { headers })
    .then(async (answer) => console.log(JSON.stringify({ status: answer.status, text: await answer.text() })));`;
const makeCommand = (path: string, body = ""): string[] => [
  ...[process.execPath, "-e", script, `http://127.0.0.1:${readPort()}${path}`, readToken()],
  body,
];

const isRoot = process.platform === "linux" && process.getuid?.() === 0;

describe.runIf(isRoot)("another user of the machine", () => {
  const nobody = 65_534;

  async function callAsOther(path: string, body?: string): Promise<{ status: number; text: string }> {
    const [command = "", ...args] = makeCommand(path, body);
    const child = spawn(command, args, {
      uid: nobody,
      gid: nobody,
      cwd: "/",
      env: {},
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    await once(child, "close");
    return JSON.parse(text);
  }

  test.each(["/api/status", "/api/search?q=x", "/api/config"])(
    "gets nothing of %s with the token",
    async (path) => {
      expect((await rookery.callTcp("GET", path)).status).toBe(200);
      const { status, text } = await callAsOther(path);
      expect([status, JSON.parse(text).code]).toEqual([401, "unauthorized"]);
    },
  );

  test("cannot post to the address for answers from webhooks, which needs no token", async () => {
    const { status, text } = await callAsOther("/webhook/answer", "{}");
    expect([status, JSON.parse(text).code]).toEqual([401, "unauthorized"]);
  });

  test("gets nothing for a code that it saw in the list of processes, and the person still does", async () => {
    const body = JSON.stringify({ code: await drawCode() });
    const { status, text } = await callAsOther("/viewer/token", body);
    expect([status, text]).toEqual([401, expect.not.stringContaining(readToken())]);
    const own = await outside.run(makeCommand("/viewer/token", body), rookery.env);
    expect(JSON.parse(JSON.parse(own.stdout).text)).toMatchObject({ consent: expect.any(String) });
  });
});

test("an agent gets no secret for decisions for a code that the person's terminal shows", async () => {
  const body = JSON.stringify({ code: await drawCode() });
  const ran = await outside.run(makeCommand("/viewer/token", body), { ...rookery.env, CLAUDECODE: "1" });
  expect(JSON.parse(JSON.parse(ran.stdout).text)).toMatchObject({ consent: null, browser: null });
});

test("the token is not sent to a program that took the port of a daemon that is gone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rk-squat-"));
  const requests: unknown[] = [];
  const squatter = createServer((request, response) => {
    requests.push(request.headers);
    response.end("{}");
  });
  squatter.listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const { port } = squatter.address() as AddressInfo;
  const home = {
    socket: join(folder, "socket"),
    token: join(folder, "token"),
    daemonFile: join(folder, "daemon.json"),
  };
  writeFileSync(home.token, "secret");
  writeFileSync(
    home.daemonFile,
    JSON.stringify({ ...JSON.parse(readFileSync(rookery.home.daemonFile, "utf8")), port }),
  );
  await expect(callOverTcp(home, daemonEndpoints.getStatus, {})).rejects.toMatchObject({
    code: "daemon_unreachable",
  });
  expect(requests).toEqual([]);
  squatter.close();
  rmSync(folder, { recursive: true });
});
