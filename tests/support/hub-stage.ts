import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Person } from "./person-elsewhere.ts";
import { waitFor } from "./processes.ts";
import { openPostgres, type Postgres } from "./postgres.ts";
import type { Answer } from "./exchange.ts";
import { makePayload, type Rookery } from "./rookery.ts";

/** A machine on the hub: a home with a checkout of the shared repository. */
export interface HubMachine {
  rookery: Rookery;
  member: string;
  cwd: string;
  save(text: string, fields?: Record<string, unknown>): Promise<{ id: string; title: string }>;
  /** The notes of the project, by id. */
  notes(): Map<string, { title: string; narrative: string; author: string | null }>;
  /** Synchronises now. */
  resync(): Promise<Answer>;
  /** The context that a session gets when it starts. */
  startContext(): Promise<string>;
  post(path: string, body?: unknown): Promise<any>;
}

const remote = "git@git.example.org:acme/api.git";

/** Fast polling; no rooms. */
export const hubSettings = { ROOKERY_HUB_POLL_SECONDS: "1", ROOKERY_MATRIX_ENABLED: "false" };

/** As a person. */
async function post(person: Person, rookery: Rookery, path: string, body?: unknown): Promise<any> {
  const answer = await person.call(rookery, "POST", path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}

/** A PostgreSQL server with a hub, administered from one of the homes. */
export async function openHubStage(person: Person, admin: Rookery, bin?: string): Promise<Postgres> {
  const postgres = await openPostgres(bin);
  await post(person, admin, "/api/hub/create", { url: postgres.adminUrl() });
  return postgres;
}

export async function invite(
  person: Person,
  admin: Rookery,
  name: string,
  fields: Record<string, unknown> = {},
): Promise<string> {
  return (await post(person, admin, "/api/hub/invite", { name, ...fields })).code;
}

/** Joins the hub and shares a checkout of the repository. */
export async function joinMachine(
  person: Person,
  rookery: Rookery,
  { code, member, device = member }: { code: string; member: string; device?: string },
): Promise<HubMachine> {
  const cwd = join(rookery.folder, `api-${device}`);
  mkdirSync(cwd, { recursive: true });
  execFileSync("git", ["init", "-q", cwd]);
  execFileSync("git", ["-C", cwd, "remote", "add", "origin", remote]);
  await post(person, rookery, "/api/hub/join", { code, device });
  return makeMachine(person, rookery, member, cwd);
}

function makeMachine(person: Person, rookery: Rookery, member: string, cwd: string): HubMachine {
  let sessions = 0;
  return {
    rookery,
    member,
    cwd,
    post: (path, body) => post(person, rookery, path, body),
    async save(text, fields = {}) {
      const answer = await rookery.call("POST", "/api/notes", {
        project: cwd,
        type: "decision",
        text,
        ...fields,
      });
      if (answer.status >= 300) throw new Error(answer.text);
      return answer.json;
    },
    notes: () =>
      new Map(
        rookery
          .query("SELECT id, title, narrative, author FROM observations ORDER BY id")
          .map(({ id, ...note }) => [id, note]),
      ),
    resync: () => rookery.call("POST", "/api/hub/resync"),
    async startContext() {
      const session_id = `${member}-${++sessions}`;
      const { stdout } = await rookery.hook(
        "SessionStart",
        makePayload("SessionStart", { session_id, cwd, source: "startup" }),
      );
      return stdout;
    },
  };
}

/** Waits until the machine has a note with this id, or has it no more. */
export async function waitForNote({ rookery }: HubMachine, id: string, isThere = true): Promise<void> {
  await waitFor(() => rookery.query("SELECT 1 FROM observations WHERE id = ?", id).length > 0 === isThere, {
    describe: () =>
      `note ${id} ${isThere ? "to arrive" : "to be gone"}: ${JSON.stringify(rookery.query("SELECT * FROM hub_projects"))}`,
  });
}

/**
 * The files under a folder that contain this text. In another process: closing a database file here would drop the locks
 * of the open one.
 */
export function filesWith(root: string, text: string): string[] {
  const { stdout } = spawnSync("grep", ["-rlaiF", "-e", text, root], { encoding: "utf8" });
  return stdout.split("\n").filter(Boolean);
}
