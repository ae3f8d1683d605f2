import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { NtfyOptions } from "../../src/channels/ntfy/ntfy-channel.ts";
import { makeCardCode } from "../../src/channels/card-code.ts";
import type { Inbox, Receipt, Reply } from "../../src/channels/channel.ts";
import { isLong } from "../support/long.ts";
import { openNtfyHarness } from "../support/ntfy-harness.ts";
import { openNtfyStandIn } from "../support/ntfy-server.ts";
import { waitFor } from "../support/processes.ts";
import { describeChannel, makeCard, makePermission } from "./channel-contract.ts";

describeChannel("ntfy", async () => openNtfyHarness(await openNtfyStandIn()));

const folders = (process.env.PATH ?? "").split(":");
const ntfy = folders.map((folder) => join(folder, "ntfy")).find((file) => existsSync(file));
describe.skipIf(!isLong || !ntfy)("with the real ntfy server", () => {
  describeChannel("ntfy", async () => openNtfyHarness(await openRealServer(ntfy ?? "")));
});

describe("on ntfy", () => {
  let close = async (): Promise<void> => {};
  afterEach(() => close());

  async function open(
    options: Partial<NtfyOptions> = {},
    server: Parameters<typeof openNtfyStandIn>[0] = {},
  ) {
    const received: Reply[] = [];
    const state = { receipt: { result: "accepted", message: null } as Receipt };
    const inbox: Inbox = {
      async receive(reply) {
        received.push(reply);
        return state.receipt;
      },
    };
    const standIn = await openNtfyStandIn(server);
    const access = server.token ? { token: server.token } : {};
    const harness = await openNtfyHarness({ ...standIn, ...access }, options);
    close = harness.close;
    harness.channel.start(inbox);
    await waitFor(() => harness.channel.health().state === "ready");
    return { ...harness, received, state };
  }

  test("without approvals, a command is neither sent nor approved", async () => {
    const { channel, phone, received } = await open({ approvals: false });
    const card = makePermission("rm -rf build", { context: "to make room" });
    const place = await channel.post(card, "k");
    const [shown] = await phone.notifications();
    expect(shown).toMatchObject({ canAct: false, actions: [], title: card.headline });
    expect(shown?.text).toContain("Answer it in the terminal or the viewer.");
    for (const hidden of ["rm -rf", "to make room", card.ticket, makeCardCode(card.ticket)])
      expect(JSON.stringify(shown)).not.toContain(hidden);
    // Even with the ticket.
    await phone.send(`once ${card.ticket}`);
    await phone.send("ABC234");
    await waitFor(() => received.length > 0);
    expect(received).toMatchObject([{ content: { type: "text", text: "ABC234" } }]);
    await channel.settle(place, card, { state: "answered", text: "Allowed once in the viewer." });
    expect((await phone.notifications())[0]?.text).toContain("Allowed once in the viewer.");
    expect(JSON.stringify(await phone.notifications())).not.toContain("rm -rf");
  });

  test("a dangerous command can be denied, but not allowed", async () => {
    const { channel, phone, received } = await open();
    const card = makePermission("rm -rf build", { danger: "deletes files without asking" });
    await channel.post(card, "k");
    const [shown] = await phone.notifications();
    expect(shown?.actions).toMatchObject([{ label: "Deny" }]);
    expect(shown?.text).toContain("Allow it in the terminal or the viewer.");
    await phone.send(`once ${card.ticket}`);
    await phone.send(`deny ${card.ticket}`);
    await waitFor(() => received.length > 0);
    expect(received).toMatchObject([{ content: { type: "deny" } }]);
  });

  test("a short code cannot approve, and without one nothing is answered", async () => {
    const { channel, phone, received } = await open();
    const card = makePermission("mkdir x", { ticket: "t-1" });
    await channel.post(card, "k");
    await channel.post(makeCard({ ticket: "t-2" }), "k-2");
    const code = makeCardCode("t-1");
    for (const text of [
      `allow ${code}`,
      `${code} yes`,
      `once ${code}`,
      "SQLite",
      "yes",
      `deny ${makeCardCode("t-9")} no`,
    ])
      await phone.send(text);
    await phone.send(`deny ${code} not here`);
    await waitFor(() => received.some(({ content }) => content.type === "deny"));
    // A code in place of the ticket is passed on as an unknown ticket, which the inbox refuses.
    expect(received.map(({ target }) => target)).toEqual([{ ticket: code }, { ticket: "t-1" }]);
  });

  test("more than three options are chosen by number", async () => {
    const { channel, phone, received } = await open();
    const options = ["A", "B", "C", "D"].map((label) => ({ label, description: null }));
    const card = makeCard({ prompts: [{ text: "Which?", header: null, options, isMulti: false }] });
    await channel.post(card, "k");
    const [shown] = await phone.notifications();
    expect(shown).toMatchObject({ actions: [], canAct: true });
    await phone.send(`${makeCardCode(card.ticket).toLowerCase()} 4`);
    await waitFor(() => received.length > 0);
    expect(received).toMatchObject([{ target: { ticket: card.ticket }, content: { answers: [["D"]] } }]);
  });

  test("a server without attachments gets a long command without buttons", async () => {
    const { channel, phone } = await open({}, { hasAttachments: false });
    await channel.post(makePermission("x".repeat(9_000)), "k");
    const [shown] = await phone.notifications();
    expect(shown).toMatchObject({ canAct: false, actions: [] });
    expect(shown?.text).toContain("The full text could not be sent.");
  });

  test("a text of wide characters stays below the size limit", async () => {
    const { channel, phone } = await open();
    await channel.notify(
      { kind: "done", level: "info", headline: "done", body: "漢".repeat(5_000), asker: makeCard().asker },
      "k",
    );
    expect(await phone.notifications()).toHaveLength(1);
  });

  test("the token is sent to the server, and never to the phone", async () => {
    const { channel, phone, received } = await open({}, { token: "tk_secret" });
    const place = await channel.post(makeCard(), "k");
    expect(JSON.stringify(await phone.notifications())).not.toContain("tk_secret");
    await phone.press(place, "SQLite");
    await waitFor(() => received.length === 1);
  });

  test("presses while it was down arrive once", async () => {
    const first = await open();
    const card = makeCard();
    const place = await first.channel.post(card, "k");
    await first.channel.stop();
    await first.phone.press(place, "SQLite");
    for (let restart = 0; restart < 2; restart++) {
      const again = first.reopen();
      again.watch([{ place, card, postedAt: 0 }]);
      again.start({
        async receive(reply) {
          first.received.push(reply);
          return { result: "accepted", message: null };
        },
      });
      // Messages arrive in order: after this one, an earlier one cannot follow.
      await first.phone.send(`${makeCardCode(card.ticket)} restart ${restart}`);
      await waitFor(() => JSON.stringify(first.received).includes(`restart ${restart}`));
      await again.stop();
    }
    expect(first.received).toMatchObject([
      { content: { type: "answers", answers: [["SQLite"]] } },
      { content: { text: "restart 0" } },
      { content: { text: "restart 1" } },
    ]);
  });
});

/** `ntfy serve` with a cache and attachments, on loopback. */
async function openRealServer(program: string): Promise<{ url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "rk-ntfy-"));
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const url = `http://127.0.0.1:${port}`;
  const options = [
    ...["--config", "/dev/null", "--listen-http", `127.0.0.1:${port}`, "--base-url", url],
    ...["--cache-file", join(folder, "cache.db"), "--attachment-cache-dir", join(folder, "files")],
  ];
  const child = spawn(program, ["serve", ...options], {
    env: { PATH: "/usr/bin:/bin", HOME: folder },
    stdio: "ignore",
  });
  await waitFor(
    () =>
      fetch(`${url}/v1/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { describe: "ntfy serve" },
  );
  return {
    url,
    async close() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
