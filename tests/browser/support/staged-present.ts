import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { waitFor } from "../../support/processes.ts";
import { makePayload, type Rookery } from "../../support/rookery.ts";
import { startPermissionHook, type WaitingHook } from "../../support/waiting-hook.ts";
import type { Page } from "./chromium.ts";

export interface StagedAgent {
  name: string;
  session: string;
  hook(event: string, fields?: Record<string, unknown>): Promise<string>;
  send(to: string, text: string): Promise<void>;
  call(method: string, path: string, body: object): Promise<any>;
  /** Its real hook, waiting for an answer. */
  ask(tool: string, input: Record<string, unknown>): WaitingHook;
}

interface StagedPresent {
  open(project: string, session: string, prompt: string): Promise<StagedAgent>;
  end(): void;
}

/** Live sessions, each with a process in place of claude. */
export function stagePresent(rookery: Rookery): StagedPresent {
  const processes: ChildProcess[] = [];
  return {
    async open(project, session, prompt) {
      const claude = spawn("sleep", ["900"], { stdio: "ignore", env: { PATH: process.env.PATH ?? "" } });
      processes.push(claude);
      const hostPid = claude.pid ?? 0;
      const cwd = join(dirname(rookery.home.root), "work", project);
      mkdirSync(cwd, { recursive: true });
      const about = { session_id: session, cwd, prompt_id: `${session}-now` };
      const hook = async (event: string, fields: Record<string, unknown> = {}): Promise<string> =>
        (await rookery.hook(event, makePayload(event, { ...about, ...fields }), { hostPid })).stdout;
      await hook("SessionStart", { source: "startup", model: "claude-opus-5-5" });
      await hook("UserPromptSubmit", { prompt });
      const name = (await rookery.call("GET", `/api/sessions/${session}`)).json.agent;
      const call = async (method: string, path: string, body: object): Promise<any> => {
        const answer = await rookery.call(method, path, { ...body, hostPid });
        if (answer.status >= 400) throw new Error(answer.text);
        return answer.json;
      };
      return {
        name,
        session,
        hook,
        call,
        send: (to, text) => call("POST", "/api/messages", { to, text }),
        ask(tool, input) {
          const waiting = startPermissionHook(
            rookery,
            { ...about, tool_name: tool, tool_input: input },
            hostPid,
          );
          processes.push(waiting.child);
          return waiting;
        },
      };
    },
    end() {
      for (const child of processes) child.kill("SIGKILL");
    },
  };
}

/** As the page does, from the person's own browser. */
export async function callFromPage(page: Page, method: string, path: string, body?: object): Promise<any> {
  const { status, json } = await page.evaluate(
    async ({ method: verb, path: where, body: content }) => {
      const response = await fetch(where, {
        method: verb,
        headers: { authorization: `Bearer ${sessionStorage.getItem("rookery.token")}` },
        ...(content ? { body: JSON.stringify(content) } : {}),
      });
      return { status: response.status, json: await response.json() };
    },
    { method, path, body },
  );
  if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
  return json;
}

export async function waitForRoom(rookery: Rookery, name: string): Promise<{ id: string }> {
  return waitFor(
    async () =>
      (await rookery.call("GET", "/api/rooms")).json?.rooms?.find((room: any) => room.name === name),
    { describe: `room ${name}` },
  );
}
