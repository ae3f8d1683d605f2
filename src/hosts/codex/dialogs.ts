import { asFields, asFieldsList, asText, type Fields } from "../fields.ts";
import type { Dialog, DialogEvent, HostDialogs } from "../host.ts";
import { listQuestions } from "../question-input.ts";
import { makeReasonLine } from "./machine-lines.ts";
import { tools } from "./tools.ts";

/** Ids of our own requests. */
const ids = { initialize: 1, listLoaded: 2, resume: 3, steer: 4 } as const;
/** Notifications of every word and number of a turn. */
const unread = [
  "item/agentMessage/delta",
  "item/commandExecution/outputDelta",
  "item/reasoning/summaryTextDelta",
  "item/reasoning/textDelta",
  "thread/tokenUsage/updated",
  "turn/diff/updated",
];
const questionTool = "request_user_input";

/**
 * The socket of Codex's background process (`codex app-server`), which all sessions in terminals share. A client that
 * joins a session gets the requests of its open dialogs, and the first answer counts.
 */
export const dialogs: HostDialogs = {
  covers: (toolName) => ["run", "edit"].includes(tools.kindOf(toolName)),
  socketOf(transcriptPath) {
    const [, home] = /^(.+)\/sessions\//.exec(transcriptPath) ?? [];
    return home === undefined ? undefined : `${home}/app-server-control/app-server-control.sock`;
  },
  greet: () => [
    {
      id: ids.initialize,
      method: "initialize",
      params: {
        clientInfo: { name: "rookery", title: "Rookery", version: "1" },
        capabilities: { experimentalApi: true, optOutNotificationMethods: unread },
      },
    },
    { method: "initialized" },
    { id: ids.listLoaded, method: "thread/loaded/list", params: {} },
  ],
  read(message, sessionId) {
    const params = asFields(message["params"]);
    if (message["method"] === undefined) return readResponse(message, sessionId);
    return params?.["threadId"] === sessionId ? readThreadMessage(message, params) : undefined;
  },
  answer({ requestId, turnId, sessionId, input }, { kind }, answer) {
    const reply = (result: Fields): Fields => ({ id: requestId, result });
    if (kind === "choice")
      return answer.type === "answers" ? [reply({ answers: nameAnswers(input, answer.answers) })] : [];
    if (answer.type === "deny") {
      const reason = answer.reason.trim();
      const steer = reason === "" ? [] : [addToTurn(sessionId, turnId, makeReasonLine(reason))];
      return [...steer, reply({ decision: "decline" })];
    }
    return answer.type === "allow" && answer.scope === "once" ? [reply({ decision: "accept" })] : [];
  },
};

/** Text that the model sees with the next results of the turn. */
function addToTurn(threadId: string, expectedTurnId: string, text: string): Fields {
  const params = { threadId, expectedTurnId, input: [{ type: "text", text }] };
  return { id: ids.steer, method: "turn/steer", params };
}

/** Resuming a session that this process has not loaded would load it from its file, which another process writes. */
function readResponse({ id, result, error }: Fields, sessionId: string): DialogEvent | undefined {
  if (id === ids.steer) return undefined; // The turn has just ended, but its call was declined anyway.
  if (error !== undefined) return { type: "absent" };
  if (id === ids.resume) return { type: "joined" };
  if (id !== ids.listLoaded) return undefined;
  const loaded = asFields(result)?.["data"];
  if (!Array.isArray(loaded) || !loaded.includes(sessionId)) return { type: "absent" };
  const params = { threadId: sessionId, excludeTurns: true };
  return { type: "reply", message: { id: ids.resume, method: "thread/resume", params } };
}

function readThreadMessage({ id, method }: Fields, params: Fields): DialogEvent | undefined {
  if (method === "turn/completed")
    return { type: "ended", isInterrupted: asFields(params["turn"])?.["status"] === "interrupted" };
  if (method === "serverRequest/resolved") {
    const requestId = readId(params["requestId"]);
    return requestId === undefined ? undefined : { type: "closed", requestId };
  }
  const [requestId, toolUseId] = [readId(id), asText(params["itemId"])];
  const [sessionId = "", turnId = ""] = [asText(params["threadId"]), asText(params["turnId"])];
  const call = readCall(method, params);
  if (requestId === undefined || toolUseId === undefined || !call) return undefined;
  return { type: "opened", dialog: { requestId, sessionId, turnId, toolUseId, ...call } };
}

/**
 * Undefined for requests that are left to the terminal: about a part of a call, the network or a secret. A change of
 * files is only described by its call.
 */
function readCall(method: unknown, params: Fields): Pick<Dialog, "toolName" | "input"> | undefined {
  const reason = asText(params["reason"]);
  const description = reason === undefined ? {} : { description: reason };
  switch (method) {
    case "item/commandExecution/requestApproval": {
      const command = asText(params["command"]);
      const isWholeCall = (params["kind"] ?? "command") === "command" && !params["approvalId"];
      if (command === undefined || !isWholeCall || params["networkApprovalContext"]) return undefined;
      return { toolName: "Bash", input: { command, ...description } };
    }
    case "item/fileChange/requestApproval":
      return { toolName: undefined, input: description };
    case "item/tool/requestUserInput": {
      const questions = asFieldsList(params["questions"]);
      if (questions.some((question) => question["isSecret"] === true)) return undefined;
      return { toolName: questionTool, input: { questions } };
    }
    default:
      return undefined;
  }
}

function readId(id: unknown): string | number | undefined {
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** Codex identifies questions by their ids. */
function nameAnswers(input: Fields, answers: readonly string[][]): Fields {
  return Object.fromEntries(
    listQuestions(input).map((question, at) => [
      asText(question["id"]) ?? "",
      { answers: answers[at] ?? [] },
    ]),
  );
}
