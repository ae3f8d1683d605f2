import { clipText } from "../../../domain/transcript/clip-text.ts";
import { stripHostBlocks } from "./clean-text.ts";
import type { LineFacts, ToolResultEntry } from "../../../domain/transcript/entry.ts";
import { refusal } from "../prompts.ts";
import { readOptionTexts } from "../../question-input.ts";
import { asFields, asFieldsList, asText, type Fields, textOf } from "../../fields.ts";

const { start: refusalStart, beforeReason, afterReason } = refusal;

/** One `tool_result` block of a user line. The person's decision is in the line itself, beside the block. */
export function readToolResult(
  block: Fields,
  line: Fields,
  facts: LineFacts,
  limit: number,
): ToolResultEntry | undefined {
  const toolUseId = asText(block["tool_use_id"]);
  if (toolUseId === undefined) return undefined;
  const text = stripHostBlocks(outputOf(block, asFields(line["toolUseResult"])));
  const denied = findDenial(line, text);
  return {
    ...facts,
    kind: "tool-result",
    toolUseId,
    text: clipText(text, limit),
    isError: block["is_error"] === true,
    denied: denied ? { reason: clipText(denied.reason, limit) } : null,
    answers: readAnswers(asFields(line["toolUseResult"]), limit),
  };
}

/** A subagent's report, without the frame that the host adds for the model. */
function outputOf(block: Fields, result: Fields | undefined): string {
  if (result?.["status"] === "async_launched") return "";
  if (result?.["agentId"] !== undefined && result["status"] === "completed") return textOf(result["content"]);
  return textOf(block["content"]);
}

function findDenial(line: Fields, text: string): { reason: string } | undefined {
  const decision = asFields(line["permissionDecision"]);
  // A denial by a permission hook is the person's decision; one by a hook that guards tools is not.
  if (decision?.["reasonCode"] === "hook:PermissionRequest" && decision["decision"] === "reject")
    return { reason: text };
  if (decision && decision["source"] !== "user_reject") return undefined;
  if (decision || line["toolDenialKind"] === "user-rejected" || text.startsWith(refusalStart))
    return { reason: asText(line["userFeedback"]) ?? reasonIn(text) };
  return undefined;
}

/** Older versions give the reason only inside the text for the model. */
function reasonIn(text: string): string {
  const start = text.indexOf(beforeReason);
  if (start < 0) return "";
  const end = text.indexOf(afterReason, start);
  return text.slice(start + beforeReason.length, end < 0 ? undefined : end).trim();
}

function readAnswers(result: Fields | undefined, limit: number): ToolResultEntry["answers"] {
  const answers = asFields(result?.["answers"]);
  if (!answers) return [];
  const notes = asFields(result?.["annotations"]);
  const questions = asFieldsList(result?.["questions"]);
  return Object.entries(answers).flatMap(([question, given]) => {
    const answer = asText(given);
    if (answer === undefined) return [];
    const asked = questions.find((each) => each["question"] === question);
    const note = asText(asFields(notes?.[question])?.["notes"]);
    return {
      question: clipText(question, limit),
      answer: clipText(note ? `${answer} (${note})` : answer, limit),
      options: asFieldsList(asked?.["options"]).flatMap((option) => asText(option["label"]) ?? []),
      ...(asked ? readOptionTexts(asked, limit) : {}),
    };
  });
}
