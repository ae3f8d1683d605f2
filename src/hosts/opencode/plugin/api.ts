/** The parts of OpenCode's plugin interface that we use. */
export interface PluginInput {
  directory: string;
  client: {
    /** The generated client: some routes have no method of their own. */
    _client: { post(request: { url: string; body: object; headers: object }): Promise<unknown> };
    session: {
      get(request: { path: { id: string } }): Promise<{ data?: Partial<SessionInfo> }>;
      promptAsync(request: { path: { id: string }; body: object }): Promise<unknown>;
    };
    tui: { showToast(request: { body: object }): Promise<unknown> };
  };
}

export interface SessionInfo {
  id: string;
  parentID?: string;
  directory?: string;
  agent?: string;
}

interface Part {
  id: string;
  type: string;
  text?: string;
  synthetic?: boolean;
}

interface ToolCall {
  tool: string;
  sessionID: string;
  callID: string;
}

type ToolResult = { output?: string; content?: { type: string; text?: string }[] };

export interface PluginEvent {
  type: string;
  properties: EventProperties;
}

export interface Hooks {
  event(input: { event: PluginEvent }): Promise<void>;
  "chat.message"(
    input: { sessionID: string },
    output: { message: { id: string; model?: { modelID?: string } }; parts: Part[] },
  ): Promise<void>;
  "tool.execute.before"(input: ToolCall, output: { args: Record<string, unknown> }): Promise<void>;
  "tool.execute.after"(
    input: ToolCall & { args: Record<string, unknown> },
    output: ToolResult,
  ): Promise<void>;
  "shell.env"(input: { sessionID?: string }, output: { env: Record<string, string> }): Promise<void>;
  "experimental.text.complete"(input: { sessionID: string }, output: { text: string }): Promise<void>;
  "experimental.session.compacting"(input: { sessionID: string }): Promise<void>;
  dispose(): Promise<void>;
}

/** The fields of all events that we read; each type of event has some of them. */
export interface EventProperties {
  id?: string;
  sessionID?: string;
  requestID?: string;
  info?: SessionInfo;
  part?: FailedPart;
  error?: { name?: string };
  reply?: string;
  permission?: string;
  patterns?: string[];
  metadata?: Record<string, unknown>;
  questions?: object[];
  tool?: { callID: string };
}

export interface FailedPart {
  type: string;
  sessionID: string;
  tool?: string;
  callID?: string;
  state?: { status: string; input?: object; error?: string };
}
