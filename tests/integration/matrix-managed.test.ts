import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openManagedHomeserver } from "../../src/daemon/matrix/managed-homeserver.ts";
import { silentLog } from "../../src/shared/log.ts";
import { spawnDaemon } from "../support/daemon-process.ts";
import { useMailStage } from "../support/mail-stage.ts";
import { isRunning, waitFor, waitUntilGone } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useRookeries } from "../support/use-rookery.ts";

const standIn = fileURLToPath(new URL("../support/stand-in-homeserver.ts", import.meta.url));
const rookeries = useRookeries(afterAll);
let rookery: Rookery;
const stage = useMailStage(() => rookery);
const startEnvironment = (): any =>
  JSON.parse(readFileSync(join(rookery.home.managedMatrix, "told.json"), "utf8"));
const childPid = (): Promise<number> =>
  waitFor(
    async () => {
      try {
        const { pid } = startEnvironment();
        return (await isRunning(pid)) && pid;
      } catch {
        return false; // It has not started yet.
      }
    },
    { describe: "the stand-in to run" },
  );

beforeAll(async () => {
  rookery = rookeries.open({
    ROOKERY_MATRIX_HOMESERVER: "managed",
    ROOKERY_MATRIX_COMMAND: `${process.execPath} --disable-warning=ExperimentalWarning ${standIn}`,
    ROOKERY_MATRIX_SERVER_NAME: "managed.test",
  });
  await spawnDaemon(rookery);
});

describe("a managed homeserver", () => {
  test("is configured by CONDUIT_ variables only, and agents talk through it", async () => {
    await childPid();
    expect(startEnvironment()).toEqual({
      pid: expect.any(Number),
      CONDUIT_CONFIG: "",
      CONDUIT_SERVER_NAME: "managed.test",
      CONDUIT_DATABASE_PATH: rookery.home.managedMatrix,
      CONDUIT_DATABASE_BACKEND: "sqlite",
      CONDUIT_PORT: expect.stringMatching(/^\d+$/),
      CONDUIT_ADDRESS: "127.0.0.1",
      CONDUIT_ALLOW_REGISTRATION: "true",
      CONDUIT_ALLOW_FEDERATION: "false",
    });
    const [rook, jay] = [await stage.open("shop"), await stage.open("shop")];
    await rook.send(jay.agent, "Through your server.");
    await stage.waitForText(jay, (text) => text.includes("Through your server."));
    expect((await rookery.call("GET", "/api/matrix")).json).toMatchObject({
      homeserver: "managed",
      serverName: "managed.test",
    });
  });

  test("is restarted when it dies, and pending messages are delivered", async () => {
    const before = await childPid();
    process.kill(before, "SIGKILL");
    await waitUntilGone([before]);
    const [rook, jay] = [await stage.open("shop"), await stage.open("shop")];
    await rook.send(jay.agent, "While it was away.");
    expect(await childPid()).not.toBe(before);
    await waitFor(async () => (await jay.say("PostToolUse")).includes("While it was away."));
  });

  test("exits when the daemon exits, even after kill -9", async () => {
    const pid = await childPid();
    await rookery.kill9();
    await waitUntilGone([pid]);
    await spawnDaemon(rookery);
    const next = await childPid();
    await rookery.stop();
    await waitUntilGone([next]);
    // By SIGTERM, so that it can close its database.
    expect(readFileSync(join(rookery.home.managedMatrix, "terminated"), "utf8")).toBe(String(next));
  });
});

test("doctor and status report a managed homeserver that does not run", async () => {
  const dead = rookeries.open({
    ROOKERY_MATRIX_HOMESERVER: "managed",
    ROOKERY_MATRIX_COMMAND: "sh -c false",
  });
  await spawnDaemon(dead);
  await waitFor(async () => (await dead.cli("status")).stdout.includes("managed homeserver is not running"));
  const { findings } = JSON.parse((await dead.cli("doctor", "--json")).stdout);
  expect(findings.find(({ check }: any) => check === "Homeserver")).toMatchObject({
    verdict: "problem",
    message: expect.stringContaining("managed homeserver is not running"),
    fix: expect.stringContaining("matrix.command"),
  });
});

test("a homeserver that keeps exiting is restarted five times with growing delays", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rk-managed-"));
  const pauses: number[] = [];
  let hasGivenUp = false;
  const homeserver = openManagedHomeserver({
    command: "false",
    serverName: "x",
    port: 0,
    folder,
    secretsFile: join(folder, "secrets.json"),
    environment: { PATH: process.env.PATH },
    backoff: { firstMs: 10, maxMs: 50 },
    log: {
      ...silentLog,
      warn: (_message, fields) => void pauses.push(Number(fields?.againInMs)),
      error: () => void (hasGivenUp = true),
    },
  });
  homeserver.start();
  await waitFor(() => hasGivenUp);
  expect(pauses).toEqual([10, 20, 40, 50, 50]);
  await homeserver.stop();
  rmSync(folder, { recursive: true });
});
