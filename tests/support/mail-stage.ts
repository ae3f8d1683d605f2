import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type FakeClaude, useFakeClaudes } from "./fake-claude.ts";
import { waitFor } from "./processes.ts";
import type { Answer } from "./exchange.ts";
import { makePayload, type Rookery } from "./rookery.ts";

export interface StagedSession {
  id: string;
  agent: string;
  cwd: string;
  claude: FakeClaude;
  transcript: string;
  /** The context it got at its start. */
  started: string;
  /** Posts an event as its hook would; returns the hook's output for the model. */
  say(event: string, fields?: Record<string, unknown>): Promise<string>;
  /** Sends as the session's MCP server does. */
  send(to: string, text: string, fields?: Record<string, unknown>): Promise<Answer>;
  /** Writes every fence of a text into the transcript, as the host does. */
  write(text: string): void;
}

interface MailStage {
  open(
    project: string,
    again?: { id?: string; claude?: FakeClaude; source?: string },
  ): Promise<StagedSession>;
  /** Makes tool calls until a matching text arrives; returns it. */
  waitForText(session: StagedSession, passes: (text: string) => boolean): Promise<string>;
}

/** Sessions with a fake claude, a transcript written by the test, and their own project. */
export function useMailStage(
  rookery: () => Rookery,
  /** The remote of a project's checkout; undefined for none. */
  remoteOf: (project: string) => string | undefined = () => undefined,
): MailStage {
  const claudes = useFakeClaudes(afterAll);
  const folder = mkdtempSync(join(tmpdir(), "rk-mail-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  let count = 0;

  return {
    async open(project, { id = `s-${++count}`, claude = claudes.open(), source = "startup" } = {}) {
      const transcript = join(folder, `${id}.jsonl`);
      const cwd = join(folder, project);
      const remote = remoteOf(project);
      if (!existsSync(join(cwd, ".git"))) mkdirSync(join(cwd, ".git"), { recursive: true });
      if (remote !== undefined && !existsSync(join(cwd, ".git", "config"))) {
        execFileSync("git", ["init", "-q", cwd]);
        execFileSync("git", ["-C", cwd, "remote", "add", "origin", remote]);
      }
      writeFileSync(transcript, "{}\n", { flag: "a" });
      const post = async (event: string, fields: Record<string, unknown> = {}): Promise<any> => {
        const tool = event === "PostToolUse" ? { tool_use_id: `${id}-${++count}` } : {};
        const about = { session_id: id, cwd, transcript_path: transcript, ...tool, ...fields };
        const ran = await rookery().hook(event, makePayload(event, about), { hostPid: claude.pid });
        return ran.stdout === "" ? undefined : JSON.parse(ran.stdout);
      };
      const begun = await post("SessionStart", { source });
      const { agent } = (await rookery().call("GET", `/api/sessions/${id}`)).json;
      return {
        id,
        cwd,
        claude,
        transcript,
        agent,
        started: contextOf(begun),
        say: async (event, fields) => contextOf(await post(event, fields)),
        send: (to, text, fields) =>
          rookery().call("POST", "/api/messages", { to, text, hostPid: claude.pid, ...fields }),
        write(text) {
          for (const fence of fencesIn(text))
            appendFileSync(transcript, `${JSON.stringify({ attachment: fence })}\n`);
        },
      };
    },
    async waitForText(session, passes) {
      let received = "";
      await waitFor(
        async () => {
          const text = await session.say("PostToolUse");
          received += text;
          return passes(received);
        },
        { describe: () => `another text, not:\n${received}` },
      );
      return received;
    },
  };
}

function contextOf(output: any): string {
  return output?.hookSpecificOutput?.additionalContext ?? "";
}

/** The opening tags of deliveries in a text. */
export function fencesIn(text: string): string[] {
  return [...text.matchAll(/<rookery-delivery [^>]*>/g)].map(([fence]) => fence);
}

/** A person in a Matrix client: plain calls to the client-server API. */
export interface MatrixPerson {
  userId: string;
  call(method: string, path: string, body?: unknown): Promise<any>;
  /** The messages in a room, oldest first. */
  read(roomId: string): Promise<{ sender: string; content: any; type: string; event_id: string }[]>;
  write(roomId: string, content: object): Promise<string>;
}

/** On the embedded homeserver of a home. */
export function signIn(rookery: Rookery, user: string, password: string): Promise<MatrixPerson> {
  const { matrixPort } = JSON.parse(readFileSync(rookery.home.daemonFile, "utf8"));
  return signInAt(`http://127.0.0.1:${matrixPort}`, user, password);
}

export async function signInAt(url: string, user: string, password: string): Promise<MatrixPerson> {
  const base = `${url}/_matrix/client/v3`;
  const request = async (method: string, path: string, body?: unknown, token?: string): Promise<any> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: token ? { authorization: `Bearer ${token}` } : {},
      body: body === undefined ? null : JSON.stringify(body),
    });
    return response.json();
  };
  const identifier = { type: "m.id.user", user };
  const login = await request("POST", "/login", { type: "m.login.password", identifier, password });
  if (!login.access_token) throw new Error(`cannot sign in: ${JSON.stringify(login)}`);
  const call: MatrixPerson["call"] = (method, path, body) => request(method, path, body, login.access_token);
  let count = 0;
  return {
    userId: login.user_id,
    call,
    async read(roomId) {
      const path = `/rooms/${encodeURIComponent(roomId)}/messages?dir=b&limit=100`;
      return ((await call("GET", path)).chunk ?? []).toReversed();
    },
    async write(roomId, content) {
      const path = `/rooms/${encodeURIComponent(roomId)}/send/m.room.message/t${++count}-${Date.now()}`;
      return (await call("PUT", path, content)).event_id;
    },
  };
}
