import type { Answer } from "../domain/ask/question.ts";
import type { AgentEvent } from "../protocol/agent-events.ts";
import { parseJson } from "../shared/json.ts";
import { asFields, asText } from "./fields.ts";
import type { DecidedQuestion, HostEvents, HostReplies, ReplyParts } from "./host.ts";

/** The output of a permission hook. */
export interface Decision {
  behavior: "allow" | "deny";
  message?: string;
  updatedInput?: Record<string, unknown>;
  updatedPermissions?: object[];
}

interface HookJson {
  events: Pick<HostEvents, "nameOf">;
  /** Maximum characters of context in one reply. */
  contextLimit: number;
  /** Events whose reply may contain context. */
  contextEvents: readonly AgentEvent[];
  /** Undefined if the answer decides nothing. */
  decide(question: DecidedQuestion, answer: Answer): Decision | undefined;
  formatExports?: HostReplies["formatExports"];
}

/** Replies in the JSON that Claude Code introduced for hooks and that several hosts understand. */
export function makeHookReplies(host: HookJson): HostReplies {
  const { events, contextLimit, decide, formatExports = () => "" } = host;
  const contextEvents = new Set(host.contextEvents);
  return {
    contextLimit: (event) => (contextEvents.has(event) ? contextLimit : 0),
    format(event, { context, deny, systemMessage }) {
      const output: Record<string, unknown> = {};
      if (systemMessage) output.systemMessage = systemMessage;
      if (context || deny)
        output.hookSpecificOutput = {
          hookEventName: events.nameOf(event),
          ...(context ? { additionalContext: context } : {}),
          ...(deny ? { permissionDecision: "deny", permissionDecisionReason: deny } : {}),
        };
      return Object.keys(output).length === 0 ? "" : JSON.stringify(output);
    },
    formatDecision(question, answer) {
      const decision = decide(question, answer);
      const hookEventName = events.nameOf("permission");
      return decision && JSON.stringify({ hookSpecificOutput: { hookEventName, decision } });
    },
    formatExports,
    read: readHookJson,
  };
}

function readHookJson(stdout: string): ReturnType<HostReplies["read"]> {
  const output = stdout === "" ? {} : (asFields(parseJson(stdout)) ?? {});
  const specific = asFields(output["hookSpecificOutput"]) ?? {};
  const decision = asFields(specific["decision"]);
  const parts: ReplyParts = {
    context: asText(specific["additionalContext"]),
    deny:
      asText(specific["permissionDecisionReason"]) ??
      asText(decision?.["message"]) ??
      asText(output["reason"]),
    systemMessage: asText(output["systemMessage"]),
  };
  const answers = asFields(asFields(decision?.["updatedInput"])?.["answers"]);
  return { ...parts, isAllowed: decision?.["behavior"] === "allow", answers: answers ?? {} };
}

const withoutReason = "The user does not allow this.";

/** Denies with the person's reason. */
export function denyWith(reason: string): Decision {
  return { behavior: "deny", message: reason.trim() || withoutReason };
}

/** For hosts whose permission hook can only allow or deny this one call. */
export function decideOnce({ kind }: DecidedQuestion, answer: Answer): Decision | undefined {
  if (answer.type === "deny") return denyWith(answer.reason);
  return kind === "permission" && answer.type === "allow" && answer.scope === "once"
    ? { behavior: "allow" }
    : undefined;
}
