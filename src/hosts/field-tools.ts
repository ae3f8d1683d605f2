import type { ToolKind } from "../protocol/agent-events.ts";
import { asFields, asFieldsList, asText, type Fields } from "./fields.ts";
import type { HostTools } from "./host.ts";
import { makeKindOf } from "./tool-kinds.ts";
import type { Change } from "../domain/capture/payload-rules.ts";

interface ToolTable {
  kinds: Readonly<Record<string, ToolKind>>;
  /** Fields that name the file of a call. */
  fileFields: readonly string[];
  /** Other fields that name a file or folder. */
  pathFields: readonly string[];
  /** Fields that name the target of a call, the most informative first; files come before them. */
  targetFields: readonly string[];
  /** Fields with the text of a change. */
  changeFields: readonly string[];
  outputOf: HostTools["outputOf"];
  changesOf(tool: string, input: Fields, response: unknown): Change[];
}

/** Tools whose inputs are objects with one field for each thing: a file, a command, a text. */
export function makeFieldTools(table: ToolTable): HostTools {
  const { kinds, fileFields, pathFields, targetFields, changeFields, outputOf } = table;
  const kindOf = makeKindOf(kinds);
  const changesOf = (tool: string, input: unknown, response: unknown): Change[] =>
    table.changesOf(tool, asFields(input) ?? {}, response);
  return {
    names: Object.keys(kinds),
    inputFields: [...new Set([...fileFields, ...pathFields, ...targetFields, ...changeFields])],
    kindOf,
    fileOf: (input) => fileFields.map((field) => asText(asFields(input)?.[field])).find(Boolean),
    readCall(tool, rawInput) {
      const input = asFields(rawInput) ?? {};
      const asked = asFieldsList(input["questions"])[0]?.["question"];
      const fields = [...fileFields, ...targetFields, ...pathFields];
      const candidates = [...fields.map((field) => input[field]), asked];
      return {
        paths: [...fileFields, ...pathFields].flatMap((field) => asText(input[field]) ?? []),
        command: asText(input["command"]),
        target: candidates.map(asText).find((text) => text?.trim()) ?? "",
        changes: kindOf(tool) === "edit" ? changesOf(tool, input, undefined) : [],
      };
    },
    outputOf,
    changesOf,
  };
}

/** A replaced text; none without the new one. */
export function readChange(before: unknown, after: unknown): Change[] {
  return typeof after === "string" ? [{ before: asText(before) ?? null, after }] : [];
}
