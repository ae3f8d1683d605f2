import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { launcher, waitForOutcome } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";
import { signRequest } from "../support/webhook-harness.ts";

/** End to end: the command line, the daemon, and the receiver of docs/webhook.md. */
describe("rookery setup webhook", () => {
  const person = useOutside();
  const rookeries = useRookeriesWithoutRooms();
  let folder = "";
  let pid = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rk-webhook-"));
  });
  afterEach(async () => {
    if (pid) await person.run(["kill", pid], {});
    rmSync(folder, { recursive: true, force: true });
  });

  async function findPort(): Promise<number> {
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address() as AddressInfo;
    probe.close();
    return port;
  }

  /** Starts the documented receiver as a process of the person. */
  async function startReceiver(env: Record<string, string>): Promise<void> {
    const doc = readFileSync(new URL("../../docs/webhook.md", import.meta.url), "utf8");
    const [, code = ""] = /```js\n([^]*?)```/.exec(doc) ?? [];
    const file = join(folder, "receiver.mjs");
    writeFileSync(file, code);
    const command = `'${process.execPath}' '${file}' > '${folder}/out' 2>&1 & echo $!`;
    pid = (await person.run(["sh", "-c", command], { PATH: "/usr/bin:/bin", ...env })).stdout.trim();
  }
  const printed = (): string => readFileSync(join(folder, "out"), "utf8");
  /** A request of the person's program, with curl. */
  async function post(url: string, { text, headers }: ReturnType<typeof signRequest>): Promise<any> {
    const options = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const { stdout } = await person.run(["curl", "-s", ...options, "-d", text, url], {
      PATH: "/usr/bin:/bin",
    });
    return JSON.parse(stdout);
  }

  test("the documented receiver pairs and answers; forged, old and repeated requests have no effect", async () => {
    const url = `http://127.0.0.1:${await findPort()}/`;
    const rookery: Rookery = rookeries.open({
      ROOKERY_DESKTOP_ENABLED: "off",
      ROOKERY_PRESENCE_AWAY_SECONDS: "0",
    });
    const setup = [...launcher, "setup", "webhook", "--url", url, "--no-test", "--json"];
    const ran = await person.run(setup, rookery.env);
    expect(ran.stderr).toBe("");
    const { secret, answerUrl, pairing } = JSON.parse(ran.stdout);
    expect(statSync(rookery.home.secrets).mode & 0o777).toBe(0o600);
    expect(readFileSync(rookery.home.config, "utf8")).not.toContain(secret);
    await startReceiver({
      SECRET: secret,
      ANSWER_URL: answerUrl,
      CODE: pairing.code,
      PORT: new URL(url).port,
    });
    await waitFor(() => printed().includes("You are paired"), { describe: printed });

    const choice = { question: "Which database?", options: ["Postgres", "SQLite"], wait: false };
    const { id } = (await rookery.call("POST", "/api/questions", choice)).json.question;
    await waitForOutcome(rookery, id, { outcome: "Answered through the webhook: Postgres" });
    await waitFor(() => printed().includes("question.settled"), { describe: printed });

    const message = { type: "message", data: { sender: { id: "ada" }, text: "hello" } };
    const stranger = { type: "message", data: { sender: { id: "eve" }, text: "hello" } };
    const valid = signRequest(secret, message);
    expect(await post(answerUrl, valid)).toMatchObject({ result: "unclear" });
    expect(await post(answerUrl, valid)).toEqual({ result: "duplicate", message: null });
    expect(await post(answerUrl, signRequest(secret, stranger))).toMatchObject({ result: "refused" });
    const forged = [
      signRequest(`whsec_${Buffer.alloc(32).toString("base64")}`, message),
      { ...signRequest(secret, message), text: JSON.stringify(stranger) },
      signRequest(secret, message, "msg_old", Date.now() - 600_000),
      signRequest(secret, { type: "answer", data: { sender: { id: "ada" }, ticket: "x" } }),
    ];
    for (const request of forged)
      expect(await post(answerUrl, request)).toMatchObject({ code: "channel_refused" });
    // A process of an agent, even with the secret.
    const agent = await person.run(["sh", "-c", `curl -s -d '${valid.text}' ${answerUrl}; exit 0`], {
      PATH: "/usr/bin:/bin",
      CLAUDECODE: "1",
    });
    expect(JSON.parse(agent.stdout)).toMatchObject({ code: "may_not_decide" });

    const removed = await person.run([...launcher, "setup", "webhook", "--remove"], rookery.env);
    expect(removed.code).toBe(0);
    expect(readFileSync(rookery.home.secrets, "utf8")).not.toContain(secret);
  });
});
