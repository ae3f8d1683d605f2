import type { CommandEntry, MarkEntry, PromptEntry, TranscriptEntry } from "./entry.ts";
import {
  addMessage,
  addToolResult,
  addToolUse,
  addPrompt,
  openDraft,
  setReport,
  type TranscriptTurn,
  type TurnDraft,
  undoRefusal,
} from "./turn-draft.ts";

interface TurnAssembler {
  /** Adds the next entry and returns the turns that it proves to be finished. `byte` is the offset of its line. */
  push(entry: TranscriptEntry, byte?: number): TranscriptTurn[];
  /** Returns the turn that is still held. Its outcome is null if the transcript does not show its end. */
  flush(): TranscriptTurn[];
  /** The offset from which the held turn can be read again completely; undefined if none is held. */
  openSince(): number | undefined;
}

/**
 * Builds turns from entries in transcript order. A turn is returned when the next one begins, because hooks, queued
 * prompts and late reports may still add to one that looks finished.
 */
export function openTurnAssembler(): TurnAssembler {
  let held: TurnDraft | undefined;
  let heldSince = 0;
  /** A command typed while idle; it becomes a turn only if the model then acts. */
  let command: CommandEntry | undefined;
  let commandSince = 0;
  let summary: string | undefined;
  /** A line was lost after the held turn ended: it may have been a prompt. */
  let isPromptLost = false;
  /** Set inside a duplicate of a turn, which is skipped up to the next prompt. */
  let isRepeating = false;
  const keys = new Set<string>();
  /** Used for lines without a time. */
  let lastAt = 0;

  function close(next?: { promptId: string | null }): TranscriptTurn[] {
    if (!held) return [];
    const { turn } = held;
    held = undefined;
    if (next && turn.outcome === null) turn.outcome = "interrupted";
    // In a fork, the host gives all copied prompts the id of the new one.
    if (next?.promptId && next.promptId === turn.promptId) turn.promptId = null;
    return [turn];
  }

  function open(draft: TurnDraft, byte: number): TranscriptTurn[] {
    isRepeating = keys.has(draft.turn.key);
    keys.add(draft.turn.key);
    const closed = close(draft.turn);
    command = undefined;
    isPromptLost = false;
    if (isRepeating) return closed;
    held = draft;
    heldSince = byte;
    if (summary !== undefined) draft.turn.compactSummary = summary;
    summary = undefined;
    return closed;
  }

  function takePrompt(entry: PromptEntry, byte: number): TranscriptTurn[] {
    const isSameTurn = entry.isTurnId === true && entry.promptId === held?.turn.promptId;
    const isOwnPrompt = !entry.isMidTurn && !isSameTurn && !(entry.origin === "machine" && isWithin(entry));
    if (held && !isOwnPrompt) {
      addPrompt(held, entry);
      return [];
    }
    if (held && entry.report) setReport(held, entry.report);
    const draft = openDraft(entry, entry.text, entry.promptId);
    draft.turn.isMachine = entry.origin === "machine";
    return open(draft, byte);
  }

  function isWithin({ promptId }: PromptEntry): boolean {
    return held !== undefined && !held.isOver && (promptId === null || promptId === held.turn.promptId);
  }

  function takeMark(entry: MarkEntry, draft: TurnDraft): void {
    const { turn } = draft;
    if (entry.kind === "turn-ended") turn.outcome ??= "completed";
    else turn.outcome = entry.kind === "turn-failed" ? "failed" : "interrupted";
    if (entry.hitTool) undoRefusal(draft);
    draft.isOver = true;
  }

  /** Ensures that there is a turn for the model's action. */
  function act(
    entry: Extract<TranscriptEntry, { kind: "say" | "tool-use" }>,
    byte: number,
  ): TranscriptTurn[] {
    if (command) return open(openDraft(command, command.text, command.promptId), commandSince);
    if (!held || (held.isOver && isPromptLost)) return open(openDraft(entry, "", null), byte);
    return [];
  }

  function take(entry: TranscriptEntry, byte: number): TranscriptTurn[] {
    switch (entry.kind) {
      case "damaged":
        isPromptLost ||= held?.isOver ?? true;
        return [];
      case "title":
        return [];
      case "prompt":
        return takePrompt(entry, byte);
      case "command":
        if (held && !held.isOver) return [];
        command = entry;
        commandSince = byte;
        return [];
      case "compact-summary":
        if (held) held.turn.compactSummary = entry.text;
        else summary = entry.text;
        return [];
      case "tool-result":
        if (held && !isRepeating) addToolResult(held, entry);
        return [];
      case "say":
      case "tool-use": {
        if (isRepeating) return [];
        const closed = act(entry, byte);
        if (held && entry.kind === "say") addMessage(held, entry);
        else if (held && entry.kind === "tool-use") addToolUse(held, entry);
        return closed;
      }
      default:
        if (held) takeMark(entry, held);
        return [];
    }
  }

  return {
    push(entry, byte = 0) {
      if (entry.kind === "damaged" || entry.kind === "title") return take(entry, byte);
      if (entry.isSidechain) return []; // A subagent's own steps: the result of its call covers them.
      const timed = entry.at > 0 ? entry : { ...entry, at: lastAt };
      lastAt = timed.at;
      const closed = take(timed, byte);
      const isAfterwards = entry.kind === "command" || entry.kind === "compact-summary";
      if (held && !isAfterwards) held.turn.endedAt = Math.max(held.turn.endedAt, timed.at);
      return closed;
    },
    flush: () => close(),
    openSince: () => (held ? heldSince : undefined),
  };
}
