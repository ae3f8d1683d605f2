import { callOverTcp } from "../../client/call-over-tcp.ts";
import { callEndpoint } from "../../client/request.ts";
import { askEndpoints } from "../../protocol/endpoints/ask.ts";
import type { QuestionView } from "../../protocol/ask.ts";
import type { Command } from "../command.ts";

const pollMs = 60_000;

export const ask: Command = {
  summary: "Ask the person a question, at the terminal or in a chat.",
  usage: '"question" [--option TEXT]… [--multi] [--context TEXT] [--now] [--wait]',
  examples: ['rookery ask "Deploy to production?" --option yes --option "not today" --wait'],
  options: {
    option: { type: "string", multiple: true },
    multi: { type: "boolean" },
    context: { type: "string" },
    now: { type: "boolean" },
    wait: { type: "boolean" },
  },
  optionHelp: {
    option: "an answer to choose from; repeatable",
    multi: "allow more than one choice",
    context: "why you ask",
    now: "send it even if the person is here, or during quiet hours",
    wait: "wait for the answer and print it; exit 1 if there is none",
  },
  words: { min: 1, max: 1 },
  async run(context, { flags, words }) {
    const { address } = context;
    const body = {
      question: words[0] ?? "",
      options: Array.isArray(flags.option) ? flags.option : [],
      multi: flags.multi === true,
      urgency: flags.now ? ("now" as const) : ("normal" as const),
      wait: flags.wait === true,
      cwd: context.cwd,
      ...(typeof flags.context === "string" ? { context: flags.context } : {}),
      ...(context.environment.ROOKERY_AGENT ? { agent: context.environment.ROOKERY_AGENT } : {}),
    };
    const asked = await callOverTcp(context.home, askEndpoints.askQuestion, { body });
    let { question } = asked;
    if (!asked.canReach)
      context.printNote("No channel is set up to reach the person. Answer with `rookery answer`.");
    while (flags.wait && question.state === "open") {
      const call = { params: { id: question.id }, query: { wait: pollMs }, timeoutMs: pollMs + 10_000 };
      question = await callEndpoint(address, askEndpoints.getQuestion, call);
    }
    if (flags.wait)
      await callEndpoint(address, askEndpoints.takeAnswer, {
        params: { id: question.id },
        body: { key: asked.key },
      });
    if (context.isJson) context.print(JSON.stringify(question, null, 2));
    else if (!flags.wait)
      context.print(
        `Asked as ${question.id.slice(-8)}. Follow it: rookery questions ${question.id.slice(-8)}`,
      );
    else context.print(textOf(question));
    return flags.wait && question.state !== "answered" ? 1 : 0;
  },
};

/** The bare answer, for scripts; without one, the outcome. */
function textOf({ answer, outcome }: QuestionView): string {
  return answer && "answers" in answer ? (answer.answers[0] ?? []).join("\n") : (outcome ?? "");
}
