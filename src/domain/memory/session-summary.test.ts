import { expect, test } from "vitest";
import { findRequest, type SessionTurn, summariseSession } from "./session-summary.ts";

function turn(
  prompt: string,
  extra: Partial<SessionTurn> & { nextSteps?: string; completed?: string; filesRead?: string[] } = {},
): SessionTurn {
  const { nextSteps = "", completed = "", filesRead = [], ...more } = extra;
  const empty = {
    request: prompt,
    investigated: "",
    learned: "",
    notes: "",
    filesRead,
    filesModified: ["src/a.ts"],
  };
  return {
    prompt,
    final: "",
    outcome: "completed",
    notes: [],
    summary: { ...empty, completed, nextSteps },
    ...more,
  };
}

const open = "The retry limit for `fetchAll` is not implemented yet";

test("the eight fields come from the turns and their notes", () => {
  const summary = summariseSession({
    title: null,
    turns: [
      turn("ok"),
      turn("Please make the importer retry on 429 responses", {
        filesRead: ["src/fetch.ts"],
        notes: [
          { type: "feature", title: "The importer waits for Retry-After" },
          { type: "gotcha", title: "The API counts HEAD requests, too" },
          { type: "decision", title: "Which limit? → Five attempts" },
        ],
      }),
      turn("and the docs", { nextSteps: open, outcome: "interrupted", final: "The docs are done." }),
    ],
    later: [],
  });
  expect(summary).toEqual({
    request: "Make the importer retry on 429 responses",
    investigated: "src/fetch.ts",
    learned: "The API counts HEAD requests, too",
    completed: "The importer waits for Retry-After",
    nextSteps: open,
    notes: "Decided: Which limit? → Five attempts. The last turn was interrupted.",
    filesRead: ["src/fetch.ts"],
    filesModified: ["src/a.ts"],
  });
});

const said = (type: string, title: string, narrative = title): SessionTurn["notes"][number] => ({
  type,
  title,
  narrative,
  provenance: "distil",
});

test.each([
  ["a finding", said("gotcha", "`parseLabel` never accepts a code without its check digit"), true],
  [
    "a finding whose title was cut, with its whole sentence",
    said(
      "discovery",
      "The scanner only opens the port",
      "The scanner only opens the port when the first parcel arrives.",
    ),
    "The scanner only opens the port when the first parcel arrives",
  ],
  ["a proposal", said("discovery", "Option B would read the label twice, never the parcel"), false],
  ["the result of a run", said("discovery", "254 tests passed, only 3 were slow"), false],
  ["an edit", said("discovery", "`parseLabel` now takes the code without its check digit"), false],
  ["a plan", said("gotcha", "Bind the port per parcel, never per scanner"), false],
])("learned: %s", (_name, note, expected) => {
  const learned = summariseSession({
    title: null,
    turns: [turn("go", { notes: [note] })],
    later: [],
  })?.learned;
  expect(learned).toBe(expected === true ? note.title : expected === false ? "" : expected);
});

test.each([
  [
    "names of work, not sentences about it",
    [
      said("feature", "Show the carrier in the list of parcels"),
      said("change", "The `carrier` column is read from the cache"),
    ],
    "Show the carrier in the list of parcels",
  ],
  [
    "a report, if there is no name",
    [
      said("change", "Removed the `carrier` column from the list"),
      said("change", "`list.ts`: 410: 290 (-120)"),
    ],
    "Removed the `carrier` column from the list",
  ],
  ["nothing, if no sentence reports work", [said("change", "The list of parcels could be sorted")], ""],
])("completed: %s", (_name, notes, completed) => {
  expect(summariseSession({ title: null, turns: [turn("go", { notes })], later: [] })?.completed).toBe(
    completed,
  );
});

test.each([
  [said("preference", "Never print a label without its weight"), true],
  [said("preference", "Let's respond to the review comments first"), false],
  [said("decision", "Which areas do you want to discuss? → Labels, weights"), false],
])("decided: %j", (note, isDecided) => {
  const notes = summariseSession({ title: null, turns: [turn("go", { notes: [note] })], later: [] })?.notes;
  expect(notes).toBe(isDecided ? `Decided: ${note.title}.` : "");
});

