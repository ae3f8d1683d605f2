import type { HostCalls } from "../host.ts";
import { listQuestions } from "../question-input.ts";

const ask: HostCalls["ask"] = (questions) => {
  const [first] = listQuestions({ questions });
  return { tool_name: "ask_user", tool_input: { question: first?.question, choices: first?.["options"] } };
};

export const demoCalls: HostCalls = {
  ask,
  answered: (questions, answers) => ({
    ...ask(questions),
    tool_response: { textResultForLlm: Object.values(answers)[0] ?? "" },
  }),
  edit: (file, before, after) => ({
    tool_name: "edit",
    tool_input: { path: file, old_str: before, new_str: after },
  }),
  run: (command, stdout) => ({
    tool_name: "bash",
    tool_input: { command },
    tool_response: { resultType: "success", textResultForLlm: stdout },
  }),
};
