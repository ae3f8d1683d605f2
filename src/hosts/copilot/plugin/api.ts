/** The parts of Copilot's interface for extensions that we use. */
export interface PluginInput {
  /** Rejects if the person does not let us handle permission requests. */
  joinSession(config: { onPermissionRequest: PermissionHandler }): Promise<Session>;
}

type PermissionHandler = (
  request: { toolCallId?: string },
  invocation: { sessionId: string },
) => Promise<PermissionAnswer>;

export type PermissionAnswer =
  | { kind: "approve-once"; approvedInteractively: true }
  | { kind: "reject"; feedback?: string }
  /** Leaves the request to the terminal. */
  | { kind: "no-result" };

export interface Session {
  sessionId: string;
  capabilities: { ui?: { elicitation?: boolean } };
  on(handler: (event: SessionEvent) => void): () => void;
  send(message: { prompt: string }): Promise<unknown>;
  rpc: {
    ui: {
      handlePendingElicitation(answer: {
        requestId: string;
        result: { action: "accept"; content: Record<string, unknown> } | { action: "decline" };
      }): Promise<unknown>;
    };
  };
}

export interface SessionEvent {
  type: string;
  /** The fields of all events that we read; each type has some of them. */
  data: {
    toolCallId?: string;
    toolName?: string;
    arguments?: Record<string, unknown>;
    requestId?: string;
    result?: { kind?: string };
    action?: string;
  };
}
