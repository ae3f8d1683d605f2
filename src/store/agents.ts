import type { Database } from "../sqlite/sqlite.ts";

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

const columns = "id, name, project, project_name AS projectName, seat, created_at AS createdAt";

export function openAgentTable(db: Database, origin: string): AgentTable {
  return {
    insert(agent) {
      db.run(
        "INSERT INTO agents (id, name, project, project_name, seat, created_at, origin) VALUES (?, ?, ?, ?, ?, ?, ?)",
        agent.id,
        agent.name,
        agent.project,
        agent.projectName,
        agent.seat,
        agent.createdAt,
        origin,
      );
    },
    byId: (id) => db.get<AgentRow>(`SELECT ${columns} FROM agents WHERE id = ?`, id),
    byName: (name) => db.get<AgentRow>(`SELECT ${columns} FROM agents WHERE name = ?`, name),
    ofProject: (project) =>
      db.all<AgentRow>(`SELECT ${columns} FROM agents WHERE project = ? ORDER BY seat`, project),
    all: () => db.all<AgentRow>(`SELECT ${columns} FROM agents ORDER BY name`),
    newestAt: () => db.get<{ at: number | null }>("SELECT max(created_at) AS at FROM agents")?.at ?? 0,
  };
}
