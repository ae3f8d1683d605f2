import { clip } from "../../shared/text.ts";
import { joinTitles, shortenTitle } from "./distil/title.ts";
import { isClosed, joinOpenEnds, type LaterTurn, listLastEnds, listOpenEnds } from "./open-ends.ts";
import type { TurnSummary } from "./turn-record.ts";

export interface SessionTurn {
  /** Empty for a prompt that the host wrote. */
  prompt: string;
  final: string;
  summary: TurnSummary | undefined;
  notes: readonly { type: string; title: string }[];
  outcome: string | null;
}

interface SessionRecord {
  /** The host's title of the session. */
  title: string | null;
  /** Oldest first. */
  turns: readonly SessionTurn[];
  /** Turns of later sessions of the project, oldest first. */
  later: readonly LaterTurn[];
}

/** Open ends count only in the last turns of a session: earlier ones were resolved as the session continued. */
const lastTurns = 3;
const maxTitles = 5;
const learnedTypes = ["discovery", "gotcha", "problem-solution"];
const doneTypes = ["feature", "change", "refactor", "bugfix"];

/** The eight fields of a session's summary, each correct or empty; undefined if there is nothing to report. */
export function summariseSession({ title, turns, later }: SessionRecord): TurnSummary | undefined {
  const summaries = turns.flatMap(({ summary }) => summary ?? []);
  if (summaries.length === 0) return undefined;
  const notes = turns.flatMap((turn) => turn.notes);
  const titlesOf = (types: readonly string[]): string =>
    joinTitles(
      notes
        .filter(({ type }) => types.includes(type))
        .map((note) => note.title)
        .slice(-maxTitles),
    );
  const decided = titlesOf(["decision", "preference"]);
  const last = turns.at(-1);
  return {
    request: title ?? findRequest(turns.map(({ prompt }) => prompt)),
    investigated: clip(unite(summaries, "filesRead").slice(0, 10).join(", "), 300),
    learned: titlesOf(learnedTypes),
    completed: titlesOf(doneTypes) || (summaries.findLast(({ completed }) => completed)?.completed ?? ""),
    nextSteps: joinOpenEnds(listOpen(turns, later)),
    notes: clip(
      [
        decided === "" ? "" : `Decided: ${decided}.`,
        last?.outcome === "interrupted" ? "The last turn was interrupted." : "",
        last?.outcome === "failed" ? "The last turn failed." : "",
      ]
        .filter(Boolean)
        .join(" "),
      600,
    ),
    filesRead: unite(summaries, "filesRead").slice(0, 20),
    filesModified: unite(summaries, "filesModified").slice(0, 20),
  };
}

function unite(summaries: readonly TurnSummary[], list: "filesRead" | "filesModified"): string[] {
  return [...new Set(summaries.flatMap((summary) => summary[list]))];
}

/** Shorter prompts usually continue something or answer a question. */
const substantial = 20;
const filler =
  /^(?:(?:hi|hey|hello|ok(?:ay)?|please|so|well|alright|hm+|great|thanks?|continue|go on|proceed|yes|yep|yeah|sure)\b[\s,.!:-]*)+/i;

/** The first prompt that states the session's topic, as one line. */
export function findRequest(prompts: readonly string[]): string {
  const cleaned = prompts.map(cleanPrompt);
  const request = cleaned.find((prompt) => prompt.length >= substantial) ?? cleaned.find(Boolean) ?? "";
  return shortenTitle(request, 160);
}

/**
 * Removes pasted blocks, images, file mentions and polite openings; of several paragraphs it keeps the first with a
 * request.
 */
function cleanPrompt(prompt: string): string {
  const paragraphs = prompt
    .replace(/```[\s\S]*?(?:```|$)/g, "\n")
    .replace(/<([\w-]+)[^>]*>[\s\S]*?<\/\1>/g, " ")
    .replace(/\[(?:image|pasted)[^\]]*\]/gi, " ")
    .replace(/https?:\/\/\S*?\/(issues|pull)\/(\d+)\S*/g, (_, kind, number) =>
      kind === "pull" ? `PR ${number}` : `issue ${number}`,
    )
    .replace(/https?:\/\/\S+/g, " ")
    .split(/\n\s*\n|\n(?=[-*#\d])/)
    .map((text) =>
      text
        .replace(/^\s*(?:#+|[-*]|\d+[.)]|q:)\s*/i, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter((text) => /\p{L}{2}/u.test(text) && !/^\/[\w:-]+$|^you are an? /i.test(text));
  // "Implement the following plan:" is not informative; the heading of the plan is.
  const whole = paragraphs.filter((text) => !/\b(?:following|below|plan)\b[^:]*:$/i.test(text));
  const first = whole.find((text) => text.length >= substantial) ?? whole[0] ?? paragraphs[0] ?? "";
  const bare = first.replace(filler, "").replace(/^\/\S+\s+/, "");
  return bare.length >= 8 ? bare.charAt(0).toUpperCase() + bare.slice(1) : first;
}

/** Open ends of the last turns that nothing later closed, the last turn's first. */
function listOpen(turns: readonly SessionTurn[], later: readonly LaterTurn[]): string[] {
  const from = Math.max(0, turns.length - lastTurns);
  const found = turns
    .slice(from)
    .map((turn, index) => {
      const following = turns.slice(from + index + 1).map(
        ({ prompt, final, notes }, place): LaterTurn => ({
          prompt,
          told: [final, ...notes.map(({ title }) => title)].join("\n"),
          isReply: place === 0,
        }),
      );
      const { prompt, summary } = turn;
      const hasEdits = (summary?.filesModified.length ?? 0) > 0;
      const ends = following.length > 0 ? [] : listLastEnds({ ...turn, hasEdits }, findRequest([prompt]));
      return [...ends, ...listOpenEnds(summary?.nextSteps ?? "")].filter(
        (openEnd) => !isClosed(openEnd, [...following, ...later]),
      );
    })
    .toReversed();
  return [...new Set(found.flat())];
}
