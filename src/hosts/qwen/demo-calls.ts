import type { HostCalls } from "../host.ts";

export const demoCalls: HostCalls = {
  ask: (questions) => ({ tool_name: "ask_user_question", tool_input: { questions } }),
  answered: (questions, answers) => ({
    tool_name: "ask_user_question",
    tool_input: { questions },
    tool_response: { answers },
  }),
  edit: (file, before, after) => ({
    tool_name: "edit",
    tool_input: { file_path: file, old_string: before, new_string: after },
  }),
  run: (command, stdout) => ({
    tool_name: "run_shell_command",
    tool_input: { command },
    tool_response: { llmContent: stdout },
  }),
};
