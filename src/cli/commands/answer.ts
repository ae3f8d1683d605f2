import { callEndpoint } from "../../client/request.ts";
import { askEndpoints } from "../../protocol/endpoints/ask.ts";
import type { QuestionView } from "../../protocol/ask.ts";
import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";
import { callAsPerson } from "../call-as-person.ts";

export const answer: Command = {
  summary: "Answer an agent's question: the dialog in its terminal closes. The first answer counts.",
  usage: 'ID NUMBER|"text"… | --allow | --allow-session | --deny REASON',
  examples: [
    "rookery answer 4f2a9c1e 2",
    'rookery answer 4f2a9c1e "neither: use DuckDB"',
    "rookery answer 4f2a9c1e --allow",
    'rookery answer 4f2a9c1e --deny "not on main"',
  ],
  options: {
    allow: { type: "boolean" },
    "allow-session": { type: "boolean" },
    deny: { type: "string" },
  },
  optionHelp: {
    allow: "allow it once",
    "allow-session": "allow it and whatever matches the shown rule, until the session ends",
    deny: "deny it and give the agent the reason",
  },
  completes: { "": "questions" },
  words: { min: 1, max: 50 },
  async run(context, { flags, words }) {
    const [id = "", ...given] = words;
    const question = await callEndpoint(context.address, askEndpoints.getQuestion, { params: { id } });
    const said = readSaid(question, flags, given);
    const settled = await callAsPerson(context, askEndpoints.answerQuestion, {
      params: { id: question.id },
      body: { ...said, place: "cli" },
    });
    context.print(context.isJson ? JSON.stringify(settled, null, 2) : (settled.outcome ?? ""));
    return 0;
  },
};

function readSaid(
  question: QuestionView,
  flags: Record<string, unknown>,
  given: string[],
): { answers: string[][] } | { allow: "once" | "session" } | { deny: string } {
  const forms = [flags.allow, flags["allow-session"], flags.deny, given.length > 0 || undefined];
  if (forms.filter((form) => form !== undefined).length !== 1)
    throw new AppError(
      "invalid_argument",
      "Give exactly one: an answer, --allow, --allow-session or --deny REASON.",
    );
  if (typeof flags.deny === "string") return { deny: flags.deny };
  if (flags.allow) return { allow: "once" };
  if (flags["allow-session"]) return { allow: "session" };
  return { answers: toAnswers(question, given) };
}

/** A single question takes all words; several take one each. `1,3` selects two options. */
export function toAnswers({ prompts }: Pick<QuestionView, "prompts">, given: readonly string[]): string[][] {
  const [only] = prompts;
  if (prompts.length === 1 && only) return [given.flatMap((text) => choose(only, text))];
  return given.map((text, place) => {
    const prompt = prompts[place];
    return prompt ? choose(prompt, text) : [text];
  });
}

/**
 * A number selects an option; other text is a free-text answer, and so is a number if the options are numbers
 * themselves.
 */
function choose({ options, isMulti }: QuestionView["prompts"][number], text: string): string[] {
  const parts = isMulti && /^\d+(,\d+)*$/.test(text) ? text.split(",") : [text];
  const isFree = options.length === 0 || options.some(({ label }) => /\d/.test(label));
  return parts.map((part) => {
    const label = /^\d+$/.test(part) ? options[Number(part) - 1]?.label : undefined;
    if (label === undefined && !isFree && /^\d{1,2}$/.test(part))
      throw new AppError(
        "invalid_argument",
        `There is no option ${part}: answer with a number from 1 to ${options.length}, or in your own words.`,
      );
    return label ?? part;
  });
}
