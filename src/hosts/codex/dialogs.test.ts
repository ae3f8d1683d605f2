import { describe, expect, test } from "vitest";
import { readRequest } from "../../domain/ask/read-request.ts";
import type { Dialog } from "../host.ts";
import { dialogs } from "./dialogs.ts";
import { requests } from "./requests.ts";

const threadId = "01a1f05f-d246-70e2-9617-e73b9e679d7e";
const call = { threadId, turnId: "01a1f05f-d26f-7ec3-b262-cf3f7eb0a810", itemId: "call_000002" };
const command = { ...call, kind: "command", reason: "try", command: "/bin/bash -lc 'echo was-allowed'" };
const question = {
  id: "db",
  header: "DB",
  question: "Which database?",
  isSecret: false,
  options: [{ label: "Postgres", description: "a server" }],
};
const approval = (params: object) => ({ method: "item/commandExecution/requestApproval", id: 0, params });
const ask = (params: object) => ({
  method: "item/tool/requestUserInput",
  id: 1,
  params: { ...call, ...params },
});
const read = (message: Record<string, unknown>) => dialogs.read(message, threadId);

describe("a session is joined", () => {
  test("only if the process runs it", () => {
    expect(read({ id: 2, result: { data: ["another", threadId] } })).toMatchObject({
      type: "reply",
      message: { method: "thread/resume", params: { threadId } },
    });
    for (const result of [{ data: ["another"] }, { data: [] }, {}, null])
      expect(read({ id: 2, result })).toEqual({ type: "absent" });
    expect(read({ id: 3, error: { message: "no rollout" } })).toEqual({ type: "absent" });
    expect(read({ id: 3, result: { thread: {} } })).toEqual({ type: "joined" });
  });
});

describe("a request", () => {
  test("to run a command, to change files or to answer questions opens a dialog", () => {
    const dialog = { requestId: 0, sessionId: threadId, turnId: call.turnId, toolUseId: "call_000002" };
    expect(read(approval(command))).toEqual({
      type: "opened",
      dialog: { ...dialog, toolName: "Bash", input: { command: command.command, description: "try" } },
    });
    const change = { method: "item/fileChange/requestApproval", id: 0, params: { ...call, reason: null } };
    expect(read(change)).toEqual({
      type: "opened",
      dialog: { ...dialog, toolName: undefined, input: {} },
    });
    expect(read(ask({ questions: [question] }))).toMatchObject({
      dialog: { requestId: 1, toolName: "request_user_input" },
    });
  });

  test.each([
    ["of another session", approval({ ...command, threadId: "another" })],
    ["for a part of a command", approval({ ...command, approvalId: "a" })],
    ["for the input of a running command", approval({ ...command, kind: "stdin" })],
    ["for the network", approval({ ...command, networkApprovalContext: { host: "example.com" } })],
    ["without a call", approval({ ...command, itemId: undefined })],
    ["for a secret", ask({ questions: [{ ...question, isSecret: true }] })],
    ["of an unknown kind", { method: "item/permissions/requestApproval", id: 0, params: call }],
  ])("%s is left to the terminal", (_, message) => {
    expect(read(message)).toBeUndefined();
  });
});

test("the end of a request and of its turn is read", () => {
  const resolved = { method: "serverRequest/resolved", params: { threadId, requestId: 0 } };
  expect(read(resolved)).toEqual({ type: "closed", requestId: 0 });
  for (const [status, isInterrupted] of [
    ["interrupted", true],
    ["completed", false],
  ])
    expect(read({ method: "turn/completed", params: { threadId, turn: { status } } })).toEqual({
      type: "ended",
      isInterrupted,
    });
});

describe("an answer", () => {
  const dialog: Dialog = {
    requestId: 7,
    sessionId: threadId,
    turnId: call.turnId,
    toolUseId: "call",
    toolName: "request_user_input",
    input: { questions: [question] },
  };
  const asked = (toolName: string, input: Record<string, unknown>) => {
    const request = readRequest(toolName, input, requests.describe);
    if (!request) throw new Error("asks nothing");
    return { ...request, sessionRule: null };
  };
  const permission = asked("Bash", { command: "ls" });
  const choice = asked("request_user_input", dialog.input);

  test("names the question by its id, and is a decision for a permission", () => {
    expect(dialogs.answer(dialog, choice, { type: "answers", answers: [["Postgres"]] })).toEqual([
      { id: 7, result: { answers: { db: { answers: ["Postgres"] } } } },
    ]);
    expect(dialogs.answer(dialog, permission, { type: "allow", scope: "once" })).toMatchObject([
      { result: { decision: "accept" } },
    ]);
    expect(dialogs.answer(dialog, permission, { type: "deny", reason: " " })).toMatchObject([
      { result: { decision: "decline" } },
    ]);
  });

  test("adds the reason of a denial to the turn, before the denial lets it continue", () => {
    expect(dialogs.answer(dialog, permission, { type: "deny", reason: "not now" })).toMatchObject([
      {
        method: "turn/steer",
        params: {
          threadId: dialog.sessionId,
          expectedTurnId: dialog.turnId,
          input: [{ type: "text", text: "The user does not allow this: not now" }],
        },
      },
      { id: 7, result: { decision: "decline" } },
    ]);
    // A turn that has ended takes none.
    expect(dialogs.read({ id: 4, error: { message: "no active turn" } }, dialog.sessionId)).toBeUndefined();
  });

  test("never allows more than one call, and a text never allows anything", () => {
    expect(dialogs.answer(dialog, permission, { type: "allow", scope: "session" })).toEqual([]);
    expect(dialogs.answer(dialog, permission, { type: "answers", answers: [["yes"]] })).toEqual([]);
    expect(dialogs.answer(dialog, choice, { type: "allow", scope: "once" })).toEqual([]);
  });
});
