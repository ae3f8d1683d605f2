import { readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectClient } from "../support/mcp-client.ts";
import { waitFor } from "../support/processes.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { placeTranscript } from "../support/transcripts.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const person = useOutside();
const rookeries = useRookeriesWithoutRooms();

const prompt = (rookery: Rookery, id: string, text: string, fields: object = {}) =>
  rookery.hook(
    "UserPromptSubmit",
    makePayload("UserPromptSubmit", { prompt_id: id, prompt: text, ...fields }),
  );
const stop = (rookery: Rookery, id: string, text: string) =>
  rookery.hook("Stop", makePayload("Stop", { prompt_id: id, last_assistant_message: text }));
const search = async (
  rookery: Rookery,
  query: string,
): Promise<{ kind: string; title: string; why: string }[]> =>
  (await rookery.call("GET", `/api/search?${query}`)).json.results;
const titles = (rookery: Rookery): string[] =>
  rookery.query<{ title: string }>("SELECT title FROM observations").map(({ title }) => title);

describe("a prompt", () => {
  it("is found while its turn still runs, and once only when it has ended", async () => {
    const rookery = await rookeries.started();
    await prompt(rookery, "p-1", "why does the gizmotron overheat?");
    await waitFor(async () => (await search(rookery, "q=gizmotron")).length === 1, {
      describe: "the prompt to be found",
    });
    await prompt(rookery, "p-1", "look at the quandrible, too");
    await stop(rookery, "p-1", "It is dusty.");
    await waitFor(() => rookery.query("SELECT 1 FROM turns WHERE distilled_at IS NOT NULL").length === 1);
    expect(await search(rookery, "q=gizmotron&kind=prompt")).toHaveLength(1);
    expect(await search(rookery, "q=quandrible&kind=prompt")).toHaveLength(1);
    expect(rookery.query("SELECT number FROM prompts ORDER BY rowid")).toEqual([
      { number: 1 },
      { number: 2 },
    ]);
  });

  it("is not indexed if it is a machine's, of a project that is off, or one of our own commands", async () => {
    const rookery = await rookeries.started();
    await prompt(rookery, "p-1", "<task-notification>gizmotron</task-notification>");
    await prompt(rookery, "p-2", "/rookery:recall gizmotron");
    const [project] = (await rookery.call("GET", "/api/projects")).json.projects;
    await person.call(rookery, "PATCH", `/api/projects/${project.id}`, { mode: "off" });
    await prompt(rookery, "p-3", "the gizmotron is secret");
    await person.call(rookery, "PATCH", `/api/projects/${project.id}`, { mode: "on" });
    await prompt(rookery, "p-4", "a visible quandrible");
    await waitFor(async () => (await search(rookery, "q=quandrible")).length === 1);
    expect(await search(rookery, "q=gizmotron&kind=prompt")).toEqual([]);
  });
});

