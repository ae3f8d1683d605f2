import { expect, test } from "vitest";
import { claudeCode } from "../hosts/claude-code/claude-code.ts";
import { migrate } from "../sqlite/migrate.ts";
import { type Database, openDatabase } from "../sqlite/sqlite.ts";
import { loadStoreMigrations } from "./store-migrations.ts";

/** A store from before events had our own names. */
function openOldStore(): Database {
  const db = openDatabase(":memory:");
  migrate(
    db,
    loadStoreMigrations().filter(({ version }) => version < 12),
  );
  db.script(`INSERT INTO agents VALUES ('a', 'a', 'p', 'p', 0, 'o', 0);
    INSERT INTO sessions (id, agent_id, project, claude_pid, source, status, status_at, started_at, last_event_at, origin)
      VALUES ('s', 'a', 'p', 42, 'startup', 'active', 0, 0, 0, 'o');
    INSERT INTO injections VALUES ('s', 'observation', 'n', 'SessionStart', 'index', NULL, 1, 'e', 0);
    INSERT INTO deliveries (id, agent_id, kind, sender, source, body, state, injection_point, created_at, origin)
      VALUES ('d', 'a', 'message', 'x', 'api', 'hi', 'injected', 'PostToolUse', 0, 'o')`);
  return db;
}

function insertEvent(db: Database, id: string, event: string, payload: Record<string, unknown>): void {
  db.run(
    `INSERT INTO events (id, event, session_id, tool_name, payload, bytes, via, occurred_at, stored_at, origin)
     VALUES (?, ?, 's', ?, ?, 1, 'hook', 0, 0, 'o')`,
    id,
    event,
    (payload.tool_name as string | undefined) ?? null,
    JSON.stringify(payload),
  );
}

/** Tools that were classified after this migration was written. */
const laterTools = /^(?:ListMcpResources|ReadMcpResource|ReadMcpResourceDir)Tool$/;

test("stored events get the names, kinds and files that capture gives new ones", () => {
  const db = openOldStore();
  const { events, tools } = claudeCode;
  const types = ["idle_prompt", "permission_prompt", "elicitation_dialog", "agent_needs_input", "other"];
  const samples = [
    ...Object.keys(events.names).map((event) => ({ event, payload: {} })),
    ...types.map((notification_type) => ({ event: "Notification", payload: { notification_type } })),
    ...[
      ...tools.names.filter((name) => !laterTools.test(name)),
      "mcp__rookery__x",
      "mcp__plugin_rookery_rookery__x",
      "mcp__db__query",
    ].map((tool_name) => ({
      event: "PostToolUse",
      payload: { tool_name, tool_input: { file_path: "/a.ts" } },
    })),
    {
      event: "PreToolUse",
      payload: { tool_name: "NotebookEdit", tool_input: { file_path: "", notebook_path: "/n" } },
    },
    { event: "PreToolUse", payload: { tool_name: "Bash", tool_input: { command: "ls" } } },
  ];
  for (const [n, { event, payload }] of samples.entries()) insertEvent(db, `e${n}`, event, payload);

  migrate(db, loadStoreMigrations());

  const rows = db.all("SELECT event, tool_kind AS kind, file_path AS file FROM events ORDER BY seq");
  expect(rows.map((row) => ({ ...(row as object) }))).toEqual(
    samples.map(({ event, payload }) => {
      const { tool_name, tool_input } = payload as { tool_name?: string; tool_input?: unknown };
      return {
        event: events.read(event, { session_id: "s", ...payload }),
        kind: tool_name === undefined ? null : tools.kindOf(tool_name),
        file: tools.fileOf(tool_input) ?? null,
      };
    }),
  );
  expect(db.get("SELECT host, host_pid AS pid FROM sessions")).toEqual({ host: "claude-code", pid: 42 });
  expect(db.get("SELECT point FROM injections")).toEqual({ point: "session.started" });
  expect(db.get("SELECT injection_point AS point FROM deliveries")).toEqual({ point: "tool.after" });
  db.close();
});

test("a payload that is not JSON does not stop the migration", () => {
  const db = openOldStore();
  insertEvent(db, "e", "PostToolUse", { tool_name: "Read" });
  db.run("UPDATE events SET payload = 'cut off'");
  migrate(db, loadStoreMigrations());
  expect(db.get("SELECT event, file_path AS file FROM events")).toEqual({ event: "tool.after", file: null });
  db.close();
});
