import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Distilled, DraftNote } from "../../domain/memory/turn-record.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import { selectForgotten } from "../../store/select-forgotten.ts";
import { keepNote } from "./keep-note.ts";
import { placeLooseFindings, type TurnPlace } from "./loose-findings.ts";
import { withdrawStatements } from "./withdraw.ts";

const folder = mkdtempSync(join(tmpdir(), "rk-keep-note-"));
afterAll(() => rmSync(folder, { recursive: true }));

const project = {
  id: "p1",
  path: folder,
  name: "p",
  fingerprint: null,
  mode: "on" as const,
  leases: "warn" as const,
  createdAt: 1,
};
let store: Store;
let opened = 0;
let turn = 0;
beforeEach(() => {
  store = openStore(join(folder, `${(opened += 1)}.db`), () => 3);
  store.projects.insert(project);
  turn = 0;
  for (const id of ["s1", "s2"]) insertSession(id);
  return () => store.close();
});

const sweepCommit: Partial<Distilled> = {
  type: "bugfix",
  title: "cache: evict expired sessions before new ones",
  narrative: "Expired sessions were only removed on read, so a cache that nobody read grew without limit.",
  provenance: "commit",
};

const bareNote: Distilled = {
  type: "discovery",
  title: "",
  narrative: "",
  facts: [],
  concepts: [],
  filesRead: [],
  filesModified: [],
  sourceEvents: [],
  provenance: "distil",
};

function insertSession(id: string): void {
  store.agents.insert({ id, name: id, project: id, projectName: "p", seat: 1, createdAt: 1 });
  store.sessions.insert({
    id,
    agentId: id,
    host: "claude-code",
    project: "/p",
    cwd: "/p",
    transcriptPath: null,
    hostPid: null,
    pidStarted: null,
    source: "startup",
    model: null,
    title: null,
    branch: null,
    status: "active",
    statusAt: 1,
    endReason: null,
    startedAt: 1,
    lastEventAt: 1,
  });
}

function insertTurn(sessionId: string): void {
  turn += 1;
  store.turns.insert({
    id: `t${turn}`,
    sessionId,
    promptId: null,
    originKind: "human",
    lastAssistantMessage: null,
    outcome: "completed",
    startedAt: turn,
    endedAt: turn,
  });
}

/** Keeps a note of a new turn of the session. */
function keep(fields: Partial<Distilled>, sessionId = "s1") {
  insertTurn(sessionId);
  const note = { ...bareNote, sourceEvents: [`e${turn}`], ...fields };
  return store.db.transaction(() => keepNote(store, { note, place: placeOf(sessionId) }));
}

/** The latest turn. */
function placeOf(sessionId: string): TurnPlace {
  return {
    projectId: project.id,
    files: { worktree: null, nameOf: (path: string) => path },
    sessionId,
    turnId: `t${turn}`,
    promptNumber: turn,
    at: turn,
  };
}

test("a commit message becomes the text of the notes about its work", () => {
  const cause = keep({
    title: "The session cache removes expired sessions only when they are read",
    narrative: "`SessionCache.get` drops an expired entry, nothing else does.",
    filesModified: ["src/cache.ts"],
  }).note;
  const detail = keep({ title: "Expired sessions in the cache are counted as active" }).note;
  const { note, isNew } = keep({ ...sweepCommit, facts: ["Asked: commit it"] });
  expect(isNew).toBe(false);
  expect(note).toMatchObject({
    id: cause.id,
    title: sweepCommit.title,
    narrative: sweepCommit.narrative,
    type: "bugfix",
    provenance: "commit",
    filesModified: ["src/cache.ts"],
    sourceEvents: expect.arrayContaining(["e1", "e2", "e3"]),
  });
  expect(note.facts).toEqual(expect.arrayContaining(["Asked: commit it", cause.narrative]));
  expect(store.notes.byId(detail.id)).toMatchObject({
    supersededBy: cause.id,
    supersededBecause: "its commit describes it",
  });
});

