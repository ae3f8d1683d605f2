import type { HostCalls } from "../host.ts";
import { listQuestions } from "../question-input.ts";
import { formatAnswers } from "./requests.ts";

export const demoCalls: HostCalls = {
  ask: (questions) => ({ tool_name: "ask_user", tool_input: { questions } }),
  answered: (questions, answers) => ({
    tool_name: "ask_user",
    tool_input: { questions },
    tool_response: formatAnswers(listQuestions({ questions }).map(({ question }) => answers[question])),
  }),
  edit: (file, before, after) => ({
    tool_name: "replace",
    tool_input: { file_path: file, old_string: before, new_string: after },
  }),
  run: (command, stdout) => ({
    tool_name: "run_shell_command",
    tool_input: { command },
    tool_response: { llmContent: `Output: ${stdout}` },
  }),
};
