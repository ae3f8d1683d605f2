import type { ToolKind } from "../../protocol/agent-events.ts";
import { asFields, asFieldsList, asText } from "../fields.ts";
import type { HostTools } from "../host.ts";
import { makeKindOf } from "../tool-kinds.ts";
import { readPatch } from "./patch.ts";

const kinds: Readonly<Record<string, ToolKind>> = {
  Bash: "run",
  write_stdin: "run",
  apply_patch: "edit",
  view_image: "read",
  request_user_input: "ask",
  spawn_agent: "delegate",
  followup_task: "delegate",
  web_search: "web",
  update_plan: "housekeeping",
  send_message: "housekeeping",
  send_input: "housekeeping",
  wait_agent: "housekeeping",
  resume_agent: "housekeeping",
  close_agent: "housekeeping",
  list_agents: "housekeeping",
  interrupt_agent: "housekeeping",
  list_mcp_resources: "housekeeping",
  list_mcp_resource_templates: "housekeeping",
  read_mcp_resource: "housekeeping",
};

const kindOfPlain = makeKindOf(kinds);

/** Codex puts the namespace of its tools for subagents in front of most of their names. */
const kindOf = (name: string): ToolKind => kindOfPlain(name.replace(/^multi_agent_v\d+/, ""));

/** Fields that name the target of a call, the most informative first. */
const targetFields = ["path", "command", "query", "message", "task"] as const;

/** Codex reports a patch and a shell command in the same field; only a patch starts with this. */
const patchStart = "*** Begin Patch";

export const tools: HostTools = {
  names: Object.keys(kinds),
  inputFields: ["command"],
  kindOf,
  fileOf: (input) => filesOf(input)[0]?.path ?? asText(asFields(input)?.["path"]),
  readCall(tool, rawInput) {
    const input = asFields(rawInput) ?? {};
    const files = filesOf(input);
    const asked = asFieldsList(input["questions"])[0]?.["question"];
    const candidates = [files[0]?.path, ...targetFields.map((field) => input[field]), asked];
    const path = asText(input["path"]);
    return {
      paths: files.length > 0 ? files.map(({ path }) => path) : path === undefined ? [] : [path],
      command: files.length > 0 ? undefined : asText(input["command"]),
      target: candidates.map(asText).find((text) => text?.trim()) ?? "",
      changes: kindOf(tool) === "edit" ? files.flatMap(({ changes }) => changes) : [],
    };
  },
  outputOf(response) {
    if (typeof response === "string") return response;
    const { content, output } = asFields(response) ?? {};
    if (typeof output === "string") return output;
    return asFieldsList(content)
      .flatMap(({ text }) => asText(text) ?? [])
      .join("\n");
  },
  changesOf: (_tool, input) => filesOf(input).flatMap(({ changes }) => changes),
};

function filesOf(input: unknown): ReturnType<typeof readPatch> {
  const command = asText(asFields(input)?.["command"]);
  return command?.trimStart().startsWith(patchStart) ? readPatch(command) : [];
}
