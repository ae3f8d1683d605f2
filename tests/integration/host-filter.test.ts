import { beforeAll, afterAll, expect, test } from "vitest";
import { samplesOf } from "../fixtures/hosts/samples.ts";
import type { Rookery } from "../support/rookery.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const { started } = useRookeriesWithoutRooms(afterAll);
let rookery: Rookery;
const sessions = {
  codex: "01a1e12b-b5eb-7110-b170-23d653e3a368",
  opencode: "ses_e1ed04b43ffeuCzZpFxX4wPEBq",
};
const texts = { codex: "The pool uses SQLite in WAL mode.", opencode: "The pool holds eight connections." };

beforeAll(async () => {
  rookery = await started();
  for (const [host, session] of Object.entries(sessions) as [keyof typeof sessions, string][]) {
    const [sample] = samplesOf(host).payloads;
    const start = {
      ...sample?.payload,
      session_id: session,
      sessionID: session,
      cwd: rookery.home.root,
      directory: rookery.home.root,
    };
    expect((await rookery.call("POST", `/api/hooks/SessionStart@${host}`, start)).status).toBe(200);
    const note = { project: "shop", session, text: texts[host] };
    expect((await rookery.call("POST", "/api/notes", note)).status).toBe(201);
  }
});

test.each(["codex", "opencode"] as const)("lists only what happened in one host: %s", async (host) => {
  const get = async (path: string) => (await rookery.call("GET", path)).json;
  const { results } = await get(`/api/search?q=pool&host=${host}`);
  expect(results.map(({ session }: { session: string }) => session)).toEqual([sessions[host]]);
  const { notes } = await get(`/api/notes?host=${host}`);
  expect(notes.map(({ text }: { text: string }) => text)).toEqual([texts[host]]);
  const listed = (await get(`/api/sessions?host=${host}`)).sessions;
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([sessions[host]]);
  const { agents } = await get(`/api/agents?host=${host}`);
  expect(agents.map((agent: { host: string }) => agent.host)).toEqual([host]);

  const found = await rookery.cli("search", "pool", "--host", host, "--json");
  expect(JSON.parse(found.stdout)).toHaveLength(1);
  expect(JSON.parse((await rookery.cli("agents", "--host", host, "--json")).stdout)).toHaveLength(1);
});

test.each([
  ["codex", "Codex"],
  ["opencode", "OpenCode"],
] as const)("is named as people know it: %s", async (host, label) => {
  const get = async (path: string) => (await rookery.call("GET", path)).json;
  expect(await get(`/api/sessions/${sessions[host]}`)).toMatchObject({ host, hostLabel: label });
  const running: { id: string; hostLabel: string }[] = (await get("/api/now")).sessions;
  expect(running.find(({ id }) => id === sessions[host])?.hostLabel).toBe(label);
  const [note] = (await get(`/api/notes?host=${host}`)).notes;
  expect(note.hostLabel).toBe(label);
  expect((await rookery.cli("show", note.id)).stdout).toContain(`in ${label}`);
  expect((await rookery.cli("agents")).stdout).toContain(label);
  expect((await get("/api/status")).sessions.hosts).toMatchObject({ [host]: 1 });
  expect((await rookery.cli("status")).stdout).toContain(`${label} 1`);
});

test("without a host everything is listed, and an unknown one is refused by the command line", async () => {
  expect((await rookery.call("GET", "/api/search?q=pool")).json.results).toHaveLength(2);
  expect((await rookery.call("GET", "/api/today")).json).toMatchObject({ sessions: [] });
  const { code, stderr } = await rookery.cli("today", "--host", "opncode");
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("Did you mean opencode?") });
});
