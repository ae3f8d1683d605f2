import type { HostCalls } from "../host.ts";

export const demoCalls: HostCalls = {
  ask: (questions) => ({ tool_name: "question", tool_input: { questions } }),
  answered: (questions, answers) => ({
    tool_name: "question",
    tool_input: { questions },
    tool_response: { metadata: { answers: Object.values(answers).map((answer) => [answer]) } },
  }),
  edit: (file, before, after) => ({
    tool_name: "edit",
    tool_input: { filePath: file, oldString: before, newString: after },
  }),
  run: (command, stdout) => ({
    tool_name: "bash",
    tool_input: { command },
    tool_response: { output: stdout, metadata: { exit: 0 } },
  }),
};
