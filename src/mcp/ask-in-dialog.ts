import { callEndpoint } from "../client/request.ts";
import type { AskedView } from "../protocol/ask.ts";
import { askEndpoints } from "../protocol/endpoints/ask.ts";
import type { ToolContext } from "./tool.ts";

const noAnswer = new Promise<never>(() => {});

/**
 * Asks in the host's own dialog and sends the answer to the daemon, which arbitrates. Never resolves if there is no
 * dialog, or if it fails or is withdrawn: another place may still answer.
 */
export async function askInDialog(
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
