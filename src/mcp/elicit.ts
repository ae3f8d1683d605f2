import type { Server } from "@modelcontextprotocol/sdk/server/index.js";

interface DialogQuestion {
  message: string;
  labels: readonly string[];
  isMulti: boolean;
}

/**
 * Shows a form in the host; resolves with the answers, or `dismissed`. Rejects when the signal aborts, and if the host
 * dismisses it before a person can have read it.
 */
export type Elicit = (question: DialogQuestion, signal: AbortSignal) => Promise<string[] | "dismissed">;

const timeoutMs = 24 * 3_600_000;
/** A person needs longer to read a question. A host without a terminal dismisses it at once. */
const minReadingMs = 500;

/** Undefined if the host does not support forms. */
export function makeElicit(server: Server): Elicit | undefined {
  if (!server.getClientCapabilities()?.elicitation) return undefined;
  return async ({ message, labels, isMulti }, signal) => {
    // Some clients ignore the cancellation of request 0. The ping uses up that id.
    await server.ping();
    const shownAt = performance.now();
    const { action, content } = await server.elicitInput(
      { mode: "form", message, requestedSchema: { type: "object", properties: makeFields(labels, isMulti) } },
      { signal, timeout: timeoutMs },
    );
    if (action !== "accept" && performance.now() - shownAt < minReadingMs)
      throw new Error("the host did not show the form");
    if (action !== "accept") return "dismissed";
    const { choice, answer } = content ?? {};
    const said = [choice, answer].flat().filter((text) => typeof text === "string" && text.trim() !== "");
    return said.length > 0 ? (isMulti ? (said as string[]) : [said.at(-1) as string]) : "dismissed";
  };
}

type Fields = Parameters<Server["elicitInput"]>[0] extends infer P
  ? P extends { requestedSchema: { properties: infer F } }
    ? F
    : never
  : never;

function makeFields(labels: readonly string[], isMulti: boolean): Fields {
  const words = {
    type: "string" as const,
    title: labels.length > 0 ? "Or in your own words" : "Your answer",
  };
  if (labels.length === 0) return { answer: words };
  const choice = isMulti
    ? { type: "array" as const, title: "Choose", items: { type: "string" as const, enum: [...labels] } }
    : { type: "string" as const, title: "Choose", enum: [...labels] };
  return { choice, answer: words };
}
