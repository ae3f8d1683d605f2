import type { Answer } from "../../domain/ask/question.ts";
import { asFieldsList, asText, type Fields, parseFields } from "../fields.ts";
import { decideOnce } from "../hook-json.ts";
import type { DecidedQuestion, HostReplies } from "../host.ts";
import { listLabels, listQuestions, restoreLabels } from "../question-input.ts";

const contextEvents = new Set(["session.started", "prompt", "tool.before", "tool.after", "tool.failed"]);

/** Our plugin reads these; `plugin/plugin.ts` turns them into calls of OpenCode's API. */
export const replies: HostReplies = {
  contextLimit: (event) => (contextEvents.has(event) ? 9_800 : 0),
  format(_event, { context, deny, systemMessage }) {
    const output = {
      ...(context ? { context } : {}),
      ...(deny ? { deny } : {}),
      ...(systemMessage ? { systemMessage } : {}),
    };
    return Object.keys(output).length === 0 ? "" : JSON.stringify(output);
  },
  formatDecision(question, answer) {
    const decision = decide(question, answer);
    return decision && JSON.stringify(decision);
  },
  // Variables for the shell tool, as JSON: no shell reads this text.
  formatExports: ({ sessionId, agent }) =>
    JSON.stringify({ ROOKERY_AGENT: agent, ROOKERY_SESSION: sessionId }),
  read(stdout) {
    const output = parseFields(stdout) ?? {};
    const answers = asFieldsList(output["answers"]).map(({ question, chosen }): [string, string] => [
      asText(question) ?? "",
      Array.isArray(chosen) ? chosen.join(", ") : "",
    ]);
    return {
      context: asText(output["context"]),
      deny: asText(output["deny"]) ?? asText(output["message"]),
      systemMessage: asText(output["systemMessage"]),
      isAllowed: output["reply"] === "once" || answers.length > 0,
      answers: Object.fromEntries(answers),
    };
  },
};

function decide(question: DecidedQuestion, answer: Answer): Fields | undefined {
  if (answer.type === "answers")
    return question.kind === "choice" ? choose(question, answer.answers) : undefined;
  const decision = decideOnce(question, answer);
  if (!decision) return undefined;
  return decision.behavior === "allow"
    ? { reply: "once" }
    : { reply: "reject", ...(decision.message ? { message: decision.message } : {}) };
}

/** One list of labels for each question, in order. */
function choose({ prompts, input }: DecidedQuestion, given: readonly string[][]): Fields | undefined {
  const questions = listQuestions(input);
  if (questions.length === 0 || questions.length !== given.length) return undefined;
  const answers = questions.map((question, place) => {
    const chosen = restoreLabels(given[place], listLabels(question), prompts[place]);
    return { question: question.question, chosen };
  });
  return answers.some(({ chosen }) => chosen.length === 0) ? undefined : { answers };
}