test("a pull request about the same work adds to the commit's note", () => {
  const commit = keep(sweepCommit).note;
  const pull = keep({
    ...sweepCommit,
    title: "Evict expired sessions",
    narrative: "Sweeps the cache on write.",
  });
  expect(pull).toMatchObject({ isNew: false, note: { id: commit.id, title: "Evict expired sessions" } });
});

test("a commit about other work keeps its own note", () => {
  const commit = keep(sweepCommit).note;
  const later = keep({
    ...sweepCommit,
    title: "cache: never evict sessions of administrators",
    narrative: "Expired sessions before new ones: the cache evicts them, except those of administrators.",
  });
  expect(later.isNew).toBe(true);
  expect(store.notes.byId(commit.id)).toMatchObject({ title: sweepCommit.title, supersededBy: null });
});

test("a merged note states nothing twice, but keeps a statement that denies another", () => {
  const text = "`sweepCache` removes expired sessions on read only, never on write.";
  keep({ title: "The session cache removes expired sessions only when they are read", narrative: text });
  const { note } = keep({
    ...sweepCommit,
    facts: [
      text,
      "Expired sessions were only removed on read.",
      "Expired sessions were not only removed on read.",
    ],
  });
  expect(note.facts).toEqual([text, "Expired sessions were not only removed on read."]);
});

test.each([
  ["other work", { title: "The login page has no autofocus", filesModified: ["src/login.ts"] }, "s1"],
  ["s2", { title: "The session cache removes expired sessions only when read" }, "s2"],
  [
    "a decision of the user",
    {
      type: "decision" as const,
      title: "Should expired sessions stay in the cache? → No",
      provenance: "answer" as const,
    },
    "s1",
  ],
])("%s keeps its note beside a commit", (_name, fields, session) => {
  const other = keep(fields, session).note;
  expect(keep(sweepCommit).isNew).toBe(true);
  expect(store.notes.byId(other.id)).toMatchObject({ title: other.title, supersededBy: null });
});

test("a retracted statement stays with its note, but search no longer finds it", () => {
  const { note } = keep({
    title: "Labels of returned parcels are printed twice",
    narrative: "Labels of returned parcels are printed twice. Probably the spooler has a bug with retries.",
  });
  const search = (query: string): string[] =>
    store.db
      .all<{ ref: string }>(
        "SELECT r.ref FROM memory_fts f JOIN memory_rows r ON r.rowid = f.rowid WHERE memory_fts MATCH ?",
        query,
      )
      .map(({ ref }) => ref);
  expect(search("spooler")).toEqual([note.id]);
  const later = {
    sessionId: "s1",
    turnId: "t9",
    at: 9,
    prompt: "commit it",
    final: "The scanner sent each parcel twice; the spooler and its retries had no bug.",
    notes: [{ type: "bugfix" as const, provenance: "commit" as const }],
    removed: [],
  };
  store.db.transaction(() => withdrawStatements(store, later, undefined));
  expect(search("spooler")).toEqual([]);
  const kept = store.notes.byId(note.id);
  expect(kept?.narrative).toBe("Labels of returned parcels are printed twice.");
  expect(kept?.facts).toEqual([
    "Withdrawn: Probably the spooler has a bug with retries. (a guess, before a later turn found the cause)",
  ]);
});

/** Ends a turn without a note. */
function keepLoose(fact: string, sessionId = "s1", draft?: DraftNote) {
  insertTurn(sessionId);
  return placeLooseFindings(store, placeOf(sessionId), { facts: [fact], ...(draft ? { draft } : {}) });
}

