/**
 * Our code that a host loads as its plugin, `dist/<host>.js`, if it has no hooks or they cannot do everything. The host
 * passes us `Input`; we return `Plugin`.
 */
export type InProcessPlugin<Input, Plugin extends { dispose(): Promise<void> }> = (
  input: Input,
  context: PluginContext,
) => Plugin;

interface PluginContext {
  hooks: HookClient;
  /** The arguments of the host's command line. */
  args: readonly string[];
  /** Ends the process: only for a plugin in a process of its own. */
  exit(): void;
}

/** Sends events as plugin/hooks/hook.sh does, from inside a host's process: same files, same bell, same timeouts. */
export interface HookClient {
  /** Stores an event. Resolves with the reply, or undefined if there is none in time. Never rejects. */
  report(event: string, payload: object): Promise<HookReply | undefined>;
  /** Stores an event synchronously, for a process that is about to exit; the daemon reads it later. */
  store(event: string, payload: object): void;
  /** Reports a request to the person and waits for an answer from elsewhere. */
  ask(event: string, payload: object): PendingRequest;
  /** Calls `onLine` for every line that should wake the session, until the returned function is called. */
  listen(sessionId: string, onLine: (line: string) => void): () => void;
}

export interface HookReply {
  text: string;
  exports: string;
}

export interface PendingRequest {
  /** The decision of a person elsewhere; undefined if the terminal was first, or if nobody can answer elsewhere. */
  decision: Promise<string | undefined>;
  /** The person has answered in the terminal. */
  settle(outcome: "allowed" | "declined"): void;
}
