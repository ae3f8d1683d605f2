import type { Database } from "../sqlite/sqlite.ts";
import { openRowTable } from "./row-table.ts";

export interface AgentRow {
  id: string;
  name: string;
  project: string;
  projectName: string;
  seat: number;
  createdAt: number;
}

export interface AgentTable {
  insert(agent: AgentRow): void;
  byId(id: string): AgentRow | undefined;
  byName(name: string): AgentRow | undefined;
  ofProject(project: string): AgentRow[];
  all(): AgentRow[];
  /** When the newest was created; 0 if there is none. */
  newestAt(): number;
}

const columns = "id, name, project, project_name, seat, created_at";

export function openAgentTable(db: Database, origin: string): AgentTable {
  const table = openRowTable<AgentRow>(db, "agents", columns);
  const { select } = table;
  return {
    insert(agent) {
      table.insert(agent, { origin });
    },
    byId: (id) => db.get<AgentRow>(`${select} WHERE id = ?`, id),
    byName: (name) => db.get<AgentRow>(`${select} WHERE name = ?`, name),
    ofProject: (project) => db.all<AgentRow>(`${select} WHERE project = ? ORDER BY seat`, project),
    all: () => db.all<AgentRow>(`${select} ORDER BY name`),
    newestAt: () => db.get<{ at: number | null }>("SELECT max(created_at) AS at FROM agents")?.at ?? 0,
  };
}
