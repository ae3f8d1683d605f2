import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";

/** The launcher starts `dist/mcp.js` directly; this entry exists for the help text. */
export const mcp: Command = {
  summary: "Run the MCP server on stdio, for Claude Code or any other MCP client.",
  usage: "",
  examples: ["rookery mcp"],
  async run() {
    throw new AppError(
      "invalid_argument",
      "Start the MCP server through the launcher: plugin/bin/rookery mcp",
    );
  },
};
