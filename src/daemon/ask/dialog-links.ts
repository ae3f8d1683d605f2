import { statSync } from "node:fs";
import type { WebSocket } from "ws";
import type { Answer } from "../../domain/ask/question.ts";
import type { DecidedQuestion, Dialog, HostDialogs } from "../../hosts/host.ts";
import { hosts } from "../../hosts/hosts.ts";
import { asRecord, parseJson } from "../../shared/json.ts";
import type { SessionRow } from "../../store/sessions.ts";
import type { DaemonContext } from "../runtime/context.ts";

/**
 * Connections to the processes that show the dialogs of sessions, one for each running turn. Idle sessions have none,
 * because a connection would keep them loaded there.
 */
export interface DialogLinks {
  /** Whether permission to run this tool can be given in the terminal and here at the same time. */
  covers(session: SessionRow, toolName: string | undefined): boolean;
  /** Enters an answer into an open dialog. False if there is none, or if the answer decides nothing. */
  answer(hookId: string, question: DecidedQuestion, answer: Answer): boolean;
  start(): void;
  stop(): void;
}

export interface OpenedDialog {
  /** Identifies the dialog like the hook of a permission request. */
  hookId: string;
  session: SessionRow;
  dialog: Dialog;
}

interface DialogListener {
  onOpened(opened: OpenedDialog): void;
  /** Answered, here or in the terminal, or about to end with its turn. */
  onClosed(hookId: string): void;
  onTurnEnded(hookId: string, isInterrupted: boolean): void;
  /** The connection broke. */
  onLost(hookId: string): void;
}

type DialogLinksDeps = Pick<DaemonContext, "store" | "bus" | "log">;

interface Link {
  protocol: HostDialogs;
  socket: WebSocket | undefined;
  isJoined: boolean;
  /** Open dialogs, and those that were closed in this turn. */
  open: Map<string, Dialog>;
}

const connectMs = 2_000;
const maxMessageBytes = 16 * 1024 * 1024;

export function openDialogLinks({ store, bus, log }: DialogLinksDeps, listener: DialogListener): DialogLinks {
  const links = new Map<string, Link>();
  let unsubscribe = (): void => {};

  function follow(session: SessionRow): void {
    const protocol = hosts.find(({ name }) => name === session.host)?.dialogs;
    const path = session.transcriptPath === null ? undefined : protocol?.socketOf(session.transcriptPath);
    if (!protocol || path === undefined || links.has(session.id) || !isOwnSocket(path)) return;
    const link: Link = { protocol, socket: undefined, isJoined: false, open: new Map() };
    links.set(session.id, link);
    connect(path, session, link).catch((error: unknown) => {
      log.warn("no connection to the dialogs of a session", { session: session.id, error });
      links.delete(session.id);
    });
  }

  async function connect(path: string, session: SessionRow, link: Link): Promise<void> {
    const { WebSocket } = await import("./web-socket.ts");
    if (links.get(session.id) !== link) return;
    const limits = { handshakeTimeout: connectMs, maxPayload: maxMessageBytes, perMessageDeflate: false };
    const socket = new WebSocket(`ws+unix:${path}:/`, limits);
    link.socket = socket;
    socket.on("open", () => {
      for (const message of link.protocol.greet(session.id)) send(link, message);
    });
    socket.on("message", (data: Buffer) => read(data.toString(), session, link));
    socket.on("error", (error) => log.warn("dialogs not followed", { session: session.id, error }));
    socket.on("close", () => {
      if (links.get(session.id) !== link) return;
      links.delete(session.id);
      for (const hookId of link.open.keys()) listener.onLost(hookId);
    });
  }

  function read(text: string, session: SessionRow, link: Link): void {
    try {
      handle(asRecord(parseJson(text)), session, link);
    } catch (error) {
      log.warn("a message about a dialog was not read", { session: session.id, error });
    }
  }

  function handle(message: Record<string, unknown>, session: SessionRow, link: Link): void {
    const event = link.protocol.read(message, session.id);
    switch (event?.type) {
      case "reply":
        return send(link, event.message);
      case "joined":
        link.isJoined = true;
        return;
      case "absent":
        return leave(session.id);
      case "opened": {
        const hookId = `${session.id}:${event.dialog.toolUseId}:${event.dialog.requestId}`;
        link.open.set(hookId, event.dialog);
        return listener.onOpened({ hookId, session, dialog: event.dialog });
      }
      case "closed": {
        const [hookId] = [...link.open].find(([, { requestId }]) => requestId === event.requestId) ?? [];
        if (hookId !== undefined) listener.onClosed(hookId);
        return;
      }
      case "ended":
        for (const hookId of link.open.keys()) listener.onTurnEnded(hookId, event.isInterrupted);
        link.open.clear();
    }
  }

  function leave(sessionId: string): void {
    const link = links.get(sessionId);
    links.delete(sessionId);
    link?.socket?.terminate();
  }

  return {
    covers(session, toolName) {
      const link = links.get(session.id);
      return toolName !== undefined && link?.isJoined === true && link.protocol.covers(toolName);
    },
    answer(hookId, question, answer) {
      const link = [...links.values()].find(({ open }) => open.has(hookId));
      const dialog = link?.open.get(hookId);
      if (!dialog || !link) return false;
      const messages = link.protocol.answer(dialog, question, answer);
      for (const message of messages) send(link, message);
      return messages.length > 0;
    },
    start() {
      unsubscribe = bus.subscribe(({ event }) => {
        if (event.type === "turn.ended" && !store.turns.findOpen(event.sessionId)) leave(event.sessionId);
        if (event.type !== "event.stored" || event.event !== "prompt") return;
        const session = store.sessions.byId(event.sessionId);
        if (session) follow(session);
      });
      for (const session of store.sessions.active()) if (store.turns.findOpen(session.id)) follow(session);
    },
    stop() {
      unsubscribe();
      for (const sessionId of links.keys()) leave(sessionId);
    },
  };
}

function send({ socket }: Link, message: object): void {
  socket?.send(JSON.stringify(message));
}

/** The path comes from a payload. */
function isOwnSocket(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isSocket() === true && stats.uid === process.getuid?.();
}
