import { makeGeminiTools, readLlmContent } from "../gemini-tools.ts";

export const tools = makeGeminiTools(
  {
    edit: "edit",
    ask_user_question: "ask",
    agent: "delegate",
    task: "delegate",
    web_search: "web",
    todo_write: "housekeeping",
    skill: "housekeeping",
    tool_search: "housekeeping",
  },
  readLlmContent,
);

export const { kindOf } = tools;
