import * as z from "zod";
import { callDaemon } from "../../client/request.ts";
import type { AskedView, QuestionView } from "../../protocol/ask.ts";
import { askInDialog } from "../ask-in-dialog.ts";
import { defineTool, type ToolContext } from "../tool.ts";

/** The host moves a call to the background after two minutes: before that it has its answer, or an id. */
const longestWaitMs = 100_000;

export const askHuman = defineTool({
  name: "ask_human",
  title: "Ask the human",
  description:
    "Ask the user something you cannot find out and must not guess; reaches them wherever they are. Returns the answer, or an id: then it comes later by itself.",
  input: z.strictObject({
    question: z.string().min(1).max(4_000),
    options: z
      .array(z.string().min(1).max(300))
      .max(20)
      .optional()
      .describe("To choose from; own words are always possible"),
    multi: z.boolean().optional(),
    context: z.string().max(4_000).optional().describe("Why you ask, what depends on it"),
    urgency: z.enum(["normal", "now"]).optional(),
    wait: z.boolean().optional().describe("false: go on working meanwhile"),
  }),
  isReadOnly: true,
  async handle(input, context) {
    const { wait = true } = input;
    const asked = await callDaemon<AskedView>(context.address, {
      method: "POST",
      path: "/api/questions",
      body: { ...input, wait, pid: context.hostPid, cwd: process.cwd() },
    });
    if (!wait) return describeOpen(asked);
    const settled = await waitForAnswer(asked, context);
    if (settled?.outcome == null) return describeOpen(asked);
    await callDaemon(context.address, {
      method: "POST",
      path: `/api/questions/${settled.id}/handed`,
      body: { key: asked.key },
    });
    return settled.outcome;
  },
});

/** A dialog in the terminal, where the person is there and the host has one, against everything else: the first one wins. */
async function waitForAnswer(asked: AskedView, context: ToolContext): Promise<QuestionView | undefined> {
  const { id } = asked.question;
  const over = new AbortController();
  const dialog = asked.isHere ? askInDialog(asked, context, over.signal) : undefined;
  try {
    const path = `/api/questions/${id}?wait=${longestWaitMs}`;
    const elsewhere = callDaemon<QuestionView>(context.address, {
      path,
      timeoutMs: longestWaitMs + 10_000,
      signal: AbortSignal.any([context.signal, over.signal]),
    });
    await Promise.race([elsewhere.catch(() => {}), ...(dialog ? [dialog] : [])]);
  } finally {
    over.abort();
    if (context.signal.aborted) await dismiss(asked, context);
  }
  try {
    return await callDaemon<QuestionView>(context.address, { path: `/api/questions/${id}` });
  } catch {
    return undefined; // The daemon has gone: the question is in its store, and the answer will come by the inbox.
  }
}

/** The user broke the call off: nobody wants an answer any more. */
function dismiss({ question, key }: AskedView, { address }: ToolContext): Promise<unknown> {
  const path = `/api/questions/${question.id}/handed`;
  return callDaemon(address, { method: "POST", path, body: { key, dismissed: true } });
}

function describeOpen({ question, canReach, isHere }: AskedView): string {
  const how = canReach
    ? "It is shown wherever the user can be reached"
    : isHere
      ? "Nothing but this terminal is set up to show it: say in your message that you wait for this"
      : "Nothing is set up to reach the user";
  return `No answer yet; question ${question.id} stays open. ${how}. The answer comes to you by itself: do not ask again, go on with what does not depend on it, or end your turn.`;
}

export const notifyHuman = defineTool({
  name: "notify_human",
  title: "Notify the human",
  description:
    "One-way news for the user, wherever they are: something finished, failed, or worth knowing now.",
  input: z.strictObject({
    message: z.string().min(1).max(4_000),
    level: z.enum(["info", "warning", "error"]).optional(),
  }),
  isReadOnly: true,
  async handle(input, { address, hostPid }) {
    const body = { ...input, pid: hostPid, cwd: process.cwd() };
    const { isQueued } = await callDaemon<{ isQueued: boolean }>(address, {
      method: "POST",
      path: "/api/notices",
      body,
    });
    return isQueued ? "Passed on." : "Nothing is set up to reach the user; say it in your message.";
  },
});
