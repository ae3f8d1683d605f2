import type { HostCalls } from "../host.ts";
import { listQuestions } from "../question-input.ts";
import { formatAnswers } from "./requests.ts";

export const demoCalls: HostCalls = {
  ask: (questions) => ({ tool_name: "ask_user_question", tool_input: { questions } }),
  answered(questions, answers) {
    const asked = listQuestions({ questions });
    const given = asked.map(({ question }) => answers[question]);
    return {
      tool_name: "ask_user_question",
      tool_input: { questions },
      tool_response: formatAnswers(asked, given),
    };
  },
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
