import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openEventStream } from "../support/event-stream.ts";
import { useFakeClaudes } from "../support/fake-claude.ts";
import {
  listQuestions,
  openQuestion,
  openQuestions,
  postAnswer,
  waitForOutcome,
} from "../support/person-elsewhere.ts";
import { isLong } from "../support/long.ts";
import { signalProcess, waitFor } from "../support/processes.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";
import { startPermissionHook, type WaitingHook } from "../support/waiting-hook.ts";

const person = useOutside();
const rookeries = useRookeriesWithoutRooms();
/** Most rows end what they begin, each in a session of its own: they share a daemon. */
const shared = useRookeriesWithoutRooms(afterAll);
let rookery: Rookery;
beforeAll(async () => {
  rookery = await shared.started(always);
});
const claudes = useFakeClaudes();
const hooks: WaitingHook[] = [];
afterEach(async () => {
  for (const hook of hooks) if (!hook.isOver()) signalProcess(hook.pid, "SIGKILL");
  await Promise.all(hooks.splice(0).map(({ done }) => done));
});

const always = { ROOKERY_ASK_ALWAYS: "true" };
const mkdir = { tool_name: "Bash", tool_input: { command: "mkdir x", description: "A folder" } };
const questions = [
  { question: "Which DB?", options: [{ label: "Postgres" }, { label: "SQLite" }], multiSelect: false },
];
const choice = { tool_name: "AskUserQuestion", tool_input: { questions } };

let sessionId = "";
beforeEach(() => {
  sessionId = `s-${Math.random()}`;
});
const payload = (event: string, fields: Record<string, unknown>) =>
  makePayload(event, { session_id: sessionId, ...fields });

function start(rookery: Rookery, fields: Record<string, unknown> = mkdir, hostPid?: number): WaitingHook {
  const hook = startPermissionHook(rookery, payload("PermissionRequest", fields), hostPid);
  hooks.push(hook);
  return hook;
}

const isAttached = (rookery: Rookery, count = 1) =>
  waitFor(
    async () => (await rookery.call("GET", "/api/status").catch(() => undefined))?.json.waiting === count,
    {
      describe: `${count} waiting hooks`,
    },
  );

/** An open question whose hook waits on the bell. */
async function asked(rookery: Rookery, fields: Record<string, unknown> = mkdir, hostPid?: number) {
  await rookery.hook(
    "PreToolUse",
    payload("PreToolUse", { ...fields, tool_use_id: "tu-1" }),
    hostPid ? { hostPid } : {},
  );
  const hook = start(rookery, fields, hostPid);
  const question = await openQuestion(rookery);
  await isAttached(rookery);
  return { hook, question };
}

const answer = (rookery: Rookery, id: string, said: object) => postAnswer(person, rookery, id, said);
const tell = (rookery: Rookery, event: string, fields: Record<string, unknown> = {}) =>
  rookery.hook(event, payload(event, fields));
const silent = { code: 0, stdout: "", stderr: "" };
const isClean = (rookery: Rookery) =>
  waitFor(() => readdirSync(rookery.home.spool).length + readdirSync(rookery.home.reply).length === 0, {
    describe: () => `nothing left: ${readdirSync(rookery.home.spool)} ${readdirSync(rookery.home.reply)}`,
  });

