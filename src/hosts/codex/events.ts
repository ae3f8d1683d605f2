import type { AgentEvent } from "../../protocol/agent-events.ts";
import { asFields, asText, type Fields } from "../fields.ts";
import { commonNames, makeEvents } from "../make-events.ts";
import { readOwnWords } from "./own-words.ts";
import { resolvePatch } from "./patch.ts";

/** Codex reports no failed calls and no notifications; its rollout has the exit codes. */
const names: Readonly<Record<string, AgentEvent>> = {
  ...commonNames,
  PermissionRequest: "permission",
  PostCompact: "compact.after",
  Interrupt: "turn.interrupted",
};

export const events = makeEvents({
  names,
  normalise,
  // The prompt of a subagent is written by the agent that started it.
  narrow: (event, { agent_id: agentId }) => (event === "prompt" && agentId !== undefined ? "other" : event),
});

function normalise({ turn_id: turnId, ...payload }: Fields): Fields {
  const prompt = asText(payload["prompt"]);
  const words = prompt === undefined ? {} : { prompt: readOwnWords(prompt) };
  const named: Fields = { ...payload, ...words, ...readSubagent(payload, turnId) };
  const input = asFields(named["tool_input"]);
  const [patch, cwd] = [asText(input?.["command"]), asText(named["cwd"])];
  if (named["tool_name"] !== "apply_patch" || patch === undefined || cwd === undefined) return named;
  return { ...named, tool_input: { ...input, command: resolvePatch(patch, cwd) } };
}

/** A subagent has its own turn and rollout; its events belong to the turn of the session that started it. */
function readSubagent(payload: Fields, turnId: unknown): Fields {
  if (payload["agent_id"] === undefined || payload["agent_id"] === null) return { prompt_id: turnId };
  if (payload["agent_transcript_path"] !== undefined) return {};
  return { transcript_path: null, agent_transcript_path: payload["transcript_path"] };
}
