import { tryParseJson } from "../../../shared/json.ts";
import type { InProcessPlugin, PendingRequest } from "../../in-process.ts";
import type { PermissionAnswer, PluginInput, Session, SessionEvent } from "./api.ts";

interface Plugin {
  dispose(): Promise<void>;
}

interface Call {
  toolName: string;
  toolArgs: Record<string, unknown>;
}

/**
 * Rookery as an extension of Copilot: answers its dialogs while they are open, and wakes its sessions. Copilot's hooks
 * report everything else.
 */
export const openPlugin: InProcessPlugin<PluginInput, Plugin> = ({ joinSession }, { hooks, exit }) => {
  const calls = new Map<string, Call>();
  /** Open dialogs by their call, and forms by their request. */
  const requests = new Map<string, PendingRequest>();
  let stopListening = (): void => {};

  /** Reports an open dialog; resolves with the decision from elsewhere, or undefined once the terminal was first. */
  async function ask(key: string, sessionId: string, call: Call): Promise<Decision> {
    // Without the id of the call: Copilot's hooks do not report it either, and the events are compared.
    const request = hooks.ask("PermissionRequest", { sessionId, ...call });
    requests.set(key, request);
    const text = await request.decision;
    requests.delete(key);
    return tryParseJson(text ?? "") ?? {};
  }

  function settle(key: string | undefined, isAllowed: boolean): void {
    requests.get(key ?? "")?.settle(isAllowed ? "allowed" : "declined");
  }

  async function onPermissionRequest(
    { toolCallId = "" }: { toolCallId?: string },
    { sessionId }: { sessionId: string },
  ): Promise<PermissionAnswer> {
    const call = calls.get(toolCallId);
    if (!call || requests.has(toolCallId)) return { kind: "no-result" };
    const { behavior, message } = await ask(toolCallId, sessionId, call);
    if (behavior === "allow") return { kind: "approve-once", approvedInteractively: true };
    return behavior === "deny"
      ? { kind: "reject", ...(message ? { feedback: message } : {}) }
      : { kind: "no-result" };
  }

  async function onForm({ toolCallId = "", requestId = "" }: SessionEvent["data"], session: Session) {
    const call = calls.get(toolCallId);
    if (call?.toolName !== "ask_user") return;
    const { behavior, answers } = await ask(requestId, session.sessionId, call);
    if (behavior === undefined) return;
    const content = Object.fromEntries((answers ?? []).map(({ key, value }) => [key, value]));
    const result =
      behavior === "allow" ? ({ action: "accept", content } as const) : ({ action: "decline" } as const);
    // Refused if the terminal was first: the daemon sees the outcome in the next events.
    await session.rpc.ui.handlePendingElicitation({ requestId, result }).catch(() => {});
  }

  function handle({ type, data }: SessionEvent, session: Session): void {
    const { toolCallId, toolName } = data;
    switch (type) {
      case "tool.execution_start":
        if (toolCallId && toolName) calls.set(toolCallId, { toolName, toolArgs: data.arguments ?? {} });
        return;
      case "tool.execution_complete":
        return void calls.delete(toolCallId ?? "");
      case "permission.completed":
        return settle(toolCallId, data.result?.kind?.startsWith("approved") ?? false);
      case "elicitation.requested":
        return void onForm(data, session);
      case "elicitation.completed":
        return settle(data.requestId, data.action === "accept");
    }
  }

  async function join(): Promise<void> {
    const session = await joinSession({ onPermissionRequest });
    session.on((event) => handle(event, session));
    // A process that ends with its turn shows no dialogs and cannot be woken.
    if (session.capabilities.ui?.elicitation)
      stopListening = hooks.listen(session.sessionId, (prompt) => {
        session.send({ prompt }).catch(() => {}); // The message then comes with the next prompt.
      });
  }

  join().catch(exit); // The person refused. Copilot waits for an extension until its process has ended.
  return {
    async dispose() {
      stopListening();
    },
  };
};

/** As `../replies.ts` writes it. */
interface Decision {
  behavior?: "allow" | "deny";
  message?: string;
  answers?: { key: string; value: unknown }[];
}
