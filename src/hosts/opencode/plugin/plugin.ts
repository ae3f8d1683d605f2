import { parseJson } from "../../../shared/json.ts";
import type { EventProperties, FailedPart, Hooks, PluginEvent, PluginInput, SessionInfo } from "./api.ts";
import type { HookReply, InProcessPlugin, PendingRequest } from "../../in-process.ts";
import { sessionArgument } from "../session-argument.ts";

/** A session in this process. A subagent has a session of its own, which belongs to the session of its parent. */
interface Session {
  id: string;
  root: string;
  directory: string;
  agentType: string | undefined;
  isCreatedHere: boolean;
  started: Promise<void> | undefined;
  /** Context that waits for the next place where the model sees it. */
  context: string[];
  environment: Record<string, string>;
  promptID: string | undefined;
  lastText: string;
  isTurnOpen: boolean;
  stopListening: (() => void) | undefined;
}

const ownTools = /^rookery_/;

/** Rookery inside OpenCode: reports its events, adds context, answers its dialogs, wakes its sessions. */
export const openPlugin: InProcessPlugin<PluginInput, Hooks> = ({ client, directory }, { hooks, args }) => {
  /** A process that ends with its turn cannot be woken. */
  const isInteractive = args[0] !== "run";
  const sessions = new Map<string, Session>();
  const calls = new Map<string, { tool: string; args: Record<string, unknown> }>();
  const requests = new Map<string, PendingRequest>();

  function addSession(info: Partial<SessionInfo> & { id: string }, isCreatedHere: boolean): Session {
    const known = sessions.get(info.id);
    if (known) return known;
    const session: Session = {
      id: info.id,
      root: info.parentID ? (sessions.get(info.parentID)?.root ?? info.parentID) : info.id,
      directory: info.directory ?? directory,
      agentType: info.agent,
      isCreatedHere,
      started: undefined,
      context: [],
      environment: {},
      promptID: undefined,
      lastText: "",
      isTurnOpen: false,
      stopListening: undefined,
    };
    sessions.set(info.id, session);
    return session;
  }

  async function findSession(id: string): Promise<Session> {
    const known = sessions.get(id);
    if (known) return known;
    const { data } = await client.session.get({ path: { id } }).catch(() => ({ data: undefined }));
    return addSession({ ...data, id }, false);
  }

  const isSubagent = (session: Session): boolean => session.root !== session.id;
  const rootOf = (session: Session): Session => sessions.get(session.root) ?? session;

  function describe(session: Session, fields: object = {}): object {
    return {
      sessionID: session.root,
      directory: rootOf(session).directory,
      ...(rootOf(session).promptID ? { messageID: rootOf(session).promptID } : {}),
      ...(isSubagent(session) ? { subagentID: session.id, subagentType: session.agentType } : {}),
      ...fields,
    };
  }

  /** The session starts with its first prompt in this process. */
  function start(session: Session, model?: string): Promise<void> {
    const root = rootOf(session);
    root.started ??= (async () => {
      const source = root.isCreatedHere ? "startup" : "resume";
      const reply = await hooks.report("SessionStart", describe(root, { source, model }));
      root.environment = reply?.exports ? (parse(reply.exports) as Record<string, string>) : {};
      keepContext(root, reply);
      if (isInteractive) root.stopListening = hooks.listen(root.id, (line) => wake(root, line));
    })();
    return root.started;
  }

  function keepContext(session: Session, reply: HookReply | undefined): string | undefined {
    const { context, deny, systemMessage: message } = parse(reply?.text ?? "") as Record<string, string>;
    if (context) session.context.push(context);
    if (message) quietly(client.tui.showToast({ body: { message, variant: "warning" } }));
    return deny;
  }

  function takeContext(session: Session): string {
    return session.context.splice(0).join("\n\n");
  }

  function wake({ id }: Session, text: string): void {
    const body = { parts: [{ type: "text", text, synthetic: true }] };
    quietly(client.session.promptAsync({ path: { id }, body }));
  }

  function endTurn(session: Session, event: string, fields: object = {}): void {
    if (!session.isTurnOpen) return;
    session.isTurnOpen = false;
    const lastText = session.lastText || undefined;
    void hooks.report(
      isSubagent(session) ? "SubagentStop" : event,
      describe(session, { lastText, ...fields }),
    );
  }

  function endSession(session: Session, reason: string): void {
    session.stopListening?.();
    if (!isSubagent(session) && session.started) hooks.store("SessionEnd", describe(session, { reason }));
    sessions.delete(session.id);
  }

  /** Reports a dialog that OpenCode has opened, and enters an answer from elsewhere. */
  function openRequest(
    id: string,
    session: Session,
    fields: object,
    answer: (decision: Decision) => ApiCall,
  ): void {
    const request = hooks.ask("PermissionRequest", describe(session, fields));
    requests.set(id, request);
    void enterDecision(id, request, answer);
  }

  async function enterDecision(
    id: string,
    request: PendingRequest,
    answer: (decision: Decision) => ApiCall,
  ): Promise<void> {
    const text = await request.decision;
    requests.delete(id);
    if (text === undefined) return;
    const { url, body } = answer(parse(text));
    // Refused if the terminal was first: the daemon sees the outcome in the next events.
    quietly(client._client.post({ url, body, headers: { "content-type": "application/json" } }));
  }

  function onPermission(asked: EventProperties, session: Session): void {
    const { id = "", permission, patterns, metadata, tool } = asked;
    const call = calls.get(tool?.callID ?? "");
    const fields = {
      tool: call?.tool ?? permission,
      args: call?.args ?? metadata ?? { patterns },
      callID: tool?.callID,
      permission,
      patterns,
    };
    openRequest(id, session, fields, ({ reply, message }) => ({
      url: `/permission/${id}/reply`,
      body: { reply, ...(message ? { message } : {}) },
    }));
  }

  function onQuestion({ id = "", questions, tool }: EventProperties, session: Session): void {
    const fields = { tool: "question", args: { questions }, callID: tool?.callID };
    openRequest(id, session, fields, ({ answers }) =>
      answers
        ? { url: `/question/${id}/reply`, body: { answers: answers.map(({ chosen }) => chosen) } }
        : { url: `/question/${id}/reject`, body: {} },
    );
  }

  function settle(id: string, outcome: "allowed" | "declined"): void {
    requests.get(id)?.settle(outcome);
    requests.delete(id);
  }

  function onFailedCall({ tool, callID = "", state }: FailedPart, session: Session): void {
    if (!calls.delete(callID)) return; // Reported already, or a call of another process.
    const fields = { tool, callID, args: state?.input, error: state?.error };
    void hooks.report("PostToolUseFailure", describe(session, fields));
  }

  function handle({ type, properties }: PluginEvent): void {
    const { info, part, requestID = "" } = properties;
    if (type === "session.created" && info) return onCreated(info);
    const session = sessions.get(properties.sessionID ?? info?.id ?? part?.sessionID ?? "");
    if (!session) return;
    switch (type) {
      case "session.idle":
        return endTurn(session, "Stop");
      case "session.error": {
        const error = properties.error?.name ?? "error";
        const isInterrupt = error === "MessageAbortedError";
        return endTurn(session, isInterrupt ? "Interrupt" : "StopFailure", { error });
      }
      case "session.compacted":
        return void hooks.report("PostCompact", describe(session));
      case "session.deleted":
        return endSession(session, "deleted");
      case "permission.asked":
        return onPermission(properties, session);
      case "question.asked":
        return onQuestion(properties, session);
      case "permission.replied":
        return settle(requestID, properties.reply === "reject" ? "declined" : "allowed");
      case "question.replied":
        return settle(requestID, "allowed");
      case "question.rejected":
        return settle(requestID, "declined");
      case "message.part.updated":
        if (part?.type === "tool" && part.state?.status === "error") onFailedCall(part, session);
    }
  }

  function onCreated(info: SessionInfo): void {
    const session = addSession(info, true);
    if (!isSubagent(session)) return;
    session.isTurnOpen = true;
    void hooks.report("SubagentStart", describe(session));
  }

  return {
    async event({ event }) {
      try {
        handle(event);
      } catch {
        // An event of another shape.
      }
    },
    async "chat.message"({ sessionID }, { message, parts }) {
      const session = await findSession(sessionID);
      await start(session, message.model?.modelID);
      session.isTurnOpen = true;
      session.lastText = "";
      session.promptID = message.id;
      const texts = parts.flatMap((part) => (part.type === "text" && part.text ? [part.text] : []));
      keepContext(
        session,
        await hooks.report("UserPromptSubmit", describe(session, { prompt: texts.join("\n\n") })),
      );
      const text = takeContext(session);
      const last = parts.at(-1);
      if (text === "" || !last) return;
      // Parts are ordered by id.
      const id = `${last.id}r`;
      parts.push({ ...last, id, type: "text", text, synthetic: true });
    },
    async "tool.execute.before"({ tool, sessionID, callID }, { args }) {
      const session = await findSession(sessionID);
      await start(session);
      calls.set(callID, { tool, args });
      const deny = keepContext(
        session,
        await hooks.report("PreToolUse", describe(session, { tool, callID, args })),
      );
      if (deny) throw new Error(deny);
      if (ownTools.test(tool)) args[sessionArgument] = session.root;
    },
    async "tool.execute.after"({ tool, sessionID, callID, args }, output) {
      calls.delete(callID);
      const session = await findSession(sessionID);
      if (ownTools.test(tool)) delete args[sessionArgument];
      keepContext(
        session,
        await hooks.report("PostToolUse", describe(session, { tool, callID, args, result: output })),
      );
      const text = takeContext(session);
      if (text === "") return;
      if (Array.isArray(output.content)) output.content.push({ type: "text", text });
      else output.output = `${output.output ?? ""}\n\n${text}`;
    },
    async "shell.env"({ sessionID = "" }, { env }) {
      const session = sessions.get(sessionID);
      if (session) Object.assign(env, rootOf(session).environment);
    },
    async "experimental.text.complete"({ sessionID }, { text }) {
      const session = sessions.get(sessionID);
      if (session && text.trim() !== "") session.lastText = text;
    },
    async "experimental.session.compacting"({ sessionID }) {
      await hooks.report("PreCompact", describe(await findSession(sessionID)));
    },
    async dispose() {
      for (const session of sessions.values()) endSession(session, "exit");
    },
  };
};

interface ApiCall {
  url: string;
  body: object;
}

/** As `../replies.ts` writes it. */
interface Decision {
  reply?: "once" | "reject";
  message?: string;
  answers?: { chosen: string[] }[];
}

function parse(text: string): object {
  try {
    return text === "" ? {} : (parseJson(text) as object);
  } catch {
    return {}; // A reply that was cut off.
  }
}

/** For calls whose failure changes nothing for us. */
function quietly(call: Promise<unknown>): void {
  call.catch(() => {});
}
