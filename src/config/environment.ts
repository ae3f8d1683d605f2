/** The only place that reads process.env; other code gets the environment as a parameter. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(): Environment {
  // Set by the launcher for this process only. Programs that we start must not write into our folder.
  delete process.env.NODE_COMPILE_CACHE;
  return process.env;
}

/** For a plugin inside another program, whose environment must stay as it is. */
export function readForeignEnvironment(): Environment {
  return process.env;
}

/**
 * The environment for the daemon, without variables of the session that happens to start it (`CLAUDE*`, except for the
 * location of the user's login) and without flags that would change or slow down its runtime.
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