describe("a permission request", () => {
  it.runIf(isLong)(
    "is asked about even if the daemon reads it after all other hooks have timed out",
    async () => {
      const { spool, breaker } = rookery.home;
      const ageOf = (event: string): number => {
        const file = readdirSync(spool).find((name) => name.startsWith(`${event}.`));
        return file ? Date.now() - statSync(join(spool, file)).mtimeMs : 0;
      };
      signalProcess(rookery.pid(), "SIGSTOP");
      let hook: WaitingHook;
      try {
        await rookery.hook("Stop", payload("Stop", {}), { isHasty: true });
        expect(existsSync(breaker)).toBe(true);
        hook = start(rookery);
        await waitFor(() => ageOf("PermissionRequest") > 2_500);
      } finally {
        signalProcess(rookery.pid(), "SIGCONT");
      }
      const question = await openQuestion(rookery);
      await answer(rookery, question.id, { allow: "once" });
      expect((await hook.done).stdout).toContain('"behavior":"allow"');
      await isClean(rookery);
    },
  );

  it("is not held if no person can be reached, and is held while a viewer is open", async () => {
    const rookery = await rookeries.started();
    expect(await tell(rookery, "PermissionRequest", mkdir)).toEqual(silent);
    expect(await listQuestions(rookery)).toEqual([]);
    const viewer = await openEventStream(rookery, {}, "?viewer=1");
    const { hook, question } = await asked(rookery);
    expect(await viewer.next("question.opened")).toMatchObject({
      data: { id: question.id, kind: "permission", agent: question.agent, headline: question.headline },
    });
    await answer(rookery, question.id, { allow: "once" });
    expect(await viewer.next("question.settled")).toMatchObject({
      data: {
        id: question.id,
        state: "answered",
        verdict: "sent",
        text: "Allowed once in the viewer.",
      },
    });
    await hook.done;
    viewer.close();
    await waitFor(
      async () => (await tell(rookery, "PermissionRequest", { ...mkdir, prompt_id: "p-2" })).code === 0,
    );
    expect(await listQuestions(rookery)).toHaveLength(1);
  });

  it.each([
    ["its tool ran", "PostToolUse", { ...mkdir, tool_use_id: "tu-1", tool_response: {} }],
    ["its session ended", "SessionEnd", { reason: "other" }],
    ["its turn ended", "Stop", {}],
    ["the person went on", "UserPromptSubmit", { prompt: "go on", prompt_id: "p-9" }],
  ])("stays open if a program posts that %s", async (_what, event, fields) => {
    const { hook, question } = await asked(rookery);
    const posted = await rookery.call("POST", `/api/hooks/${event}`, payload(event, fields));
    expect(posted.status).toBe(200);
    const { state, answerer } = (await rookery.call("GET", `/api/questions/${question.id}`)).json;
    expect({ state, answerer }).toEqual({ state: "open", answerer: null });
    await answer(rookery, question.id, { deny: "no" });
    expect((await hook.done).stdout).toContain('"behavior":"deny"');
    await isClean(rookery);
  });

  it("stays open after a posted end of its session while its hook waits", async () => {
    const { hook, question } = await asked(rookery);
    await rookery.call("POST", "/api/hooks/SessionEnd", payload("SessionEnd", { reason: "other" }));
    const mine = sessionId;
    // The check that closes the question of a dead host also goes through this one.
    sessionId = `${mine}-2`;
    const claude = claudes.open();
    const other = start(rookery, mkdir, claude.pid);
    await isAttached(rookery, 2);
    await claude.kill9();
    const states = async () =>
      (await listQuestions(rookery))
        .filter(({ session }) => session === mine || session === sessionId)
        .map(({ id, state }) => (id === question.id ? `mine ${state}` : `other ${state}`))
        .toSorted();
    await waitFor(async () => (await states()).includes("other cancelled"));
    expect(await states()).toEqual(["mine open", "other cancelled"]);
    await answer(rookery, question.id, { deny: "no" });
    expect((await hook.done).stdout).toContain('"behavior":"deny"');
    await other.done;
  });

  it("is asked, answered once, and cleaned up", async () => {
    const { hook, question } = await asked(rookery);
    expect(question).toMatchObject({
      kind: "permission",
      project: "tmp",
      context: "A folder",
      subject: { toolName: "Bash", format: "command", text: "mkdir x", hiddenSecrets: 0 },
      sessionRule: "Bash(mkdir x)",
    });
    expect((await answer(rookery, question.id, { answers: [["yes"]] })).json.code).toBe("answer_invalid");
    expect((await answer(rookery, question.id, { yes: true })).json.code).toBe("invalid_payload");
    expect((await answer(rookery, "no-such-id", { allow: "once" })).json.code).toBe("question_not_found");
    const given = await Promise.all([
      answer(rookery, question.id, { allow: "session", by: "Ada" }),
      answer(rookery, question.id, { deny: "no", by: "Bo" }),
      answer(rookery, question.id, { allow: "once", place: "cli", by: "Cy" }),
    ]);
    expect(given.filter(({ status }) => status === 200)).toHaveLength(1);
    const { outcome } = given.find(({ status }) => status === 200)?.json ?? {};
    for (const { status, json } of given)
      if (status !== 200) expect(json).toMatchObject({ code: "question_settled", message: outcome });
    const { code, stdout, stderr } = await hook.done;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({ hookEventName: "PermissionRequest" });
    await isClean(rookery);
  });

  it("with a megabyte of input is asked like any other, and its beginning is shown", async () => {
    const tool_input = { file_path: "big.txt", content: `first line\n${"A".repeat(1_000_000)}` };
    const { hook, question } = await asked(rookery, { tool_name: "Write", tool_input });
    expect(question.subject?.text).toContain("first line");
    expect(question.subject?.text.length).toBeLessThan(250_000);
    await answer(rookery, question.id, { deny: "too large" });
    expect(JSON.parse((await hook.done).stdout).hookSpecificOutput.decision.behavior).toBe("deny");
  });

  it("for a choice with a secret: the secret is not stored or shown, and the host gets the original text", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ0123456789";
    const input = {
      questions: [{ question: `Use ${secret}?`, options: [{ label: `yes ${secret}` }, { label: "no" }] }],
    };
    const { hook, question } = await asked(rookery, { tool_name: "AskUserQuestion", tool_input: input });
    expect(JSON.stringify(question)).not.toContain(secret);
    expect(JSON.stringify(rookery.query("SELECT * FROM questions"))).not.toContain(secret);
    const shown = question.prompts[0]?.options[0]?.label ?? "";
    await answer(rookery, question.id, { answers: [[shown]] });
    const { decision } = JSON.parse((await hook.done).stdout).hookSpecificOutput;
    expect(decision.updatedInput).toEqual({ ...input, answers: { [`Use ${secret}?`]: `yes ${secret}` } });
  });

  it("for a command with a secret: shown without it, and cannot be allowed for the session", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ0123456789";
    const command = `deploy --token ${secret} now`;
    const { hook, question } = await asked(rookery, { tool_name: "Bash", tool_input: { command } });
    expect(question.subject).toMatchObject({
      hiddenSecrets: 1,
      text: expect.stringMatching(/^deploy --token \[secret:.*\] now$/),
    });
    expect(question.sessionRule).toBeNull();
    expect(JSON.stringify(rookery.query("SELECT * FROM questions"))).not.toContain(secret);
    expect((await answer(rookery, question.id, { allow: "session" })).json.code).toBe("answer_invalid");
    await answer(rookery, question.id, { allow: "once" });
    await hook.done;
  });

  it.each([
    [
      { tool_name: "mcp__github__create_issue", tool_input: { title: "x" } },
      "Use github: create issue",
      null,
    ],
    [{ tool_name: "Write", tool_input: { file_path: "a/b.txt", content: "x" } }, "Write a/b.txt", null],
    [choice, "Which DB?", null],
    [
      { tool_name: "Bash", tool_input: { command: "git push --force" } },
      "Run git push --force",
      "overwrites the remote history",
    ],
  ])("has the question itself as its title, and names the danger: %#", async (fields, title, danger) => {
    const { hook, question } = await asked(rookery, fields);
    expect(question).toMatchObject({ title, danger, claimedBy: null });
    signalProcess(hook.pid, "SIGTERM");
    await waitForOutcome(rookery, question.id, { state: "declined" });
  });

  it("names the agent that has claimed the file", async () => {
    const rookery = await rookeries.started({ ...always, ROOKERY_MATRIX_ENABLED: "true" });
    const holder = claudes.open();
    const started = payload("SessionStart", { session_id: `${sessionId}-holder`, source: "startup" });
    await rookery.hook("SessionStart", started, { hostPid: holder.pid });
    const lease = await rookery.call("POST", "/api/leases", { globs: ["a/**"], hostPid: holder.pid });
    expect(lease.status, lease.text).toBe(201);
    const input = { file_path: "a/b.txt", content: "x" };
    const { hook, question } = await asked(rookery, { tool_name: "Write", tool_input: input });
    expect(question.claimedBy).toBe(lease.json.holder);
    expect(question.claimedBy).not.toBe(question.agent);
    signalProcess(hook.pid, "SIGTERM");
    await waitForOutcome(rookery, question.id, { state: "declined" });
  });

  it("from a subagent says so, and has a shorter time limit", async () => {
    const rookery = await rookeries.started({ ...always, ROOKERY_ASK_SUBAGENT_SECONDS: "1" });
    const { hook, question } = await asked(rookery, { ...mkdir, agent_id: "a-1", agent_type: "Explore" });
    expect(question).toMatchObject({
      subagent: "Explore",
      headline: "tmp-rook, subagent Explore, in tmp wants to run a command",
    });
    await waitForOutcome(rookery, question.id, { state: "expired", outcome: "No answer in time." });
    expect(await hook.done).toEqual(silent);
  });

  it("is not asked elsewhere if the project is off", async () => {
    const rookery = await rookeries.started(always);
    await tell(rookery, "SessionStart", { source: "startup" });
    const [project] = (await rookery.call("GET", "/api/projects")).json.projects;
    await person.call(rookery, "PATCH", `/api/projects/${encodeURIComponent(project.id)}`, { mode: "off" });
    expect(await tell(rookery, "PermissionRequest", mkdir)).toEqual(silent);
    expect(await listQuestions(rookery)).toEqual([]);
  });
});