describe("a turn that was interrupted", () => {
  /** After the daemon has processed everything that it found at its start. */
  async function startedAndIdle(): Promise<Rookery> {
    const rookery = await rookeries.started();
    await prompt(rookery, "p-0", "From now on, always run the linter.");
    await stop(rookery, "p-0", "Noted.");
    await waitFor(() => titles(rookery).length === 1, { describe: "the first note" });
    return rookery;
  }

  it("is distilled when the next prompt comes, not when that one's turn ends", async () => {
    const rookery = await startedAndIdle();
    await prompt(rookery, "p-1", "From now on, never use tabs in Makefiles.");
    await prompt(rookery, "p-2", "run the tests");
    await waitFor(() => titles(rookery).some((title) => title.includes("tabs in Makefiles")), {
      describe: "the note of the interrupted turn",
    });
    expect(rookery.query("SELECT outcome FROM turns ORDER BY number")).toEqual([
      { outcome: "completed" },
      { outcome: "interrupted" },
      { outcome: null },
    ]);
  });

  it.each([
    ["is closed and distilled when its transcript has been quiet for a minute", 58_000, "interrupted"],
    ["stays open until then", 1_000, null],
  ])("%s", async (_case, agoMs, outcome) => {
    const rookery = await startedAndIdle();
    const text = "From now on, never use tabs in Makefiles.";
    const cwd = join(rookery.folder, "orders");
    const facts = {
      sessionId: "s-7",
      cwd,
      isSidechain: false,
      promptId: "p-7",
      timestamp: new Date(Date.now() - agoMs).toISOString(),
    };
    const say = (uuid: string, content: string) => ({
      ...facts,
      type: "user",
      uuid,
      message: { role: "user", content },
    });
    const lines = [say("u-1", text), say("u-2", "[Request interrupted by user]")];
    const transcript = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    const path = placeTranscript(join(rookery.folder, ".claude"), transcript, "s-7");
    utimesSync(path, (Date.now() - agoMs) / 1_000, (Date.now() - agoMs) / 1_000);
    await prompt(rookery, "p-7", text, { session_id: "s-7", cwd, transcript_path: path });
    const outcomeOf = () => rookery.query("SELECT outcome FROM turns WHERE session_id = 's-7'")[0]?.outcome;
    const note = () => titles(rookery).some((title) => title.includes("tabs in Makefiles"));
    if (outcome === null) {
      // One more round of checks, which find nothing for the first session either.
      await prompt(rookery, "p-8", "run the tests");
      await stop(rookery, "p-8", "They pass.");
      await waitFor(() => rookery.query("SELECT 1 FROM turns WHERE distilled_at IS NOT NULL").length === 2);
      expect(note()).toBe(false);
    } else await waitFor(note, { describe: "the note of the interrupted turn" });
    expect(outcomeOf()).toBe(outcome);
  });
});

describe("the log", () => {
  it("says what became of each turn", async () => {
    const rookery = await rookeries.started();
    await prompt(rookery, "p-1", "From now on, never use tabs in Makefiles.");
    await stop(rookery, "p-1", "Noted.");
    await waitFor(() => titles(rookery).length === 1);
    const [turn] = rookery.query("SELECT id FROM turns");
    const [note] = rookery.query("SELECT id FROM observations");
    const lines = () =>
      readFileSync(rookery.home.log, "utf8")
        .split("\n")
        .filter((line) => line.includes('"turn distilled"'))
        .map((line) => JSON.parse(line));
    // Written after the commit.
    await expect
      .poll(lines)
      .toMatchObject([{ turn: turn.id, outcome: "completed", found: 1, stored: [note.id] }]);
  });
});

describe("a search without words", () => {
  it("lists the newest of a file, a folder or a time; without any filter it finds nothing", async () => {
    const rookery = await rookeries.started();
    const save = (text: string, files: string[]) =>
      rookery.call("POST", "/api/notes", { project: "aviary", type: "discovery", text, files });
    await save("The pool is shared.", ["src/pool.ts"]);
    await save("The pool is closed at exit.", ["src/pool.ts"]);
    await save("The queue is durable.", ["src/queue/queue.ts"]);
    const found = async (query: string) => (await search(rookery, query)).map(({ title }) => title);
    expect(await found("file=src/pool.ts")).toEqual(["The pool is closed at exit.", "The pool is shared."]);
    expect(await found("file=queue.ts")).toEqual(["The queue is durable."]);
    expect(await found("folder=src/queue")).toEqual(["The queue is durable."]);
    // Only the files directly in it.
    expect(await found("folder=src")).toEqual(["The pool is closed at exit.", "The pool is shared."]);
    expect(await found(`from=${Date.now() - 60_000}&limit=2`)).toHaveLength(2);
    expect(await found(`from=${Date.now() + 60_000}`)).toEqual([]);
    expect(await found("kind=note")).toEqual([]);
    expect((await search(rookery, "file=queue.ts"))[0]?.why).toBe("newest");
    const client = await connectClient(rookery);
    try {
      for (const file of ["src/queue/", "src/queue/queue.ts"]) {
        const { text } = await client.call("memory_search", { file, project: "*" });
        expect(text).toContain("The queue is durable.");
        expect(text).not.toContain("pool");
      }
    } finally {
      await client.close();
    }
    expect((await rookery.cli("search", "--file", "src/pool.ts")).stdout).toContain("The pool is shared.");
    expect(await rookery.cli("search")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Missing words"),
    });
  });
});
