import { makeGeminiTools, readLlmContent } from "../gemini-tools.ts";
import { dropContextAfter } from "./hook-context.ts";

export const tools = makeGeminiTools(
  {
    search_file_content: "search",
    ask_user: "ask",
    enter_plan_mode: "housekeeping",
    invoke_agent: "delegate",
    google_web_search: "web",
    write_todos: "housekeeping",
    activate_skill: "housekeeping",
    get_internal_docs: "housekeeping",
    update_topic: "housekeeping",
  },
  (response) => readOutput(response).text,
);

export const { kindOf } = tools;

const [opening, closing] = ["<untrusted_context>\n", "\n</untrusted_context>"];
/** The lines that Gemini CLI adds to the output of a command, each only if it has something to say. */
const commandEnd =
  /(?<exit>\nExit Code: -?\d+)?(?<signal>\nSignal: .+)?(?:\nBackground PIDs: [\d, ]+)?(?:\nProcess Group PGID: \d+)?$/;

/** The text of a result without the frame around it, and whether it reports a failed command. */
export function readOutput(response: unknown): { text: string; isFailed: boolean } {
  const whole = dropContextAfter(readLlmContent(response)).trimEnd();
  const isFramed = whole.startsWith(opening) && whole.endsWith(closing);
  const framed = isFramed ? whole.slice(opening.length, -closing.length) : whole;
  if (!framed.startsWith("Output: ")) return { text: framed, isFailed: false };
  const end = commandEnd.exec(framed.slice(-500));
  const { exit, signal } = end?.groups ?? {};
  const text = framed.slice("Output: ".length, framed.length - (end?.[0].length ?? 0));
  return {
    text: [text === "(empty)" ? "" : text, exit?.trim(), signal?.trim()].filter(Boolean).join("\n"),
    isFailed: exit !== undefined || signal !== undefined,
  };
}
