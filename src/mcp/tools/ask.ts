import { callOverTcp } from "../../client/call-over-tcp.ts";
import { callEndpoint } from "../../client/request.ts";
import { type AskedView, noticeCreate, questionCreate, type QuestionView } from "../../protocol/ask.ts";
import { askEndpoints } from "../../protocol/endpoints/ask.ts";
import { defineTool, type ToolContext } from "../tool.ts";

/** The host moves a call to the background after two minutes; return the answer or an id before that. */
const maxWaitMs = 100_000;

export const askHuman = defineTool({
  name: "ask_human",
  title: "Ask the human",
  description:
    "Ask the user something you cannot find out and must not guess; reaches them wherever they are. Returns the answer, or an id: then it comes later by itself.",
  input: questionCreate.omit({ pid: true, agent: true, cwd: true }),
  isReadOnly: true,
  async handle(input, context) {
    const asked = await callOverTcp(context.address, askEndpoints.askQuestion, {
      body: { ...input, pid: context.hostPid, cwd: process.cwd() },
    });
    if (!input.wait) return describeOpen(asked);
    const settled = await waitForAnswer(asked, context);
    if (settled?.outcome == null) return describeOpen(asked);
    await callEndpoint(context.address, askEndpoints.takeAnswer, {
      params: { id: settled.id },
      body: { key: asked.key },
    });
    return settled.outcome;
  },
});

/** Waits for the first answer: from a dialog in the terminal, if the person is there, or from elsewhere. */
async function waitForAnswer(asked: AskedView, context: ToolContext): Promise<QuestionView | undefined> {
  const params = { id: asked.question.id };
  const over = new AbortController();
  const dialog = asked.isHere ? askInDialog(asked, context, over.signal) : undefined;
  try {
    const elsewhere = callEndpoint(context.address, askEndpoints.getQuestion, {
      params,
      query: { wait: maxWaitMs },
      timeoutMs: maxWaitMs + 10_000,
      signal: AbortSignal.any([context.signal, over.signal]),
    });
    await Promise.race([elsewhere.catch(() => {}), ...(dialog ? [dialog] : [])]);
  } finally {
    over.abort();
    if (context.signal.aborted) await dismiss(asked, context);
  }
  try {
    return await callEndpoint(context.address, askEndpoints.getQuestion, { params });
  } catch {
    return undefined; // The daemon has ended. The question is stored, and the answer will arrive in the inbox.
  }
}

/** The user cancelled the call: an answer is no longer needed. */
function dismiss({ question, key }: AskedView, { address }: ToolContext): Promise<unknown> {
  const call = { params: { id: question.id }, body: { key, dismissed: true } };
  return callEndpoint(address, askEndpoints.takeAnswer, call);
}

function describeOpen({ question, canReach, isHere }: AskedView): string {
  const how = canReach
    ? "It is shown wherever the user can be reached"
    : isHere
      ? "The user can see it only in this terminal: say in your message that you wait for the answer"
      : "No channel is set up to reach the user";
  return `No answer yet; question ${question.id} stays open. ${how}. The answer will be delivered to you: do not ask again. Continue with other work, or end your turn.`;
}

export const notifyHuman = defineTool({
  name: "notify_human",
  title: "Notify the human",
  description:
    "One-way notification to the user, wherever they are: something finished, failed, or worth knowing now.",
  input: noticeCreate.pick({ message: true, level: true }),
  isReadOnly: true,
  async handle(input, { address, hostPid }) {
    const body = { ...input, pid: hostPid, cwd: process.cwd() };
    const { isQueued } = await callOverTcp(address, askEndpoints.notifyPerson, { body });
    return isQueued
      ? "Notification queued."
      : "Not sent: no channel is set up. Tell the user in your message.";
  },
});

const noAnswer = new Promise<never>(() => {});

/**
 * Asks in the host's own dialog and sends the answer to the daemon, which arbitrates. Never resolves if there is no
 * dialog, or if it fails or is withdrawn: another place may still answer.
 */
async function askInDialog(
  { question, key }: AskedView,
  { elicit, address }: ToolContext,
  signal: AbortSignal,
): Promise<void> {
  const [prompt] = question.prompts;
  if (!elicit || !prompt) return noAnswer;
  const params = { id: question.id };
  try {
    const labels = prompt.options.map(({ label }) => label);
    const message = [question.context, prompt.text].filter(Boolean).join("\n\n");
    const said = await elicit({ message, labels, isMulti: prompt.isMulti }, signal);
    if (said === "dismissed")
      await callEndpoint(address, askEndpoints.takeAnswer, { params, body: { key, dismissed: true } });
    else
      await callEndpoint(address, askEndpoints.answerQuestion, {
        params,
        body: { answers: [said], place: "terminal", key },
      });
  } catch {
    return noAnswer; // Withdrawn because another place answered first, or rejected by the host.
  }
}
