import { appendFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "./processes.ts";
import type { Rookery } from "./rookery.ts";
import { placeTranscript } from "./transcripts.ts";

export interface WrittenTurn {
  prompt: string;
  final: string;
  /** Input and output of a tool. */
  tool?: { name: string; input: Record<string, unknown>; output: string };
}

/** A session with a transcript; its hooks run on demand. */
export interface WrittenSession {
  id: string;
  path: string;
  hooks(from?: number, to?: number): Promise<void>;
  hook(event: string, fields?: object): Promise<string>;
}

/** Writes the transcript of a current session in a folder. */
export function writeSession(
  rookery: Rookery,
  id: string,
  cwd: string,
  turns: readonly WrittenTurn[],
): WrittenSession {
  const began = Date.now() - turns.length * 1_000;
  const lines = turns.flatMap((turn, index) => {
    const timestamp = new Date(began + index * 1_000).toISOString();
    const facts = { sessionId: id, cwd, timestamp, isSidechain: false, promptId: `${id}-p${index}` };
    const say = (content: unknown, n: number) => ({
      ...facts,
      type: "assistant",
      uuid: `${id}-a${index}-${n}`,
      message: { id: `${id}-m${index}-${n}`, role: "assistant", content: [content] },
    });
    const { tool } = turn;
    const use = `toolu_${id}_${index}`;
    const used = tool && [
      say({ type: "tool_use", id: use, name: tool.name, input: tool.input }, 0),
      {
        ...facts,
        type: "user",
        uuid: `${id}-r${index}`,
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: use, content: tool.output }] },
      },
    ];
    return [
      { ...facts, type: "user", uuid: `${id}-u${index}`, message: { role: "user", content: turn.prompt } },
      ...(used ?? []),
      say({ type: "text", text: turn.final }, 1),
    ];
  });
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const path = placeTranscript(join(rookery.env.HOME ?? "", ".claude"), text, id);
  const hook = async (event: string, fields: object = {}): Promise<string> => {
    const about = { session_id: id, cwd, transcript_path: path, hook_event_name: event };
    return (await rookery.hook(event, { ...about, ...fields })).stdout;
  };
  return {
    id,
    path,
    hook,
    async hooks(from = 0, to = turns.length) {
      if (from === 0) await hook("SessionStart", { source: "startup" });
      for (const [index, { prompt, final, tool }] of turns.entries()) {
        if (index < from || index >= to) continue;
        const prompt_id = `${id}-p${index}`;
        await hook("UserPromptSubmit", { prompt_id, prompt });
        const use = { prompt_id, tool_name: tool?.name, tool_use_id: `toolu_${id}_${index}` };
        if (tool) await hook("PostToolUse", { ...use, tool_input: tool.input, tool_response: tool.output });
        await hook("Stop", { prompt_id, last_assistant_message: final });
      }
    },
  };
}

/** Appends a line of the host, so that the file is read again. */
export function touchTranscript(path: string): void {
  appendFileSync(path, `${JSON.stringify({ type: "file-history-snapshot", messageId: "x" })}\n`);
  const later = new Date(Date.now() - 3_600_000 + Math.random() * 1_000);
  utimesSync(path, later, later);
}

export async function waitUntilDistilled(rookery: Rookery): Promise<void> {
  await waitFor(
    () =>
      rookery.query("SELECT count(*) AS n FROM turns WHERE distilled_at IS NULL AND ended_at IS NOT NULL")[0]
        .n === 0 && rookery.query("SELECT count(*) AS n FROM turns")[0].n > 0,
  );
}