test("a loose fact is added to the session's note about the same thing, once, or to one near by", () => {
  const note = keep({
    title: "`sweepCache` removes expired sessions on read only",
    narrative: "A cache that nobody reads grows without limit.",
    facts: ["The limit is 500."],
  });
  const other = keep({ title: "The build needs Java 21", narrative: "Gradle fails with Java 17." });
  const rule = keep({ type: "preference", title: "Never use tabs", narrative: "never use tabs" });
  const fact = "`sweepCache` runs every ten minutes.";
  keepLoose("The mirror is slow on Mondays.");
  keepLoose(fact);
  keepLoose(fact);
  keepLoose("Bananas are yellow.");
  keepLoose(fact, "s2");
  expect(store.notes.byId(note.note.id)?.facts).toEqual(["The limit is 500.", fact]);
  expect(store.notes.byId(other.note.id)?.facts).toEqual(["The mirror is slow on Mondays."]);
  expect(store.notes.byId(rule.note.id)?.facts).toEqual([]);
});

test("a loose fact that fits no note waits, and then joins the nearest note of its session", () => {
  const fact = "The lexer reads one character ahead.";
  keep({ type: "decision", title: "Use Redis for sessions", narrative: "Redis, not Postgres." });
  keepLoose(fact);
  expect(store.turns.listLooseFindings("s1").map(({ facts }) => facts)).toEqual([[fact]]);
  for (let n = 0; n < 5; n += 1) insertTurn("s1");
  const told = { title: "The mirror is rebuilt at midnight", narrative: "It takes ten minutes." };
  const { note } = keep(told);
  keepLoose("Nothing else.");
  expect(store.notes.byId(note.id)?.facts).toEqual([fact, "Nothing else."]);
  expect(store.turns.listLooseFindings("s1")).toEqual([]);
});

test("a loose fact waits for the note about the same thing rather than joining another", () => {
  keep({ title: "The mirror is rebuilt at midnight", narrative: "It takes ten minutes." });
  for (let n = 0; n < 4; n += 1) insertTurn("s1");
  keepLoose("`sweepCache` runs every ten minutes.");
  const { note } = keep({
    title: "`sweepCache` removes expired sessions on read only",
    narrative: "They pile up.",
  });
  keepLoose("`sweepCache` has no test.");
  expect(store.notes.byId(note.id)?.facts).toHaveLength(2);
});

function makeDraft(title: string, findings: number, titleRank: number): DraftNote {
  const note = { ...bareNote, title, narrative: `${title}. Seen in the log.`, worth: 0.8 };
  return { note, findings, titleRank };
}

test("turns that are not worth a note by themselves become one together, named by the clearest title", () => {
  const clear = "The proxy drops idle connections after 30 s";
  expect(keepLoose("The pool keeps 20.", "s1", makeDraft("Something about pools", 0.9, 0.4))).toBeUndefined();
  expect(keepLoose("No keep-alive is sent.", "s1", makeDraft(clear, 0.8, 2))).toBeUndefined();
  const note = keepLoose("The client reconnects.", "s1", makeDraft("It reconnects", 0.4, 1.3));
  expect(note).toMatchObject({ title: clear, turnId: "t2", sessionId: "s1" });
  expect(note?.facts).toEqual(["The pool keeps 20.", "The client reconnects."]);
  expect(store.notes.listFurtherTurns(note?.id ?? "")).toEqual(["t1", "t3"]);
  expect(store.turns.listLooseFindings("s1")).toEqual([]);
  keepLoose("The timeout is set in nginx.", "s1", makeDraft("A timeout in nginx", 1, 1.5));
  expect(store.notes.byId(note?.id ?? "")?.facts).toContain("The timeout is set in nginx.");
});

test("notes of one session in two projects stay apart", () => {
  store.projects.insert({ ...project, id: "p2", path: join(folder, "other"), name: "other" });
  const told = { title: "`sweepCache` removes expired sessions on read only", narrative: "They pile up." };
  const { note } = keep(told);
  const place = { ...placeOf("s1"), projectId: "p2" };
  const other = { ...bareNote, ...told, narrative: `${told.narrative} A cache grows without limit.` };
  const kept = store.db.transaction(() => keepNote(store, { note: other, place }));
  expect(kept).toMatchObject({ isNew: true, note: { projectId: "p2" } });
  expect(store.notes.byId(note.id)).toEqual(note);
});