describe("a waiting hook", () => {
  it.each([
    ["SIGTERM: declined in the terminal", "declined", "Declined in the terminal.", "SIGTERM"],
    [
      "killed from outside: the question is cancelled",
      "cancelled",
      "No longer asked: its hook has ended.",
      "SIGKILL",
    ],
  ] as const)("%s", async (_, state, outcome, signal) => {
    const { hook, question } = await asked(rookery);
    signalProcess(hook.pid, signal);
    await waitForOutcome(rookery, question.id, { state, outcome });
    expect((await hook.done).stdout).toBe("");
    await isClean(rookery);
  });

  it("ended with its session is cancelled, not declined", async () => {
    const { hook, question } = await asked(rookery);
    signalProcess(hook.pid, "SIGTERM");
    await tell(rookery, "SessionEnd", { reason: "prompt_input_exit" });
    await waitForOutcome(rookery, question.id, {
      state: "cancelled",
      outcome: "No longer asked: the session ended.",
    });
    expect(await hook.done).toEqual(silent);
  });

  it("exits when its claude is killed -9, and the question is cancelled", async () => {
    const claude = claudes.open();
    const { hook, question } = await asked(rookery, mkdir, claude.pid);
    await claude.kill9();
    await waitForOutcome(rookery, question.id, {
      state: "cancelled",
      outcome: "No longer asked: the session is gone.",
    });
    expect(await hook.done).toEqual(silent);
    await isClean(rookery);
  });

  const post = { tool_use_id: "tu-1", tool_response: {} };
  it.each([
    [
      "the tool ran: allowed in the terminal",
      mkdir,
      "PostToolUse",
      post,
      "answered",
      "Allowed in the terminal.",
    ],
    [
      "it ran and failed",
      mkdir,
      "PostToolUseFailure",
      { ...post, error: "exit 1" },
      "answered",
      "Allowed in the terminal.",
    ],
    [
      "a choice was answered in the terminal",
      choice,
      "PostToolUse",
      { ...post, tool_response: { questions, answers: { "Which DB?": "Postgres" } } },
      "answered",
      "Answered in the terminal: Postgres",
    ],
    [
      "the turn is over",
      mkdir,
      "Stop",
      {},
      "cancelled",
      "No longer asked: the session continued without it.",
    ],
    [
      "the user continues",
      mkdir,
      "UserPromptSubmit",
      { prompt: "never mind", prompt_id: "p-2" },
      "cancelled",
      "No longer asked: the session continued without it.",
    ],
    [
      "the session ends",
      mkdir,
      "SessionEnd",
      { reason: "other" },
      "cancelled",
      "No longer asked: the session ended.",
    ],
  ] as const)("is released when %s", async (_, fields, event, more, state, outcome) => {
    const { hook, question } = await asked(rookery, fields);
    // None of these concerns the question.
    await tell(rookery, "UserPromptSubmit", { prompt: "<task-notification>x</task-notification>" });
    await tell(rookery, "PostToolUse", { ...mkdir, tool_use_id: "tu-other", tool_response: {} });
    await tell(rookery, "Stop", { session_id: "s-other" });
    expect((await openQuestion(rookery)).id).toBe(question.id);
    await tell(rookery, event, { ...fields, ...more });
    await waitForOutcome(rookery, question.id, { state, outcome, verdict: null });
    expect(await hook.done).toEqual(silent);
  });

  it("is matched by its input if the call has no recorded start", async () => {
    const hook = start(rookery, mkdir);
    const question = await openQuestion(rookery);
    await tell(rookery, "PostToolUse", {
      tool_name: "Bash",
      tool_input: { command: "mkdir y" },
      ...post,
      tool_use_id: "tu-8",
    });
    await openQuestion(rookery);
    await tell(rookery, "PostToolUse", { ...mkdir, ...post, tool_use_id: "tu-9" });
    await waitForOutcome(rookery, question.id, { state: "answered", outcome: "Allowed in the terminal." });
    expect(await hook.done).toEqual(silent);
  });

  it("belongs to the new call if the same call was refused before", async () => {
    const refused = await asked(rookery);
    await answer(rookery, refused.question.id, { deny: "not yet" });
    await refused.hook.done;
    await rookery.hook("PreToolUse", payload("PreToolUse", { ...mkdir, tool_use_id: "tu-2" }));
    const hook = start(rookery, mkdir);
    const question = await openQuestion(rookery);
    expect(question.earlier).toMatchObject({ answer: "Denied: not yet" });
    await tell(rookery, "PostToolUse", { ...mkdir, ...post, tool_use_id: "tu-2" });
    await waitForOutcome(rookery, question.id, { state: "answered" });
    expect(await hook.done).toEqual(silent);
    await tell(rookery, "Stop");
    await waitForOutcome(rookery, refused.question.id, { verdict: "confirmed" });
  });

  it("is released at the time limit", async () => {
    const rookery = await rookeries.started({ ...always, ROOKERY_ASK_WAIT_SECONDS: "1" });
    const { hook, question } = await asked(rookery);
    await waitForOutcome(rookery, question.id, { state: "expired" });
    expect(await hook.done).toEqual(silent);
  });

  it.each([
    [
      "allowed, and it ran",
      mkdir,
      { allow: "once" },
      "PostToolUse",
      post,
      "confirmed",
      "Allowed once in the viewer.",
    ],
    [
      "denied, and the turn continues",
      mkdir,
      { deny: "no" },
      "Stop",
      {},
      "confirmed",
      "Denied in the viewer: no",
    ],
    [
      "denied, but it ran",
      mkdir,
      { deny: "no" },
      "PostToolUse",
      post,
      "overruled",
      "Denied in the viewer: no. But the terminal decided first: it ran.",
    ],
    [
      "allowed, but it never ran",
      mkdir,
      { allow: "once" },
      "Stop",
      {},
      "overruled",
      "Allowed once in the viewer. But it was declined or interrupted in the terminal.",
    ],
    [
      "answered, but otherwise in the terminal",
      choice,
      { answers: [["SQLite"]] },
      "PostToolUse",
      { ...post, tool_response: { answers: { "Which DB?": "Postgres" } } },
      "overruled",
      "Answered in the viewer: SQLite. But the terminal answered first: Postgres.",
    ],
    [
      "answered, and so it is",
      choice,
      { answers: [["SQLite"]] },
      "PostToolUse",
      { ...post, tool_response: { answers: { "Which DB?": "SQLite" } } },
      "confirmed",
      "Answered in the viewer: SQLite",
    ],
  ] as const)("%s", async (_, fields, said, event, more, verdict, outcome) => {
    const { hook, question } = await asked(rookery, fields);
    await answer(rookery, question.id, said);
    await hook.done;
    await tell(rookery, event, { ...fields, ...more });
    await waitForOutcome(rookery, question.id, { verdict, outcome });
  });
});

