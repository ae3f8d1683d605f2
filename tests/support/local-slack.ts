import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type RawData, WebSocket } from "ws";
import { waitFor } from "./processes.ts";

const program = fileURLToPath(
  new URL("../tools/node_modules/local-slack-linux-x64/bin/local-slack", import.meta.url),
);

/** Only available for Linux on x64. */
export const hasLocalSlack = existsSync(program);
export const localSlackMissing = "local-slack is not installed here (Linux x64 only, by `npm test`)";

export const workspace = {
  team: "T0TEAM",
  owner: "U0OWNER",
  other: "U0OTHER",
  bot: "U0BOT",
  channel: "C0TEAM",
};
export const tokens = { bot: "xoxb-test-token", app: "xapp-test-token" };

/** A message as stored by the emulator. */
export interface StoredMessage {
  ts: string;
  channel: string;
  user?: string;
  text: string;
  blocks?: any[];
  files?: { id: string; name: string; url_private: string }[];
  thread_ts?: string;
  subtype?: string;
  ephemeral_to?: string;
  reactions?: { name: string }[];
}

/** A third-party Slack emulator, with the actions of its users. */
export interface LocalSlack {
  url: string;
  messages(channel: string): Promise<StoredMessage[]>;
  /** The direct message between the bot and a person; empty until it is opened. */
  direct(user?: string): Promise<string>;
  say(message: { channel: string; user?: string; text: string; thread?: string }): Promise<void>;
  edit(message: { channel: string; ts: string; user?: string; text: string }): Promise<void>;
  act(press: { channel: string; ts: string; user?: string; action: Record<string, unknown> }): Promise<void>;
  /** Waits for a modal and submits it with these texts by block id. */
  submit(values: Record<string, string>, user?: string): Promise<void>;
  modal(): any;
  file(url: string): Promise<string>;
  calls(method: string): Promise<any[]>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openLocalSlack(): Promise<LocalSlack> {
  const folder = mkdtempSync(join(tmpdir(), "rookery-slack-"));
  const config = join(folder, "config.json");
  const { team, owner, other, bot, channel } = workspace;
  writeFileSync(
    config,
    JSON.stringify({
      workspace: { name: "Test", domain: "test", teamId: team },
      apps: [{ botUserId: bot, botName: "rookery", botToken: tokens.bot, appToken: tokens.app }],
      users: [
        { id: owner, name: "ada", real_name: "Ada Lovelace", email: "ada@example.com" },
        { id: other, name: "bob", real_name: "Bob" },
      ],
      channels: [{ id: channel, name: "team", members: [bot, owner, other] }],
    }),
  );
  const child = spawn(program, ["--config", config, "--port", "0", "--base-host", "127.0.0.1"], {
    env: { PATH: "/usr/bin:/bin", HOME: folder, TMPDIR: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = await readUrl(child);
  const ui = new WebSocket(`${url.replace("http", "ws")}/ui`);
  let modals: any[] = [];
  ui.on("message", (data) => {
    const event = JSON.parse(readFrame(data));
    if (event.t === "view") modals = event.stack;
    if (event.t === "init") modals = event.state.modalStack;
  });
  await new Promise((resolve) => ui.once("open", resolve));

  async function get(path: string): Promise<any> {
    return (await fetch(`${url}${path}`)).json();
  }
  async function control(path: string, body: unknown): Promise<void> {
    const response = await fetch(`${url}/_control/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`local-slack ${path}: ${await response.text()}`);
  }
  const messages = async (id: string): Promise<StoredMessage[]> =>
    (await get(`/_control/messages/${id}`)).messages;

  return {
    url,
    messages,
    async direct(user = owner) {
      const { channels } = await get("/_control/state");
      return channels.find((each: any) => each.is_im && each.members.includes(user))?.id ?? "";
    },
    // These respond after the bot's acknowledgement or after five seconds, but take effect immediately.
    async say({ channel: id, user = owner, text, thread }) {
      void control("message", { channel: id, user, text, thread_ts: thread }).catch(() => {});
      await waitFor(async () =>
        (await messages(id)).some((each) => each.user === user && each.text === text),
      );
    },
    async edit({ channel: id, ts, user = owner, text }) {
      void control("edit-message", { channel: id, ts, user, text }).catch(() => {});
      await waitFor(async () => (await messages(id)).some((each) => each.ts === ts && each.text === text));
    },
    act: ({ channel: id, ts, user = owner, action }) =>
      control("interact", { channel: id, messageTs: ts, user, action }),
    async submit(values, user = owner) {
      await waitFor(() => modals.length > 0, { describe: "a modal" });
      const filled = Object.entries(values).map(([id, value]) => [
        id,
        { [id]: { type: "plain_text_input", value } },
      ]);
      ui.send(JSON.stringify({ t: "view_submit", user, values: Object.fromEntries(filled) }));
    },
    modal: () => modals.at(-1),
    file: async (address) =>
      (await fetch(address, { headers: { authorization: `Bearer ${tokens.bot}` } })).text(),
    async calls(method) {
      const { log } = await get("/_control/log");
      return log
        .filter((entry: any) => entry.kind === "web_api" && entry.summary === method)
        .map((entry: any) => entry.detail);
    },
    async reset() {
      await control("reset", {});
      modals = [];
    },
    async close() {
      ui.close();
      child.kill("SIGTERM");
      await ended; // Also if it had ended on its own.
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function readFrame(data: RawData): string {
  return (data as Buffer).toString("utf8");
}

/** The emulator prints its address. */
function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk;
      const [, port] = /127\.0\.0\.1:(\d+)\/_control/.exec(output) ?? [];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`local-slack ended with ${code}: ${output}`)));
  });
}
