import { join } from "node:path";
import { expect } from "vitest";
import type { QuestionView } from "../../src/protocol/ask.ts";
import type { Outside } from "./outside.ts";
import { waitFor } from "./processes.ts";
import type { Answer } from "./exchange.ts";
import type { HostWorld } from "./host-world.ts";
import { plugin, type Ran, type Rookery } from "./rookery.ts";

export type Said = { answers: string[][] } | { allow: "once" | "session" } | { deny: string };
export type Person = Pick<Outside, "call" | "run">;

/** A place outside the terminal where a person can answer. */
export interface Elsewhere {
  name: string;
  /** Its name in outcomes. */
  who: string;
  answer(rookery: Rookery, question: QuestionView, said: Said): Promise<void>;
}

/** Answers as the viewer does. */
export function postAnswer(person: Person, rookery: Rookery, id: string, said: object): Promise<Answer> {
  return person.call(rookery, "POST", `/api/questions/${id}/answer`, said);
}

export function inTheViewer(person: Person): Elsewhere {
  return {
    name: "the viewer",
    who: "in the viewer",
    async answer(rookery, { id }, said) {
      const { status, text } = await postAnswer(person, rookery, id, said);
      if (status !== 200) throw new Error(`not taken: ${status} ${text}`);
    },
  };
}

export function onTheCommandLine(person: Person): Elsewhere {
  return {
    name: "the command line",
    who: "on the command line",
    async answer(rookery, { id }, said) {
      const { code, stderr } = await person.run([...launcher, "answer", id, ...toFlags(said)], rookery.env);
      if (code !== 0) throw new Error(`not taken: ${stderr}`);
    },
  };
}

export const launcher = ["sh", join(plugin, "bin", "rookery")];

function toFlags(said: Said): string[] {
  if ("deny" in said) return ["--deny", said.deny];
  if ("allow" in said) return [said.allow === "once" ? "--allow" : "--allow-session"];
  return said.answers.map((chosen) => chosen.join(","));
}

export async function listQuestions(rookery: Rookery): Promise<QuestionView[]> {
  return (await rookery.call("GET", "/api/questions?limit=1000")).json.questions.toReversed();
}

/** Waits for this many open questions; returns them, oldest first. */
export async function openQuestions(rookery: Rookery, count = 1): Promise<QuestionView[]> {
  let last: QuestionView[] = [];
  const isOpen = async () => {
    last = await listQuestions(rookery).catch(() => []);
    return last.filter(({ state }) => state === "open").length === count;
  };
  const describe = () => `${count} open questions, not ${JSON.stringify(last, null, 1)}`;
  await waitFor(isOpen, { describe });
  return last.filter(({ state }) => state === "open");
}

export async function openQuestion(rookery: Rookery): Promise<QuestionView> {
  return (await openQuestions(rookery, 1))[0] as QuestionView;
}

/** Waits until the question has this outcome. */
export async function waitForOutcome(
  rookery: Rookery,
  id: string,
  wanted: Partial<QuestionView>,
): Promise<QuestionView> {
  let last: QuestionView | undefined;
  const isThere = async () => {
    last = (await rookery.call("GET", `/api/questions/${id}`).catch(() => undefined))?.json;
    return (
      last && Object.entries(wanted).every(([key, value]) => last?.[key as keyof QuestionView] === value)
    );
  };
  const describe = () => `${JSON.stringify(wanted)}, not ${JSON.stringify(last)}`;
  await waitFor(isThere, { describe });
  return last as QuestionView;
}

interface AskingHost {
  rookery: Rookery;
  world: HostWorld;
  /** The host's name of our tool. */
  tool: { name: string; namespace?: string };
  prompt(text: string): Promise<Ran>;
}

/** An agent asks with `ask_human`, and the result of its call contains the person's answer from elsewhere. */
export async function expectAnswerToTool(
  person: Person,
  { rookery, world, tool, prompt }: AskingHost,
): Promise<void> {
  world.model.play([{ tools: [{ ...tool, input: { question: "Which port?", options: ["4711", "4712"] } }] }]);
  const running = prompt("GO-ASK which port is it?");
  const { id } = await openQuestion(rookery);
  expect((await postAnswer(person, rookery, id, { answers: [["4711"]] })).status).toBe(200);
  expect(await running).toMatchObject({ code: 0 });
  expect(world.model.requests.findLast(({ results }) => results.length > 0)?.results.at(-1)).toContain(
    "4711",
  );
}
