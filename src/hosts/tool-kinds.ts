import type { ToolKind } from "../protocol/agent-events.ts";
import { getOwn } from "../shared/json.ts";

/** Our own MCP server, registered by a plugin or by settings. */
const ownTool = /^(?:mcp__?)?(?:plugin_)?rookery/;

/** The kind of a tool by its name; our own tools are housekeeping, unknown ones `other`. */
export function makeKindOf(kinds: Readonly<Record<string, ToolKind>>): (name: string) => ToolKind {
  return (name) => (ownTool.test(name) ? "housekeeping" : (getOwn(kinds, name) ?? "other"));
}