test("learned lists whole titles", () => {
  const titles = Array.from({ length: 5 }, (_, n) =>
    `Finding ${n} ${"about the retries of the importer ".repeat(3)}`.trim(),
  );
  const notes = titles.map((title) => ({ type: "discovery", title }));
  const learned =
    summariseSession({ title: null, turns: [turn("look", { notes })], later: [] })?.learned ?? "";
  expect(learned.split(" · ").every((title) => titles.includes(title))).toBe(true);
  expect(learned.split(" · ").length).toBeGreaterThan(2);
});

test("the host's title is the request", () => {
  expect(summariseSession({ title: "Importer retries", turns: [turn("do it")], later: [] })?.request).toBe(
    "Importer retries",
  );
});

test("a session without notes has no summary", () => {
  expect(
    summariseSession({ title: "x", turns: [{ ...turn("hi"), summary: undefined }], later: [] }),
  ).toBeUndefined();
});

test.each([
  ["stays open", "Next: the docs page", "I rewrote the docs page.", open],
  ["is closed by a later turn", "go on", "The retry limit for `fetchAll` is now implemented.", ""],
  [
    "stays open when it is only mentioned again",
    "go on",
    "The retry limit for `fetchAll` is still missing.",
    open,
  ],
  ["is dismissed by the user", "we don't need a retry limit for fetchAll", "", ""],
])("an open end %s", (_name, prompt, told, nextSteps) => {
  const turns = [turn("Make the importer retry", { nextSteps: open })];
  const [first] = turns;
  const inTheSession = summariseSession({
    title: null,
    turns: [...(first ? [first] : []), turn(prompt, { final: told })],
    later: [],
  });
  const inALaterSession = summariseSession({ title: null, turns, later: [{ prompt, told }] });
  expect([inTheSession?.nextSteps, inALaterSession?.nextSteps]).toEqual([nextSteps, nextSteps]);
});

test.each([
  ["an interrupted request", { outcome: "interrupted" }, "Not finished: Move the filter bar below the list"],
  [
    "a request that the host ended before an edit",
    { outcome: "abandoned", isRead: true },
    "Not finished: Move the filter bar below the list",
  ],
  ["edits in a turn whose end is unknown", { outcome: "abandoned" }, ""],
  [
    "an interrupted turn that reports its result",
    { outcome: "interrupted", final: "The bar is moved: done." },
    "",
  ],
  [
    "a choice that the user did not make",
    { final: "Both work. Should I read the limit from `config.json`, or keep it in the code?" },
    "Not decided: Should I read the limit from `config.json`, or keep it in the code?",
  ],
  ["an offer", { final: "All green. Should I commit this now, or run the slow tests first?" }, ""],
  [
    "commits that were not pushed",
    { final: "Committed as `4be2f10` on `main`. Not pushed yet — want me to push?" },
    "Committed as `4be2f10` on `main`. Not pushed yet",
  ],
])(
  "at the end of a session: %s",
  (_name, { isRead = false, ...last }: Partial<SessionTurn> & { isRead?: boolean }, nextSteps) => {
    const first = turn("Add a filter bar to the list of orders");
    const asked = turn("please move the filter bar below the list", last);
    if (isRead && asked.summary) asked.summary.filesModified = [];
    const ofTurns = (turns: SessionTurn[]): string | undefined =>
      summariseSession({ title: null, turns, later: [] })?.nextSteps;
    expect(ofTurns([first, asked])).toBe(nextSteps);
    expect(ofTurns([first, asked, turn("Now the footer of the page")])).toBe("");
  },
);

