import { type HostName, hostRows } from "./marks.ts";

/** The fields of a payload, or of a stored session, that differ between hosts. */
interface HostSigns {
  session_id: string;
  transcript_path?: string | null | undefined;
  prompt_id?: unknown;
  turn_id?: unknown;
  timestamp?: unknown;
}

/** Recognised by the folder or the file name of its transcripts. */
export function hostOfTranscript(path: string | null | undefined): HostName | undefined {
  const plain = path?.replaceAll("\\", "/");
  return plain ? hostRows.find(({ transcripts }) => transcripts?.test(plain))?.name : undefined;
}

/**
 * The host that sent a payload, judged by its shape. Undefined means unknown: a caller must then assume nothing about
 * the host's processes or files.
 */
export function detectHost(signs: HostSigns): HostName | undefined {
  const { session_id, transcript_path, prompt_id, turn_id, timestamp } = signs;
  const known = hostOfTranscript(transcript_path);
  if (known) return known;
  const owner = hostRows.find(({ sessionIds }) => sessionIds?.test(session_id));
  if (owner) return owner.name;
  if (turn_id !== undefined) return prompt_id === undefined ? "codex" : undefined;
  // Copilot, Gemini and Qwen put a time on every payload; Claude Code does not.
  if (timestamp !== undefined) return undefined;
  // CLAUDE_CONFIG_DIR moves the transcripts of Claude Code, but not their names.
  const isNamedAfterSession = transcript_path?.replaceAll("\\", "/").endsWith(`/${session_id}.jsonl`);
  return isNamedAfterSession || prompt_id !== undefined ? "claude-code" : undefined;
}

export function hasOneSessionPerProcess(host: string): boolean {
  return hostRows.some(({ name, hasOneSessionPerProcess: isOne }) => name === host && isOne);
}
