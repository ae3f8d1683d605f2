import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitFor } from "../support/processes.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { useFakeClaudes } from "../support/fake-claude.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const rookeries = useRookeriesWithoutRooms(afterAll);
const claudes = useFakeClaudes();
const suiteClaudes = useFakeClaudes(afterAll);
const folder = mkdtempSync(join(tmpdir(), "rk-projects-"));
afterAll(() => rmSync(folder, { recursive: true }));

let rookery: Rookery;
let orphanAgent: string;
beforeAll(async () => {
  rookery = await rookeries.started();
  const orphan = suiteClaudes.open();
  orphanAgent = await start("orphan", newProject("orphaned"), orphan.pid);
  await post("UserPromptSubmit", "orphan", { prompt: "go", prompt_id: "p" }, orphan.pid);
  await orphan.kill9();
});

function newProject(name: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".git"), { recursive: true });
  return path;
}

async function post(event: string, session_id: string, fields: Record<string, unknown>, pid?: number) {
  const payload = makePayload(event, { session_id, ...fields });
  if (pid !== undefined) {
    await rookery.hook(event, payload, { hostPid: pid });
    return view(session_id);
  }
  const answer = await rookery.call("POST", `/api/hooks/${event}`, payload);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

const start = async (session: string, cwd: string, pid?: number, source = "startup"): Promise<string> =>
  (await post("SessionStart", session, { cwd, source }, pid)).agent;
const end = (session: string, reason: string, pid?: number) => post("SessionEnd", session, { reason }, pid);
const view = async (session: string) => (await rookery.call("GET", `/api/sessions/${session}`)).json;
const agents = async (): Promise<any[]> => (await rookery.call("GET", "/api/agents")).json.agents;

describe("an agent", () => {
  test("is kept through /clear: the same process, another session id", async () => {
    const claude = claudes.open();
    const cwd = newProject("cleared");
    const before = await start("c-1", cwd, claude.pid);
    await end("c-1", "clear", claude.pid);
    expect((await agents()).find(({ name }) => name === before)).toMatchObject({ name: before });
    expect(await start("c-2", cwd, claude.pid, "clear")).toBe(before);
    expect((await agents()).find(({ name }) => name === before)).toMatchObject({
      status: "idle",
      session: "c-2",
    });
    expect(await view("c-1")).toMatchObject({ status: "ended", endReason: "clear" });
    expect((await rookery.call("GET", `/api/sessions?pid=${claude.pid}`)).json.sessions[0].id).toBe("c-2");
  });

  test("is kept through /clear if the SessionEnd was missed", async () => {
    const claude = claudes.open();
    const cwd = newProject("unseen");
    const before = await start("u-1", cwd, claude.pid);
    expect(await start("u-2", cwd, claude.pid, "clear")).toBe(before);
    expect(await view("u-1")).toMatchObject({ status: "ended", endReason: "replaced" });
  });

  test("is kept when its session is resumed by another process", async () => {
    const [first, other] = [claudes.open(), claudes.open()];
    const cwd = newProject("resumed");
    await start("r-0", cwd, claudes.open().pid);
    const before = await start("r-1", cwd, first.pid);
    await end("r-1", "prompt_input_exit", first.pid);
    await end("r-0", "other");
    expect(await start("r-1", cwd, other.pid, "resume")).toBe(before);
    expect(await view("r-1")).toMatchObject({ status: "active", source: "resume", endReason: null });
  });

  test("gets a new name if its seat was taken in the meantime", async () => {
    const cwd = newProject("taken");
    const first = claudes.open();
    const before = await start("t-1", cwd, first.pid);
    await end("t-1", "other", first.pid);
    await first.kill9();
    expect(await start("t-2", cwd, claudes.open().pid)).toBe(before);
    const resumed = await start("t-1", cwd, claudes.open().pid, "resume");
    expect(resumed).not.toBe(before);
  });

  test("gets a different name while another agent of the project runs; the name is free again when its claude exits", async () => {
    const cwd = newProject("two");
    const [one, other] = [claudes.open(), claudes.open()];
    const names = [await start("w-1", cwd, one.pid), await start("w-2", cwd, other.pid)];
    expect(names).toEqual(["two-rook", "two-jay"]);
    await one.kill9();
    expect(await start("w-3", cwd, claudes.open().pid)).toBe("two-rook");
  });

  test("stays in the project where its session started, regardless of cd", async () => {
    const claude = claudes.open();
    const before = await start("cd", newProject("begun"), claude.pid);
    const { agent } = await post(
      "PostToolUse",
      "cd",
      { cwd: newProject("elsewhere"), tool_use_id: "t" },
      claude.pid,
    );
    expect(agent).toBe(before);
    expect((await view("cd")).project).toBe("begun");
  });
});

describe("a project", () => {
  test("includes its worktrees", async () => {
    const main = join(folder, "api");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@y", ...args], {
        cwd: main,
        stdio: "ignore",
      });
    mkdirSync(main);
    git("init", "--quiet");
    git("commit", "--quiet", "--allow-empty", "--message=x");
    git("worktree", "add", "--quiet", "../api-hotfix");
    mkdirSync(join(main, "src/deep"), { recursive: true });
    expect(await start("g-1", join(main, "src/deep"), claudes.open().pid)).toBe("api-rook");
    expect(await start("g-2", join(folder, "api-hotfix"), claudes.open().pid)).toBe("api-jay");
    expect((await view("g-2")).project).toBe("api");
  });

  test("gets distinct agent names if another project has the same name", async () => {
    const names = [];
    for (const parent of ["x", "y", "z"])
      names.push(await start(`same-${parent}`, newProject(`${parent}/shop`), claudes.open().pid));
    expect(names).toEqual(["shop-rook", "shop-rook.2", "shop-rook.3"]);
  });

  test.each([
    ['it\'s "quoted" $(id)\n', "it-s-quoted-id-rook"],
    ["Größe 漢字", "grosse-rook", "gro-e-rook"],
    ["..hidden", "hidden-rook"],
    ["---", "project-rook"],
  ])("named %j gives an agent name that can be typed", async (name, ...expected) => {
    expect(expected).toContain(
      await start(`odd-${name}`.replace(/\W/g, "_"), newProject(name), claudes.open().pid),
    );
  });

  test("is identified by its folder if it is not a repository, or was deleted", async () => {
    expect(await start("gone", join(folder, "nowhere/lost"), claudes.open().pid)).toBe("lost-rook");
  });
});

describe("a session", () => {
  test("is created by its first event if its start was not recorded", async () => {
    const claude = claudes.open();
    const fields = { cwd: newProject("unstarted"), tool_use_id: "t", prompt_id: "p" };
    expect(await post("PostToolUse", "unstarted", fields, claude.pid)).toMatchObject({
      agent: "unstarted-rook",
    });
    expect(await view("unstarted")).toMatchObject({
      source: "unknown",
      status: "active",
      counts: { toolUses: 1 },
    });
  });

  test("ends, and so does its turn, when its claude process exits", async () => {
    await waitFor(async () => (await view("orphan")).status === "ended");
    expect(await view("orphan")).toMatchObject({ endReason: "gone" });
    expect(rookery.query("SELECT outcome FROM turns WHERE session_id = 'orphan'")).toEqual([
      { outcome: "abandoned" },
    ]);
    expect((await agents()).find(({ name }) => name === orphanAgent)).toMatchObject({
      status: "gone",
      session: null,
    });
  });
});
