import type { Server } from "@modelcontextprotocol/sdk/server/index.js";

export interface DialogQuestion {
  message: string;
  labels: readonly string[];
  isMulti: boolean;
}

/** Shows a form in the host; what was said, or that the person waved it away. Rejects when withdrawn by the signal. */
export type Elicit = (question: DialogQuestion, signal: AbortSignal) => Promise<string[] | "dismissed">;

const farAwayMs = 24 * 3_600_000;

/** Undefined where the host has no forms. */
export function makeElicit(server: Server): Elicit | undefined {
  if (!server.getClientCapabilities()?.elicitation) return undefined;
  return async ({ message, labels, isMulti }, signal) => {
    // Clients do not take a request back that has the id 0, which our first one has: it shall not be this one.
    await server.ping();
    const { action, content } = await server.elicitInput(
      { mode: "form", message, requestedSchema: { type: "object", properties: makeFields(labels, isMulti) } },
      { signal, timeout: farAwayMs },
    );
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
