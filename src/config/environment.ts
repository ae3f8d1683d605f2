/** The only place that reads process.env: everything else is handed what it needs. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(): Environment {
  return process.env;
}

/**
 * What the daemon may inherit: nothing that ties it to the session that happened to start it
 * (`CLAUDE*`, but for the place of the user's login), and no flags that would change or slow its runtime.
 */
export function makeDaemonEnvironment(environment: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    if (name === "CLAUDE_CONFIG_DIR") kept[name] = value;
    if (name.startsWith("CLAUDE") || name === "NODE_OPTIONS" || name.startsWith("npm_")) continue;
    kept[name] = value;
  }
  return kept;
}
