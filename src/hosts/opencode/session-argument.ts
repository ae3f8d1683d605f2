/** The argument in which our plugin names the session, in each call of an MCP tool: one server serves all sessions. */
export const sessionArgument = "rookery_session";