describe("a daemon that is killed -9 while a question is open", () => {
  async function killedWhileAsked(fields: Record<string, unknown> = mkdir) {
    const rookery = await rookeries.started(always);
    const { hook, question } = await asked(rookery, fields);
    await rookery.kill9();
    return { rookery, hook, question };
  }

  it("restarts on another port: the same hook, the same question, and the answer counts", async () => {
    const { rookery, hook, question } = await killedWhileAsked(choice);
    await rookery.start();
    await isAttached(rookery);
    expect((await listQuestions(rookery)).map(({ id }) => id)).toEqual([question.id]);
    await answer(rookery, question.id, { answers: [["SQLite"]] });
    const { decision } = JSON.parse((await hook.done).stdout).hookSpecificOutput;
    expect(decision).toEqual({
      behavior: "allow",
      updatedInput: { questions, answers: { "Which DB?": "SQLite" } },
    });
  });

  it("accepts an answer before the hook is back, and delivers it then", async () => {
    const { rookery, hook, question } = await killedWhileAsked();
    signalProcess(hook.pid, "SIGSTOP");
    await rookery.start();
    expect((await answer(rookery, question.id, { allow: "once" })).status).toBe(200);
    signalProcess(hook.pid, "SIGCONT");
    expect(JSON.parse((await hook.done).stdout).hookSpecificOutput.decision).toEqual({ behavior: "allow" });
  });

  it("learns from the spool that the terminal approved meanwhile", async () => {
    const { rookery, hook, question } = await killedWhileAsked();
    await tell(rookery, "PostToolUse", { ...mkdir, tool_use_id: "tu-1", tool_response: {} });
    await rookery.start();
    await waitForOutcome(rookery, question.id, { state: "answered", outcome: "Allowed in the terminal." });
    expect(await hook.done).toEqual(silent);
  });

  it("learns that the terminal denied meanwhile", async () => {
    const { rookery, hook, question } = await killedWhileAsked();
    signalProcess(hook.pid, "SIGTERM");
    expect(await hook.done).toEqual(silent);
    await rookery.start();
    await waitForOutcome(rookery, question.id, { state: "declined" });
    await isClean(rookery);
  });

  it.runIf(isLong)("closes questions whose hook does not return", async () => {
    const { rookery, hook, question } = await killedWhileAsked();
    signalProcess(hook.pid, "SIGKILL");
    await rookery.start();
    const outcome = "No longer asked: its hook has ended.";
    await waitForOutcome(rookery, question.id, { state: "cancelled", outcome });
  });

  it("does not hold questions that it must not store", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ0123456789";
    const input = { questions: [{ question: `Use ${secret}?`, options: [{ label: "yes" }] }] };
    const { rookery, hook, question } = await killedWhileAsked({
      tool_name: "AskUserQuestion",
      tool_input: input,
    });
    await rookery.start();
    const ended = await waitForOutcome(rookery, question.id, { state: "cancelled" });
    expect(ended.outcome).toContain("answer in the terminal");
    expect(await hook.done).toEqual(silent);
  });
});

