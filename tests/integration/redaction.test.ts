import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { spawnDaemon } from "../support/daemon-process.ts";
import { useMailStage } from "../support/mail-stage.ts";
import { postAnswer } from "../support/person-elsewhere.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

const person = useOutside();
const rookeries = useRookeries(afterAll);
let rookery: Rookery;
const stage = useMailStage(() => rookery);
beforeAll(async () => {
  rookery = rookeries.open();
  await spawnDaemon(rookery);
});

/** Joined at run time, so that secret scanners do not report this file. */
const makeToken = (mark: string) =>
  ["gh", "p_", `${mark}7Rz2LmX9vKp4TbW8nYc3HdJ6sFgQa1e5Ut0iOk`.slice(0, 36)].join("");

test("a secret in a name, a path, a pattern or an id is in no database", async () => {
  const session = await stage.open("vault");
  const { claude, id, cwd, agent } = session;
  const as = { hostPid: claude.pid };
  const places = [
    "branch",
    "lease",
    "files",
    "sender",
    "source",
    "by",
    "tool",
    "toolId",
    "path",
    "room",
    "changed",
  ];
  const token = Object.fromEntries(places.map((place, index) => [place, makeToken(`${place}${index}`)]));

  execFileSync("git", ["-C", cwd, "init", "-q", "-b", `fix/${token.branch}`], { env: rookery.env });
  const start = makePayload("SessionStart", { session_id: id, cwd, source: "resume" });
  await rookery.hook("SessionStart", start, as);
  const tool = {
    session_id: id,
    cwd,
    tool_name: `mcp__${token.tool}__run`,
    tool_use_id: token.toolId,
    tool_input: { file_path: join(cwd, `${token.path}.txt`) },
    tool_response: { ok: true },
  };
  await rookery.hook("PostToolUse", makePayload("PostToolUse", tool), as);
  const post = async (path: string, body: object) => {
    const { status, json } = await rookery.call("POST", path, body);
    expect({ path, status }).toEqual({ path, status: 201 });
    return json;
  };
  await post("/api/leases", { globs: [`keys/${token.lease}/**`], ...as });
  const task = await post("/api/tasks", { title: "Rotate it", files: [`a/${token.files}`], ...as });
  const change = { files: [`b/${token.changed}`], ...as };
  expect((await rookery.call("PATCH", `/api/tasks/${task.id}`, change)).status).toBe(200);
  const note = { to: agent, body: "hello", from: token.sender, source: token.source };
  expect((await person.call(rookery, "POST", "/api/deliveries", note)).status).toBe(201);
  const { question } = await post("/api/questions", { question: "Which one?", options: ["a", "b"], cwd });
  const answer = { answers: [["a"]], by: token.by };
  expect((await postAnswer(person, rookery, question.id, answer)).status).toBe(200);
  const room = { name: `about ${token.room}` };
  expect((await person.call(rookery, "POST", "/api/rooms", room)).status).toBe(201);

  const home = dirname(rookery.home.database);
  const databases = readdirSync(home).filter((name) => /\.db(?:-wal)?$/.test(name));
  const stored = databases.map((name) => readFileSync(join(home, name)).toString("latin1")).join("\n");
  expect(stored).toContain("[secret:github-token]");
  const held = Object.entries(token).filter(([, secret]) => stored.includes(secret));
  expect(held).toEqual([]);
});
