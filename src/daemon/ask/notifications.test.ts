import { tmpdir } from "node:os";
import { beforeEach, describe, expect, test } from "vitest";
import { type AskedQuestions, openAskedQuestions } from "../../../tests/support/asked-questions.ts";
import type { Notice } from "../../domain/ask/card.ts";
import { makeExclusion } from "../../domain/capture/exclude.ts";
import { prepareEvent } from "../../domain/capture/prepare-event.ts";
import { claudeCode } from "../../hosts/claude-code/claude-code.ts";
import { silentLog } from "../../shared/log.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import { type Bus, openBus } from "../runtime/bus.ts";
import { recordEvent } from "../capture/record-event.ts";
import { openNotifications } from "./notifications.ts";

let store: Store;
let bus: Bus;
let questions: AskedQuestions;
let told: Notice[];
let nowMs: number;
let count: number;

beforeEach(() => {
  nowMs = 100_000_000;
  count = 0;
  told = [];
  store = openStore(":memory:", () => nowMs);
  bus = openBus(silentLog, 0);
  questions = openAskedQuestions(store, bus, () => nowMs);
  const reach = { notify: (notice: Notice) => told.push(notice) > 0 };
  openNotifications({ store, bus, clock: () => nowMs, questions, reach, doneAfterMs: 60_000 }).start();
});

/** Records a host event and publishes its bus events after the commit. */
function receive(event: string, fields: Record<string, unknown> = {}, at = nowMs): void {
  const payload = { session_id: "s-1", cwd: tmpdir(), prompt_id: "p-1", ...fields };
  const raw = new TextEncoder().encode(JSON.stringify(payload));
  const prepared = prepareEvent(raw, event, claudeCode, { fieldLimit: 64_000, exclusion: makeExclusion([]) });
  const incoming = {
    id: `e-${++count}`,
    host: undefined,
    hostPid: undefined,
    occurredAt: at,
    via: "hook",
    prepared,
  } as const;
  const { busEvents } = store.db.transaction(() => recordEvent(store, incoming, nowMs));
  for (const event of busEvents) bus.publish(event);
}

const edit = (path: string, id: string) =>
  receive("PostToolUse", { tool_name: "Edit", tool_use_id: id, tool_input: { file_path: path } });
const fail = (id: number) =>
  receive("PostToolUseFailure", { tool_name: "Bash", tool_use_id: `f-${id}`, error: "exit code 1" });

describe("a finished turn", () => {
  test("is reported with its last message, its files and its duration", () => {
    receive("UserPromptSubmit", { prompt: "go" });
    edit("/work/api/src/app.ts", "t-1");
    edit("/work/api/src/app.ts", "t-2");
    nowMs += 90_000;
    receive("Stop", { last_assistant_message: "All green." });
    expect(told).toMatchObject([
      {
        kind: "done",
        body: "All green.\ntook 2 min · changed app.ts",
        asker: { agent: expect.stringMatching(/-rook$/), sessionId: "s-1", subagent: null },
      },
    ]);
  });

  test("is not reported if it was short", () => {
    receive("UserPromptSubmit", { prompt: "go" });
    nowMs += 59_000;
    receive("Stop", { last_assistant_message: "ok" });
    expect(told).toEqual([]);
  });

  test("is not reported if it was spooled long ago", () => {
    receive("UserPromptSubmit", { prompt: "go" }, nowMs - 7_200_000);
    receive("Stop", { last_assistant_message: "ok" }, nowMs - 3_600_000);
    expect(told).toEqual([]);
  });
});

describe("failures", () => {
  test("a turn that ends with an error is reported", () => {
    receive("UserPromptSubmit", { prompt: "go" });
    receive("StopFailure", { error: "unknown", last_assistant_message: "API Error: 400" });
    expect(told).toMatchObject([{ kind: "failed", level: "error", body: "API Error: 400" }]);
  });

  test("five in a row are reported once, and a success resets the count", () => {
    receive("UserPromptSubmit", { prompt: "go" });
    for (let n = 0; n < 4; n++) fail(n);
    edit("/a", "t-1");
    for (let n = 10; n < 14; n++) fail(n);
    expect(told).toEqual([]);
    for (let n = 14; n < 30; n++) fail(n);
    expect(told).toMatchObject([{ kind: "failed", level: "warning", body: "Bash: exit code 1" }]);
  });
});

describe("the host's own notifications", () => {
  const idle = () =>
    receive("Notification", {
      notification_type: "idle_prompt",
      message: "Claude is waiting for your input",
    });

  test("an idle session is reported, unless the end of its turn was", () => {
    receive("UserPromptSubmit", { prompt: "go" });
    receive("Stop");
    idle();
    expect(told).toMatchObject([{ kind: "idle" }]);

    told.length = 0;
    receive("UserPromptSubmit", { prompt: "more", prompt_id: "p-2" });
    nowMs += 90_000;
    receive("Stop", { prompt_id: "p-2", last_assistant_message: "done" });
    idle();
    expect(told.map(({ kind }) => kind)).toEqual(["done"]);

    told.length = 0;
    receive("UserPromptSubmit", { prompt: "<task-notification>wake</task-notification>", prompt_id: "p-3" });
    idle();
    expect(told).toEqual([]);
    receive("UserPromptSubmit", { prompt: "again", prompt_id: "p-4" });
    idle();
    expect(told.map(({ kind }) => kind)).toEqual(["idle"]);
  });

  test("a dialog is reported, unless it has a card", () => {
    const dialog = () =>
      receive("Notification", {
        notification_type: "permission_prompt",
        message: "Claude needs your permission",
      });
    questions.ask("q", { sessionId: "s-1" });
    dialog();
    expect(told).toEqual([]);
    questions.settle("q", "answered");
    dialog();
    expect(told).toMatchObject([{ kind: "needs-input", body: "Claude needs your permission" }]);
  });

  test("others are ignored", () => {
    receive("Notification", { notification_type: "elicitation_response", message: "x" });
    receive("Notification", { message: "x" });
    expect(told).toEqual([]);
  });
});

test("secrets of the session are not in the news", () => {
  receive("UserPromptSubmit", { prompt: "go" });
  nowMs += 90_000;
  receive("Stop", { last_assistant_message: "The token is ghp_16C7e42F292c6912E7710c838347Ae178B4a." });
  expect(told[0]?.body).toContain("[secret:");
});