test.each([
  [
    "a later session was asked for it",
    "Move the filter bar below the order list",
    "The bar is below the list.",
    "",
  ],
  [
    "a later session did something else",
    "Sort the orders by date",
    "They are sorted.",
    "Not finished: Move the filter bar below the list",
  ],
])("an unfinished request, when %s", (_name, prompt, told, nextSteps) => {
  const turns = [turn("Move the filter bar below the list", { outcome: "interrupted" })];
  expect(summariseSession({ title: null, turns, later: [{ prompt, told }] })?.nextSteps).toBe(nextSteps);
});

test.each([
  ["dismisses", "never mind, leave it"],
  ["agrees to", "yes, do it"],
])("a prompt that %s an open end counts only as a reply to it", (_name, prompt) => {
  const told = "All green.";
  const nextSteps = "The retry limit for `fetchAll` is missing";
  const first = turn("Make the importer retry", { nextSteps });
  const ofTurns = (turns: SessionTurn[], later: { prompt: string; told: string }[]): string | undefined =>
    summariseSession({ title: null, turns, later })?.nextSteps;
  expect(ofTurns([first, turn(prompt, { final: told })], [])).toBe("");
  expect(ofTurns([first], [{ prompt, told }])).toBe(nextSteps);
});

test.each([
  [
    "a later session was asked for the phase",
    "Execute phase 12.3: all four plans",
    "/plan:execute 12.3",
    true,
  ],
  [
    "a later session was asked for another phase",
    "Execute phase 12.3: all plans",
    "/plan:execute 12.31",
    false,
  ],
  ["a later session was asked for the issue", "SHOP-41 is not fixed yet", "take SHOP-41 next", true],
])("numbered work, when %s", (_name, nextSteps, prompt, isClosed) => {
  const turns = [turn("Plan the release", { nextSteps })];
  const later = [{ prompt, told: "All four are there." }];
  expect(summariseSession({ title: null, turns, later })?.nextSteps).toBe(isClosed ? "" : nextSteps);
});

test("a commit of a later session closes what it describes", () => {
  const turns = [turn("Make the importer retry", { nextSteps: open })];
  const did = ["importer: add a retry limit to fetchAll. It is five by default."];
  const later = (work: string[]) => [{ prompt: "go on with the importer", told: "Committed.", did: work }];
  expect(summariseSession({ title: null, turns, later: later(did) })?.nextSteps).toBe("");
  expect(summariseSession({ title: null, turns, later: later(["importer: log each page"]) })?.nextSteps).toBe(
    open,
  );
});

test("agreeing to a proposal closes what the proposal named, not what it put off", () => {
  const nextSteps = "The export still needs a test · Windows support is deferred to the next release";
  const turns = [
    turn("Write the export", { nextSteps }),
    turn("yes, do it", { final: "The test is there." }),
  ];
  expect(summariseSession({ title: null, turns, later: [] })?.nextSteps).toBe(
    "Windows support is deferred to the next release",
  );
});

test("open ends of earlier turns in the session do not count", () => {
  const turns = [
    turn("Start", { nextSteps: open }),
    ...["a", "b", "c"].map((name) => turn(`Then do part ${name}`)),
  ];
  expect(summariseSession({ title: null, turns, later: [] })?.nextSteps).toBe("");
});

test.each([
  [["continue", "yes", "Add a dark mode to the settings page"], "Add a dark mode to the settings page"],
  [["Implement the following plan:\n\n# Retry uploads on 429\n\nSteps …"], "Retry uploads on 429"],
  [["look at https://github.com/a/b/issues/12 and find the cause"], "Look at issue 12 and find the cause"],
  [
    ["commit this, then push the branch", "Make the importer retry on 429 responses"],
    "Make the importer retry on 429 responses",
  ],
  [["commit this, then push the branch"], "Commit this, then push the branch"],
  [
    ["Operation stopped by hook: another session is active", "Make the importer retry"],
    "Make the importer retry",
  ],
  [
    ["Some things about the importer:\n1. does it retry?\n2. how often?"],
    "Some things about the importer: does it retry?",
  ],
  [["[Image #1] why is the header two lines high?"], "Why is the header two lines high?"],
])("the request of %j", (prompts, request) => {
  expect(findRequest(prompts)).toBe(request);
});
