import { asFieldsList, asText, parseFields } from "../fields.ts";
import { decideOnce } from "../hook-json.ts";
import type { DecidedQuestion, HostReplies } from "../host.ts";
import { restoreLabels } from "../question-input.ts";
import { listFields } from "./form.ts";

const contextEvents = new Set(["session.started", "prompt", "tool.before", "tool.after", "tool.failed"]);

/** Copilot reads context and denials from the top of the reply; our extension reads decisions (`plugin/plugin.ts`). */
export const replies: HostReplies = {
  contextLimit: (event) => (contextEvents.has(event) ? 9_800 : 0),
  format(_event, { context, deny, systemMessage }) {
    const output = {
      ...(context ? { additionalContext: context } : {}),
      ...(deny ? { permissionDecision: "deny", permissionDecisionReason: deny } : {}),
      ...(systemMessage ? { systemMessage } : {}),
    };
    return Object.keys(output).length === 0 ? "" : JSON.stringify(output);
  },
  formatDecision(question, answer) {
    const decision =
      answer.type === "answers" && question.kind === "choice"
        ? fillForm(question, answer.answers)
        : decideOnce(question, answer);
    return decision && JSON.stringify(decision);
  },
  formatExports: () => "",
  read(stdout) {
    const output = parseFields(stdout) ?? {};
    const answers = asFieldsList(output["answers"]).map(({ question, value }): [string, string] => [
      asText(question) ?? "",
      Array.isArray(value) ? value.join(", ") : String(value),
    ]);
    return {
      context: asText(output["additionalContext"]),
      deny: asText(output["permissionDecisionReason"]) ?? asText(output["message"]),
      systemMessage: asText(output["systemMessage"]),
      isAllowed: output["behavior"] === "allow",
      answers: Object.fromEntries(answers),
    };
  },
};

/** A value for each field of the form, in order; undefined unless all are given. */
function fillForm({ prompts, input }: DecidedQuestion, given: readonly string[][]): object | undefined {
  const fields = listFields(input);
  if (fields.length === 0 || fields.length !== given.length) return undefined;
  const answers = fields.map(({ key, text, labels, valueOf }, place) => ({
    question: text,
    key,
    value: valueOf(restoreLabels(given[place], labels, prompts[place])),
  }));
  return answers.some(({ value }) => value === undefined) ? undefined : { behavior: "allow", answers };
}
