import { stripInvisible } from "../../shared/defuse.ts";
import { truncateAtWord } from "../../shared/text.ts";
import type { Notice } from "./card.ts";
import { makeHeadline, type CardQuestion, toAsker } from "./make-card.ts";
import type { Asker } from "./question.ts";

const maxBody = 600;
const maxFiles = 5;
/** Consecutive failures before a notice is sent. */
export const minFailuresInARow = 5;

interface FinishedTurn {
  lastMessage: string | null;
  filesChanged: readonly string[];
  durationMs: number;
}

/** The turn is finished: its last message, changed files and duration. */
export function makeDoneNotice(asker: Asker, turn: FinishedTurn): Notice {
  const facts = [`took ${describeDuration(turn.durationMs)}`, ...describeFiles(turn.filesChanged)];
  return {
    kind: "done",
    level: "info",
    asker,
    headline: `${asker.agent} is done`,
    body: [excerpt(turn.lastMessage ?? ""), facts.join(" · ")].filter(Boolean).join("\n"),
  };
}

export function makeFailedNotice(asker: Asker, error: string, lastMessage: string | null): Notice {
  return {
    kind: "failed",
    level: "error",
    asker,
    headline: `${asker.agent} stopped with an error`,
    body: excerpt([error, lastMessage ?? ""].filter((text) => text && text !== "unknown").join(": ")),
  };
}

export function makeStuckNotice(asker: Asker, toolName: string, error: string): Notice {
  return {
    kind: "failed",
    level: "warning",
    asker,
    headline: `${asker.agent}: ${minFailuresInARow} tool calls failed in a row`,
    body: excerpt(`${toolName}: ${error}`),
  };
}

export function makeIdleNotice(asker: Asker, message: string): Notice {
  return {
    kind: "idle",
    level: "info",
    asker,
    headline: `${asker.agent} is waiting for you`,
    body: excerpt(message),
  };
}

/** An approval on the command line is reported elsewhere, so that the person notices one that they did not give. */
export function makeApprovedNotice(question: CardQuestion): Notice {
  return {
    kind: "approved",
    level: "warning",
    asker: toAsker(question),
    headline: `Approved on the command line: ${makeHeadline(question)}`,
    body: "If this was not you, an agent may have done it: rookery audit",
  };
}

export function makeNeedsInputNotice(asker: Asker, message: string): Notice {
  return {
    kind: "needs-input",
    level: "warning",
    asker,
    headline: `${asker.agent} needs you at the terminal`,
    body: excerpt(message),
  };
}

/** In place of a notice that was forgotten before it was sent, so that forgetting hides nothing from the person. */
export function makeForgottenNotice({ kind, level }: Pick<Notice, "kind" | "level">): Notice {
  return {
    kind,
    level,
    asker: { project: "", agent: "", sessionId: null, subagent: null },
    headline: "Forgotten before it could be sent to you",
    body:
      kind === "approved"
        ? "An approval on the command line. If this was not you, an agent may have done it: rookery audit"
        : `A notification (${kind}). If you did not forget it, an agent may have.`,
  };
}

/** The beginning of a text in full words, without invisible characters. */
function excerpt(text: string): string {
  return truncateAtWord(stripInvisible(text).trim(), maxBody);
}

function describeFiles(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const names = files.slice(0, maxFiles).map((path) => stripInvisible(path.split(/[\\/]/).at(-1) ?? path));
  const rest = files.length > maxFiles ? ` and ${files.length - maxFiles} more` : "";
  return [`changed ${names.join(", ")}${rest}`];
}

function describeDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
