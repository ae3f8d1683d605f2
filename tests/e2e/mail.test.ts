import { existsSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import type { ModelRequest, ModelStep } from "../support/model-server.ts";
import { openOutside } from "../support/outside.ts";
import { waitFor } from "../support/processes.ts";
import type { Terminal } from "../support/terminal.ts";
import { loadTool } from "../support/tools.ts";
import { bash, openWorld, type World } from "../support/world.ts";

const messageSend = "mcp__plugin_rookery_rookery__message_send";
const args = ["--permission-mode", "manual", "--allowedTools", `Bash(echo *)`, messageSend];

let world: World;
afterEach(() => world.close());

const sessions = () =>
  world.rookery.query<{ id: string; agent: string; status: string }>(
    `SELECT s.id, s.status, a.name AS agent FROM sessions s JOIN agents a ON a.id = s.agent_id ORDER BY s.started_at`,
  );
function transcriptOf(sessionId: string): string {
  const [row] = world.rookery.query("SELECT transcript_path AS path FROM sessions WHERE id = ?", sessionId);
  return row?.path && existsSync(row.path) ? readFileSync(row.path, "utf8") : "";
}
const deliveries = (text: string) =>
  world.rookery.query<{ state: string; attempts: number; point: string; session: string; agent: string }>(
    `SELECT d.state, d.attempts, d.injection_point AS point, d.session_id AS session, a.name AS agent FROM deliveries d
     JOIN agents a ON a.id = d.agent_id WHERE d.body LIKE ?`,
    `%${text}%`,
  );
const confirmed = (text: string) =>
  waitFor(() => deliveries(text).find(({ state }) => state === "confirmed"), {
    describe: () => `${text} to be confirmed: ${JSON.stringify(deliveries(text))}`,
  });
const monitorsArmed = (count: number) =>
  waitFor(async () => (await world.rookery.call("GET", "/api/status")).json.monitors === count, {
    describe: `${count} monitors`,
  });

const silence = (): void => {};
const quiet = {
  trace: silence,
  debug: silence,
  info: silence,
  warn: silence,
  error: silence,
  getChild: () => quiet,
};

/** Number of assistant messages since the prompt with these words; undefined if there is no such prompt. */
function roundsSince({ body }: ModelRequest, words: string): number | undefined {
  const messages: any[] = body.messages;
  const prompt = messages.findLastIndex(
    ({ role, content }) => role === "user" && JSON.stringify(content).includes(words),
  );
  return prompt < 0 ? undefined : messages.slice(prompt).filter(({ role }) => role === "assistant").length;
}

async function begin(): Promise<Terminal> {
  const terminal = await world.interactive(args);
  await terminal.submit("hello");
  await terminal.waitForScreen("DONE");
  return terminal;
}

/** The model of the sending agent: its prompt names the recipient and the text. */
function write(request: ModelRequest): ModelStep | undefined {
  const messages: any[] = request.body.messages;
  const answered = messages.findLastIndex(({ role }) => role === "assistant");
  const asked = JSON.stringify(messages.slice(answered + 1));
  const [, to, text] = /WRITE-TO (\S+) ([A-Z]+)/.exec(asked) ?? [];
  return to ? { tools: [{ name: messageSend, input: { to, text } }] } : undefined;
}

describe("two sessions of the real claude", () => {
  it("write to each other: the idle one wakes and acts, the busy one reads it after its next tool call", async () => {
    world = await openWorld();
    world.model.respondWith(async (request) => {
      const written = write(request);
      if (written) return written;
      const isJay = request.sessionId === sessions()[1]?.id;
      if (isJay && request.text.includes("PLANTED") && !request.text.includes("ACTED"))
        return { tools: [bash("echo ACTED")] };
      const rounds = roundsSince(request, "work on it");
      if (isJay && rounds !== undefined && rounds < 4) {
        // In the middle of its turn: the message is under way before its second tool call.
        if (rounds === 1) await waitFor(() => deliveries("MIDTURN").length === 1);
        return { tools: [bash(`echo step ${rounds}`)] };
      }
      return { text: "DONE" };
    });
    const rook = await begin();
    const jay = await begin();
    await monitorsArmed(2);
    await rook.submit("WRITE-TO project-jay PLANTED");
    const woken = await world.model.waitForRequest(({ text }) => text.includes("echo ACTED"));
    expect(woken.sessionId).toBe(sessions()[1]?.id);
    expect(await confirmed("PLANTED")).toMatchObject({ attempts: 1, point: "prompt" });
    await monitorsArmed(2);

    const turns = world.rookery.query("SELECT 1 FROM turns").length;
    await jay.submit("work on it");
    await rook.submit("WRITE-TO project-jay MIDTURN");
    expect(await confirmed("MIDTURN")).toMatchObject({
      attempts: 1,
      point: "tool.after",
      agent: "project-jay",
    });
    await waitFor(
      () => world.rookery.query("SELECT 1 FROM turns WHERE outcome = 'completed'").length >= turns + 2,
    );
    // One turn each: a message in mid-turn starts no turn.
    expect(world.rookery.query("SELECT 1 FROM turns")).toHaveLength(turns + 2);
    expect(await jay.screen()).not.toMatch(/hook error|failed/i);
  });

  it("lose nothing when one is killed and resumed, and get nothing twice", async () => {
    world = await openWorld();
    world.model.respondWith((request) => write(request) ?? { text: "DONE" });
    const rook = await begin();
    const jay = await begin();
    const id = sessions()[1]?.id ?? "";
    // The host writes its transcript a moment later, and cannot resume a session without one.
    await waitFor(() => transcriptOf(id).includes("DONE"), { describe: "the answer in the transcript" });
    await jay.kill("SIGKILL");
    await waitFor(() => sessions()[1]?.status === "ended");
    await rook.submit("WRITE-TO project-jay PLANTED");
    await waitFor(
      () =>
        world.rookery.query("SELECT 1 FROM messages WHERE state = 'sent' AND body = 'PLANTED'").length === 1,
    );
    const again = await world.interactive([...args, "--resume", id]);
    await again.submit("and now?");
    const request = await world.model.waitForRequest(
      ({ text, sessionId }) => sessionId === id && text.includes("PLANTED"),
    );
    expect(await confirmed("PLANTED")).toMatchObject({ attempts: 1, session: id, agent: "project-jay" });
    await again.submit("anything else?");
    await world.model.waitForRequest(({ text }) => text.includes("anything else?"));
    const last = world.model.requests.at(-1)?.text ?? "";
    expect(last.split("rookery-delivery id=").length - 1).toBe(
      request.text.split("rookery-delivery id=").length - 1,
    );
    expect(deliveries("PLANTED")).toHaveLength(1);
  });

  it("keep their inbox through /clear", async () => {
    // No session is woken: messages wait in the inbox.
    world = await openWorld({ env: { ROOKERY_DELIVERY_WAKE: "false" } });
    world.model.respondWith((request) => write(request) ?? { text: "DONE" });
    const rook = await begin();
    const jay = await begin();
    await rook.submit("WRITE-TO project-jay PLANTED");
    await waitFor(() => deliveries("PLANTED").length === 1);
    await jay.submit("/clear");
    await waitFor(() => sessions().length === 3, { describe: "the session after /clear" });
    await jay.submit("hello again");
    await world.model.waitForRequest(({ text }) => text.includes("PLANTED") && text.includes("hello again"));
    expect(await confirmed("PLANTED")).toMatchObject({ attempts: 1, session: sessions()[2]?.id });
  });
});

describe("a person in a Matrix client", () => {
  it("is asked by an agent and answers it, and the agent wakes", async () => {
    world = await openWorld();
    world.model.respondWith((request) => write(request) ?? { text: "DONE" });
    const rook = await begin();
    await monitorsArmed(1);
    const outside = await openOutside();
    const sdk = await loadTool("matrix-js-sdk/lib/index.js");
    const made = await outside.call(world.rookery, "POST", "/api/matrix/people", { name: "ada" });
    const { matrixPort } = JSON.parse(readFileSync(world.rookery.home.daemonFile, "utf8"));
    const baseUrl = `http://127.0.0.1:${matrixPort}`;
    const login = await sdk.createClient({ baseUrl }).loginRequest({
      type: "m.login.password",
      identifier: { type: "m.id.user", user: "ada" },
      password: made.json.password,
    });
    const { user_id: userId, access_token: accessToken, device_id: deviceId } = login;
    const ada = sdk.createClient({ baseUrl, userId, accessToken, deviceId, logger: quiet });
    const rooms = (): any[] => ada.getRooms();
    const wasAsked = (room: any): boolean =>
      room
        .getLiveTimeline()
        .getEvents()
        .some((event: any) => event.getContent().body === "WHICHCOLOUR");
    await ada.startClient({ initialSyncLimit: 20 });
    try {
      await rook.submit("WRITE-TO @ada:rookery.local WHICHCOLOUR");
      const isDirect = (room: any): boolean => room.getMyMembership() === "invite" && room.getDMInviter();
      const { roomId } = await waitFor(() => rooms().find(isDirect), {
        describe: "an invitation to a room of two",
      });
      await ada.joinRoom(roomId);
      await waitFor(() => rooms().some(wasAsked), { describe: "the question in the client" });
      await ada.sendTextMessage(roomId, "BLUE, please.");
      const woken = await world.model.waitForRequest(({ text }) => text.includes("BLUE, please."));
      expect(woken.text).toContain('from=\\"@ada:rookery.local\\" via=\\"a direct message\\"');
      expect(await confirmed("BLUE")).toMatchObject({ attempts: 1, agent: "project-rook" });
    } finally {
      ada.stopClient();
      await outside.close();
    }
  });
});