describe("a permission asked while the daemon restarts", () => {
  it("is shown elsewhere as soon as the daemon is back", async () => {
    const rookery = await rookeries.started(always);
    await rookery.kill9();
    const hook = start(rookery);
    await waitFor(() =>
      readdirSync(rookery.home.spool).some((name) => name.startsWith("PermissionRequest.")),
    );
    await rookery.start();
    await isAttached(rookery);
    const { id } = await openQuestion(rookery);
    expect((await postAnswer(person, rookery, id, { allow: "once" })).status).toBe(200);
    expect((await hook.done).stdout).toContain("allow");
    expect(readdirSync(rookery.home.spool)).toEqual([]);
  });

  it.runIf(isLong)(
    "is left to the terminal if the daemon was stopped by the user, or stays away",
    async () => {
      const rookery = await rookeries.started(always);
      await rookery.cli("stop");
      const startedAt = performance.now();
      expect(await start(rookery).done).toMatchObject({ code: 0, stdout: "" });
      // It would try for eight seconds.
      expect(performance.now() - startedAt).toBeLessThan(8_000);
      rmSync(rookery.home.stoppedByUser);
      expect(await start(rookery).done).toMatchObject({ code: 0, stdout: "" });
    },
  );
});

describe("many questions at once", () => {
  it("each hook gets the answer to its own", async () => {
    const rookery = await rookeries.started(always);
    const count = isLong ? 200 : 60;
    const commands = Array.from({ length: count }, (_, n) => `make target-${n}`);
    const running = new Map<string, WaitingHook>();
    for (const [n, command] of commands.entries()) {
      running.set(
        command,
        start(rookery, { session_id: `s-${n % 10}`, tool_name: "Bash", tool_input: { command } }),
      );
      // In batches: a loaded machine takes longer to start all shells than a hook waits for the bell.
      if (n % 20 === 19) await isAttached(rookery, n + 1);
    }
    const open = await openQuestions(rookery, count);
    await Promise.all(open.map(({ id, subject }) => answer(rookery, id, { deny: `not ${subject?.text}` })));
    for (const [command, hook] of running) {
      const { decision } = JSON.parse((await hook.done).stdout).hookSpecificOutput;
      expect(decision).toEqual({ behavior: "deny", message: `not ${command}` });
    }
    await isClean(rookery);
    expect(await openQuestions(rookery, 0)).toEqual([]);
  });
});
