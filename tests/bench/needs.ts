import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openScorer } from "../../src/store/open-scorer.ts";
import { isMachinePrompt } from "../../src/hosts/claude-code/prompts.ts";
import { distilTurn } from "../../src/domain/memory/distil/distil-turn.ts";
import { filesModified, filesRead } from "../../src/domain/memory/distil/files.ts";
import type { ContextSession } from "../../src/domain/memory/context-sessions.ts";
import { contains, readSessions, toRecord } from "./sessions.ts";

/** A stored document, as recall sees it. */
export interface Note {
  id: string;
  type: string;
  title: string;
  text: string;
  files: string[];
  createdAt: number;
  worth?: number | undefined;
}

/** A session start, a prompt, and the notes that would have been useful. */
export interface Need {
  /** The project's notes at that moment, newest first. */
  notes: Note[];
  sessions: ContextSession[];
  prompt: string;
  /** Files that the turn opens. */
  files: string[];
  /** Each is satisfied by any of these notes, or by these words. */
  wanted: { ids: Set<string>; about: string[] }[];
}

export interface NeedSet {
  name: string;
  /** All notes that may be given to any of them. */
  notes: Note[];
  needs: Need[];
}

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 5, 1);

interface Piece {
  session: string;
  turn: number;
  note: Omit<Note, "createdAt">;
}

/**
 * All sessions as if they belonged to one project. Each is split before each of its later turns, with `gap` other
 * sessions in between. Wanted are the labelled things of the first part that the later turn mentions again.
 */
const scorer = openScorer();

export function readNext(half: "tune" | "held", gap: number): NeedSet {
  const sessions = readSessions().filter(({ split }) => split === half);
  const pieces: Piece[] = [];
  const summaries = new Map<string, ContextSession>();
  for (const { name, turns } of sessions)
    turns.forEach((turn, index) => {
      const previousFinal = index > 0 ? toRecord(turns[index - 1]).final : "";
      const context = { scorer, previousFinal, promptEventId: "prompt" };
      const { notes, summary } = distilTurn(toRecord(turn), context);
      notes.forEach(
        ({ type, title, narrative, facts, worth, filesModified: changed, filesRead: read }, n) => {
          const note = {
            id: `${name}-${index}-${n}`,
            type,
            title,
            text: [narrative, ...facts].join("\n"),
            files: [...changed, ...read],
            worth,
          };
          pieces.push({ session: name, turn: index, note });
        },
      );
      const key = `${name} ${index}`;
      if (summary) summaries.set(key, { ...summary, id: key, worktree: null, createdAt: 0 });
    });
  const needs = sessions.flatMap(({ name, turns, labels }, place) =>
    turns.flatMap((turn, index): Need[] => {
      if (index === 0 || isMachinePrompt(turn.prompt)) return [];
      const record = toRecord(turn);
      const said = [record.prompt, ...record.steps.map((step) => JSON.stringify(step)), record.final].join(
        "\n",
      );
      const order = orderOfSessions(
        sessions.map((session) => session.name),
        place,
        gap,
      );
      const visible = pieces.filter((piece) => piece.session !== name || piece.turn < index);
      const at = (piece: { session: string; turn: number }): number =>
        startMs + (order.indexOf(piece.session) * 6 + piece.turn) * hourMs;
      const wanted = [...labels.keep, ...(labels.nextSteps ?? [])]
        .filter((label) => label.turn <= index && contains(said, label.about))
        .map(({ about }) => ({
          about,
          ids: new Set(
            visible
              .filter(
                ({ session, note }) =>
                  session === name && contains(`${note.title} ${note.text} ${note.files.join(" ")}`, about),
              )
              .map(({ note }) => note.id),
          ),
        }));
      if (wanted.length === 0) return [];
      const told = [...summaries].flatMap(([key, summary]) => {
        const [session = "", number = ""] = key.split(" ");
        const isVisible = session !== name || Number(number) < index;
        return isVisible ? [{ ...summary, createdAt: at({ session, turn: Number(number) }) }] : [];
      });
      return [
        {
          notes: newestFirst(visible.map((piece) => ({ ...piece.note, createdAt: at(piece) }))),
          sessions: newestFirst(told).slice(0, 10),
          prompt: record.prompt,
          files: [...new Set([...filesRead(record.steps), ...filesModified(record.steps)])],
          wanted,
        },
      ];
    }),
  );
  const notes = pieces.map((piece, n) => ({ ...piece.note, createdAt: startMs + n * hourMs }));
  return { name: `next turn, ${gap} sessions between`, notes, needs };
}

/** The session itself, then `gap` others; all others came before. */
function orderOfSessions(names: readonly string[], place: number, gap: number): string[] {
  const turned = [...names.slice(place), ...names.slice(0, place)];
  return [...turned.slice(1 + gap), ...turned.slice(0, 1 + gap)];
}

/** Questions asked after all sessions, in a project as large as `merged` generated ones. */
export function readLater(half: "tune" | "held", merged: number): NeedSet {
  const folder = fileURLToPath(new URL("../fixtures/questions/", import.meta.url));
  const rows = readdirSync(folder)
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => readFileSync(`${folder}${file}`, "utf8").split("\n").filter(Boolean))
    .map((line) => JSON.parse(line));
  const docs = rows.filter(({ type, kind }) => type === "doc" && kind === "observation");
  const projects = [...new Set(docs.map(({ project }) => project as string))];
  const groupOf = (project: string): number => Math.floor(projects.indexOf(project) / merged);
  const toNote = (doc: any): Note => {
    const { id, obsType: type, title, text, files = [], at } = doc;
    return { id, type, title, text, files, createdAt: Date.parse(at) };
  };
  const needs = rows
    .filter(({ type, split }) => type === "query" && split === half)
    .flatMap(({ text, gold }): Need[] => {
      const answers = docs.filter(({ id }) => gold.includes(id));
      const [first] = answers;
      if (!first) return [];
      const group = groupOf(first.project);
      const notes = newestFirst(docs.filter(({ project }) => groupOf(project) === group).map(toNote));
      const ids = new Set<string>(answers.map(({ id }) => id as string));
      return [{ notes, sessions: [], prompt: text, files: [], wanted: [{ ids, about: [] }] }];
    });
  return { name: `weeks later, ${merged} × 30 notes`, notes: docs.map(toNote), needs };
}

function newestFirst<T extends { createdAt: number }>(items: T[]): T[] {
  return items.toSorted((a, b) => b.createdAt - a.createdAt);
}