test("turns whose titles are all unclear wait until they have found out a lot", () => {
  const loose = (n: number) =>
    keepLoose(`The pool keeps ${n}.`, "s1", makeDraft(`As above (${n})`, 1.5, 0.9));
  expect([loose(1), loose(2)]).toEqual([undefined, undefined]);
  expect(loose(3)).toMatchObject({ title: "As above (1)" });
});

test("findings far from the session's notes become a note of their own", () => {
  const { note } = keep({ title: "The mirror is rebuilt at midnight", narrative: "It takes ten minutes." });
  for (let n = 0; n < 4; n += 1) insertTurn("s1");
  const clear = "The proxy drops idle connections after 30 s";
  expect(keepLoose("No keep-alive is sent.", "s1", makeDraft(clear, 2.1, 2))).toMatchObject({ title: clear });
  expect(store.notes.byId(note.id)?.facts).toEqual([]);
});

test("of two notes that say the same, the facts of both are kept", () => {
  const told = {
    title: "The registry mirror is rebuilt at midnight by a timer",
    narrative: "It is rebuilt at midnight.",
  };
  keep({ ...told, facts: ["It takes ten minutes."] });
  const { note } = keep({
    ...told,
    narrative: "It is rebuilt at midnight, by a timer.",
    facts: ["Builds fail then."],
  });
  expect(store.notes.byId(note.id)?.facts).toEqual(["Builds fail then.", "It takes ten minutes."]);
  const other = "The old one took an hour, because every package was downloaded again.";
  const next = keep({ ...told, narrative: `${other} The mirror keeps them.`, facts: [] }).note;
  expect(next.id).toBe(note.id);
  expect(store.notes.byId(note.id)?.facts).toContain("It is rebuilt at midnight, by a timer.");
});

test("a note whose title is retracted says so, if the turn has no note to replace it", () => {
  const statement = "The warnings of the label printer are resolved.";
  const { note } = keep({ title: statement, narrative: `${statement} The driver was too old.` });
  const later = {
    sessionId: "s1",
    turnId: "t9",
    at: 9,
    prompt: "I printed again and the warnings of the label printer are still there",
    final: "Let me look at the driver.",
    notes: [],
    removed: [],
  };
  for (const turnId of ["t9", "t10"])
    store.db.transaction(() => withdrawStatements(store, { ...later, turnId }, undefined));
  expect(store.notes.byId(note.id)?.title).toBe(`Withdrawn: ${statement}`);
});

test("forgetting a turn forgets the notes of other turns that contain its text", () => {
  const listForgotten = (turnId: string): string[] => {
    const texts = { request: "", investigated: "", learned: "", completed: "", nextSteps: "", notes: "" };
    const from = { projectId: project.id, sessionId: "s1", turnId, provenance: "distil", createdAt: 1 };
    store.summaries.put({ id: turnId, ...texts, ...from, filesRead: [], filesModified: [] });
    const documents = [{ kind: "summary", id: turnId } as const];
    return [...selectForgotten(store.db, { by: "documents", documents }).observations];
  };
  const cache = keep({
    title: "The session cache removes expired sessions only when they are read",
    narrative: "`SessionCache.get` drops an expired entry, nothing else does.",
    filesModified: ["src/cache.ts"],
  }).note;
  const mirror = keep({ title: "The mirror of the package registry is rebuilt at midnight" }).note;
  keepLoose("The mirror is slow.");
  keep(sweepCommit);
  expect(listForgotten("t3")).toEqual([mirror.id]);
  expect(listForgotten("t4")).toEqual([cache.id]);
  store.notes.remove(mirror.id);
  expect(listForgotten("t3")).toEqual([]);
});
