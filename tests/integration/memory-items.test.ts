import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectClient } from "../support/mcp-client.ts";
import { launcher, postAnswer } from "../support/person-elsewhere.ts";
import { openRookery, type Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { waitUntilDistilled } from "../support/written-session.ts";

const person = useOutside();
let rookery: Rookery;
const folder = "/nowhere/orders-api";

beforeEach(async () => {
  rookery = openRookery();
  await rookery.start();
});
afterEach(() => rookery.close());

async function hook(event: string, fields: object): Promise<void> {
  await rookery.hook(event, { session_id: "s-1", cwd: folder, hook_event_name: event, ...fields });
}

async function turn(id: string, prompt: string, final: string): Promise<void> {
  await hook("UserPromptSubmit", { prompt_id: id, prompt });
  await hook("Stop", { prompt_id: id, last_assistant_message: final });
}

const search = async (query: string) =>
  (await rookery.call("GET", `/api/search?limit=50&${query}`)).json.results as {
    id: string;
    kind: string;
    title: string;
  }[];

/** One row of every kind, all about walnuts. */
async function seedEveryKind(): Promise<Record<string, string>> {
  await hook("SessionStart", { source: "startup" });
  await turn(
    "p-1",
    "why do the walnut imports stop at midnight?",
    "Fixed. The walnut import stopped because its cursor was closed at midnight by the nightly backup.",
  );
  await waitUntilDistilled(rookery);
  const body = {
    question: "Which walnut supplier first?",
    options: ["Oslo", "Bergen"],
    cwd: folder,
    wait: false,
  };
  const { json: asked } = await rookery.call("POST", "/api/questions", body);
  expect(await postAnswer(person, rookery, asked.question.id, { answers: [["Oslo"]] })).toMatchObject({
    status: 200,
  });
  const sent = await person.run(
    [...launcher, "send", "--to", "orders-api-rook", "The walnut schema is merged."],
    rookery.env,
  );
  expect(sent).toMatchObject({ code: 0 });
  const ids: Record<string, string> = { session: "s-1" };
  for (const kind of ["note", "summary", "prompt", "question", "message"]) {
    await expect.poll(async () => (await search(`q=walnut&kind=${kind}`)).length).toBeGreaterThan(0);
    ids[kind] = (await search(`q=walnut&kind=${kind}`))[0]?.id ?? "";
  }
  return ids;
}

describe("everything that search finds", () => {
  it("can be opened: by show, timeline and memory_get, by id or suffix, together with unknown ids", async () => {
    const ids = await seedEveryKind();
    for (const [kind, id] of Object.entries(ids)) {
      const short = kind === "session" ? id : id.slice(-8);
      const shown = await rookery.cli("show", short);
      expect(shown, kind).toMatchObject({ code: 0, stderr: "" });
      expect(shown.stdout, kind).toMatch(/walnut/i);
      expect(JSON.parse((await rookery.cli("show", short, "--json")).stdout).items[0], kind).toMatchObject({
        id,
        kind,
      });
      expect(await rookery.cli("timeline", short), kind).toMatchObject({ code: 0, stderr: "" });
    }

    const some = await rookery.cli("show", "zzzzzzzz", ids.note?.slice(-8) ?? "", "yyyyyyyy");
    expect(some.code).toBe(4);
    expect(some.stdout).toMatch(/walnut/i);
    expect(some.stderr).toMatch(/zzzzzzzz[^]*yyyyyyyy/);

    const client = await connectClient(rookery);
    try {
      const short = Object.values(ids)
        .filter((id) => id !== "s-1")
        .map((id) => id.slice(-8));
      const result = await client.call("memory_get", { ids: [...short, "zzzzzzzz"] });
      expect(result.isError).toBeFalsy();
      expect(result.text.match(/^## /gm)).toHaveLength(short.length);
      expect(result.text).toContain("zzzzzzzz");
      const around = await client.call("memory_timeline", { id: ids.message?.slice(-8) });
      expect(around).toMatchObject({ isError: false, text: expect.stringContaining("▶") });
    } finally {
      await client.close();
    }
  });
});

describe("search", () => {
  it("does not find our own slash commands, and ranks notes before one-word prompts", async () => {
    await hook("SessionStart", { source: "startup" });
    await turn("p-1", "/rookery:recall walnut", "There is one note about walnut imports.");
    await turn("p-2", "walnut", "What about it?");
    const note = {
      project: folder,
      title: "Walnut imports run at noon",
      text: "Walnut imports run at noon, after the backup.",
    };
    await rookery.call("POST", "/api/notes", note);
    await waitUntilDistilled(rookery);
    const found = await search("q=walnut");
    expect(found.map(({ title }) => title)).not.toContainEqual(expect.stringContaining("/rookery"));
    expect(found[0]).toMatchObject({ kind: "note", title: note.title });
    expect(found.map(({ kind, title }) => `${kind} ${title}`)).toContain("prompt walnut");
  });

  it("finds nothing for nonsense, and names similar rows where there are any", async () => {
    const titles = [
      "The login page times out",
      "Users were signed out at random because the session cookie expired",
    ];
    for (const title of titles)
      await rookery.call("POST", "/api/notes", { project: folder, title, text: `${title}. It is fixed.` });
    for (const query of ["qzxv", "qzxv wkjhq", "zzgrblx vorpnix snrk"]) {
      expect(await search(`q=${encodeURIComponent(query)}`), query).toEqual([]);
      const { stdout, code } = await rookery.cli("search", query);
      expect([code, stdout]).toEqual([0, `No results for: ${query}\n`]);
    }
    await expect
      .poll(async () => (await rookery.cli("search", "people get logged off unexpectedly")).stdout)
      .toMatch(/^No note has these words\. Similar:\n[^]*signed out at random/);
  });
});
