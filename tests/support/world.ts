import { type ClaudeWorld, openClaudeWorld } from "./claude.ts";
import { processesMentioning, waitFor } from "./processes.ts";
import { openRookery, plugin, type Rookery } from "./rookery.ts";

export interface World extends ClaudeWorld {
  rookery: Rookery;
  /** Stored events of one session, oldest first. */
  events(sessionId: string): StoredEvent[];
  /** Waits until only the daemon is left of this world's processes. */
  waitUntilOnlyDaemon(): Promise<void>;
}

interface StoredEvent {
  id: string;
  event: string;
  toolName: string | null;
  toolUseId: string | null;
  subagentId: string | null;
  turnId: string | null;
  agent: string;
  payload: any;
}

/** The real claude with the built plugin, both in temporary homes. */
export async function openWorld(
  options: { env?: Record<string, string>; install?: boolean } = {},
): Promise<World> {
  const rookery = openRookery(options.env);
  const { ROOKERY_HOME = "", ROOKERY_PORT = "", ROOKERY_MATRIX_PORT = "", ROOKERY_NODE = "" } = rookery.env;
  const env = { ROOKERY_HOME, ROOKERY_PORT, ROOKERY_MATRIX_PORT, ROOKERY_NODE, ...options.env };
  const world = await openClaudeWorld({ env, ...(options.install ? {} : { pluginDir: plugin }) });
  return {
    ...world,
    rookery,
    events: (sessionId) =>
      rookery
        .query(
          `SELECT e.id, e.event, e.tool_name AS toolName, e.tool_use_id AS toolUseId, e.subagent_id AS subagentId,
             e.turn_id AS turnId, a.name AS agent, e.payload FROM events e
           JOIN sessions s ON s.id = e.session_id JOIN agents a ON a.id = s.agent_id
           WHERE e.session_id = ? ORDER BY e.occurred_at, e.seq`,
          sessionId,
        )
        .map((row) => ({ ...row, payload: JSON.parse(row.payload) })),
    async waitUntilOnlyDaemon() {
      const daemon = rookery.pid();
      let left: { pid: number; command: string }[] = [];
      await waitFor(
        async () => {
          left = (await processesMentioning(rookery.home.root)).filter(
            // The terminal stays open after its program: it belongs to the test, not to the session.
            ({ pid, command }) => pid !== daemon && !command.startsWith("tmux "),
          );
          return left.length === 0;
        },
        { describe: () => `only the daemon to be left, not ${JSON.stringify(left)}` },
      );
    },
    async close() {
      await rookery.close();
      await world.close();
    },
  };
}

/** A call of the Bash tool, for the model's script. */
export function bash(command: string): { name: string; input: unknown } {
  return { name: "Bash", input: { command, description: "step" } };
}
