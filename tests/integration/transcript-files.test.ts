import { execFileSync } from "node:child_process";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFakeClaudes } from "../support/fake-claude.ts";
import { someRows } from "../support/long.ts";
import { makePayload } from "../support/rookery.ts";
import { waitUntilDistilled } from "../support/written-session.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const rookeries = useRookeriesWithoutRooms();
const claudes = useFakeClaudes();

test.each<[string, (path: string) => string]>(
  someRows(
    [
      ["a FIFO", (path) => (execFileSync("mkfifo", [path]), path)],
      ["a device without an end", () => "/dev/zero"],
      ["a folder", (path) => (mkdirSync(path), path)],
      [
        "a sparse file of eight terabytes",
        (path) => (writeFileSync(path, ""), truncateSync(path, 2 ** 43), path),
      ],
    ],
    2,
  ),
)("%s named as the transcript blocks nothing", async (_what, make) => {
  const rookery = await rookeries.started();
  const transcript_path = make(join(rookery.folder, "t.jsonl"));
  const [sender, receiver] = [claudes.open(), claudes.open()];
  const post = async (session_id: string, pid: number, event: string, fields: object = {}) => {
    const body = makePayload(event, { session_id, cwd: rookery.folder, ...fields });
    return (await rookery.call("POST", `/api/hooks/${event}`, body, { "x-claude-pid": String(pid) })).json;
  };
  await post("from", sender.pid, "SessionStart", { source: "startup" });
  const say = (event: string, fields: object = {}) =>
    post("to", receiver.pid, event, { transcript_path, ...fields });
  const { agent } = await say("SessionStart", { source: "startup" });
  const sent = { to: agent, body: "the schema is merged", claudePid: sender.pid };
  expect((await rookery.call("POST", "/api/deliveries", sent)).status).toBe(201);

  const prompt = { prompt_id: "p", prompt: "Which port does the relay listen on?" };
  const { output } = await say("UserPromptSubmit", prompt);
  expect(output.hookSpecificOutput.additionalContext).toContain("the schema is merged");
  const final = "Decided: the relay listens on port 4411, because 4410 is taken by the old one.";
  await say("Stop", { prompt_id: "p", last_assistant_message: final });
  await say("SessionEnd", { reason: "other" });
  await waitUntilDistilled(rookery);
});
