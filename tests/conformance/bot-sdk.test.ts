import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadBotSdk } from "../support/bot-sdk.ts";
import { openTestServer, password, type TestServer } from "../support/homeserver.ts";
import { waitFor } from "../support/processes.ts";

let server: TestServer;
const sdk = loadBotSdk();
const bots: any[] = [];

beforeAll(async () => {
  server = await openTestServer();
});

afterAll(async () => {
  for (const bot of bots) bot.stop();
  await server.close();
});

async function openBot(name: string): Promise<any> {
  const { token } = await server.register(name);
  const bot = new sdk.MatrixClient(server.url, token, new sdk.MemoryStorageProvider());
  bots.push(bot);
  return bot;
}

describe("matrix-bot-sdk", () => {
  it("joins on invitation, receives messages, replies, reacts and reads state", async () => {
    const [owner, bot] = [await openBot("owner"), await openBot("bot")];
    sdk.AutojoinRoomsMixin.setupOnClient(bot);
    const received: string[] = [];
    bot.on("room.message", (roomId: string, event: any) => {
      if (event.sender === "@bot:rookery.local") return;
      received.push(event.content.body);
      void bot.replyText(roomId, event, `You said: ${event.content.body}`);
    });
    await bot.start();
    const roomId = await owner.createRoom({
      preset: "private_chat",
      invite: ["@bot:rookery.local"],
      name: "Bots",
    });
    await waitFor(async () => (await owner.getJoinedRoomMembers(roomId)).includes("@bot:rookery.local"), {
      describe: "the bot in the room",
    });
    const eventId = await owner.sendText(roomId, "polly?");
    await waitFor(() => received.includes("polly?"), { describe: "the bot to receive it" });
    const answers = async (): Promise<any[]> =>
      (
        await owner.doRequest("GET", `/_matrix/client/v3/rooms/${encodeURIComponent(roomId)}/messages`, {
          dir: "b",
        })
      ).chunk;
    await waitFor(
      async () => (await answers()).some(({ content }) => content.body?.includes("You said: polly?")),
      {
        describe: "the answer",
      },
    );
    await owner.unstableApis.addReactionToEvent(roomId, eventId, "🦜");
    expect((await bot.getRoomStateEvent(roomId, "m.room.name", "")).name).toBe("Bots");
    expect((await bot.getRoomState(roomId)).map(({ type }: any) => type)).toContain("m.room.create");
    expect(await bot.getJoinedRooms()).toEqual([roomId]);
    expect((await owner.getEvent(roomId, eventId)).content.body).toBe("polly?");
    await owner.redactEvent(roomId, eventId, "never mind");
    expect((await owner.getEvent(roomId, eventId)).content).toEqual({});
  });

  it("registers, signs in, and continues from the position it stored in a file", async () => {
    const auth = new sdk.MatrixAuth(server.url);
    const file = join(server.folder, "bot.json");
    const { accessToken } = await auth.passwordRegister("walker", password);
    const bot = new sdk.MatrixClient(server.url, accessToken, new sdk.SimpleFsStorageProvider(file));
    bots.push(bot);
    expect(await bot.getUserId()).toBe("@walker:rookery.local");
    const [received, later]: [string[], string[]] = [[], []];
    bot.on("room.message", (_room: string, event: any) => received.push(event.content.body));
    await bot.start();
    const friend = await openBot("walkers-friend");
    const roomId = await friend.createRoom({ preset: "public_chat" });
    await bot.joinRoom(roomId);
    await friend.sendText(roomId, "first");
    await waitFor(() => received.includes("first"));
    bot.stop();
    const { accessToken: again } = await auth.passwordLogin("walker", password);
    const next = new sdk.MatrixClient(server.url, again, new sdk.SimpleFsStorageProvider(file));
    bots.push(next);
    next.on("room.message", (_room: string, event: any) => later.push(event.content.body));
    await next.start();
    await friend.sendText(roomId, "second");
    await waitFor(() => later.includes("second"));
    expect(later).toEqual(["second"]);
  });

  it("stores account data, profile, media, aliases and direct rooms", async () => {
    const bot = await openBot("keeper");
    await bot.setAccountData("org.example.state", { cursor: 5 });
    expect(await bot.getAccountData("org.example.state")).toEqual({ cursor: 5 });
    expect(await bot.getSafeAccountData("org.example.none", { none: true })).toEqual({ none: true });
    await bot.setDisplayName("The Keeper");
    expect(await bot.getUserProfile("@keeper:rookery.local")).toEqual({ displayname: "The Keeper" });
    const uri = await bot.uploadContent(Buffer.from("bytes"), "text/plain", "b.txt");
    expect((await bot.downloadContent(uri)).data.toString()).toBe("bytes");
    const roomId = await bot.createRoom({ visibility: "public", room_alias_name: "keepers" });
    expect((await bot.lookupRoomAlias("#keepers:rookery.local")).roomId).toBe(roomId);
    expect(await bot.resolveRoom("#keepers:rookery.local")).toBe(roomId);
    await server.register("friend");
    const direct = await bot.dms.getOrCreateDm("@friend:rookery.local");
    expect(await bot.dms.getOrCreateDm("@friend:rookery.local")).toBe(direct);
    expect(await bot.userHasPowerLevelFor("@keeper:rookery.local", roomId, "m.room.name", true)).toBe(true);
  });
});
