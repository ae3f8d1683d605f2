import type { HostCalls } from "../host.ts";
import { requests } from "./requests.ts";

const patch = (path: string, before: string, after: string): string => {
  const lines = [
    ...before.split("\n").map((line) => `-${line}`),
    ...after.split("\n").map((line) => `+${line}`),
  ];
  return ["*** Begin Patch", `*** Update File: ${path}`, "@@", ...lines, "*** End Patch"].join("\n");
};

export const demoCalls: HostCalls = {
  ask: (questions) => ({ tool_name: "request_user_input", tool_input: { questions } }),
  answered: (_questions, answers) =>
    requests.recordAnswers(
      Object.entries(answers).map(([question, answer]) => ({ question, answer, options: [answer] })),
    ) as ReturnType<HostCalls["answered"]>,
  edit: (file, before, after) => ({
    tool_name: "apply_patch",
    tool_input: { command: patch(file, before, after) },
  }),
  run: (command, stdout) => ({ tool_name: "Bash", tool_input: { command }, tool_response: stdout }),
};
