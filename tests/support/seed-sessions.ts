import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { waitFor } from "./processes.ts";
import { ringBell, spoolEvent } from "./spool-writer.ts";
import { repository, type Rookery } from "./rookery.ts";

interface Fixture {
  project: string;
  turns: { prompt: string; steps: any[]; final: string; outcome: string }[];
  labels: { keep: { why: string; types: string[] }[] };
}

export function readFixture(name: string): Fixture {
  return JSON.parse(readFileSync(join(repository, "tests", "fixtures", "sessions", `${name}.json`), "utf8"));
}

/** Sends a labelled session through the spool, as hooks do: a prompt that comes over the API makes no note. */
export async function replaySession(rookery: Rookery, name: string, session: string): Promise<void> {
  const { project, turns } = readFixture(name);
  const cwd = join(dirname(rookery.home.root), "work", project);
  mkdirSync(cwd, { recursive: true });
  const post = async (event: string, fields: object): Promise<void> => {
    const payload = { session_id: session, cwd, hook_event_name: event, ...fields };
    const rung = await ringBell(rookery.home, spoolEvent(rookery.home, event, payload));
    if (rung !== "answered") throw new Error(`${event}: ${rung}`);
  };
  await post("SessionStart", { source: "startup", model: "claude-opus-5-5" });
  for (const [number, { prompt, steps, final }] of turns.entries()) {
    const prompt_id = `${session}-p${number}`;
    await post("UserPromptSubmit", { prompt_id, prompt });
    for (const [step, { tool, input, output, error }] of steps.entries()) {
      if (!tool) continue;
      const use = { prompt_id, tool_name: tool, tool_input: input, tool_use_id: `${prompt_id}-${step}` };
      if (error === undefined) await post("PostToolUse", { ...use, tool_response: output });
      else await post("PostToolUseFailure", { ...use, error });
    }
    await post("Stop", { prompt_id, last_assistant_message: final });
  }
}

/** Saves realistic notes of many days. */
export async function saveNotes(rookery: Rookery, names: string[]): Promise<void> {
  const hour = 3600_000;
  let age = 2;
  for (const name of names) {
    const { project, labels } = readFixture(name);
    for (const { why, types } of labels.keep) {
      const { status, text } = await rookery.call("POST", "/api/notes", {
        project,
        text: why,
        type: types[0],
        createdAt: Date.now() - age * hour,
      });
      if (status !== 201) throw new Error(text);
      age += 5;
    }
  }
}

export async function waitUntilDistilled(rookery: Rookery, notes: number): Promise<void> {
  await waitFor(async () => (await rookery.call("GET", "/api/notes?limit=500")).json.notes.length >= notes, {
    describe: `${notes} notes`,
  });
}
