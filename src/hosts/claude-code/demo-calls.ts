import type { HostCalls } from "../host.ts";

export const demoCalls: HostCalls = {
  ask: (questions: readonly object[]) => ({ tool_name: "AskUserQuestion", tool_input: { questions } }),
  answered: (questions: readonly object[], answers: Record<string, string>) => ({
    tool_name: "AskUserQuestion",
    tool_input: { questions, answers },
    tool_response: { questions, answers },
  }),
  edit: (file: string, before: string, after: string) => ({
    tool_name: "Edit",
    tool_input: { file_path: file, old_string: before, new_string: after },
  }),
  run: (command: string, stdout: string) => ({
    tool_name: "Bash",
    tool_input: { command },
    tool_response: { stdout, stderr: "", interrupted: false },
  }),
};
