interface HostMarks {
  /** As messages name it. */
  label: string;
  /**
   * Variables that the host sets for the commands it runs. Only names that people and editors do not set themselves:
   * `AGENT` (OpenCode sets it, too), `CLAUDE_CODE_SSE_PORT` and `CURSOR_TRACE_ID` (terminals of an editor) are not marks.
   */
  environment: readonly string[];
  /** Names of its executable, and of the script where it is run by an interpreter. */
  processNames: readonly string[];
  /** Parts of the path of its script or executable. */
  scriptPaths: readonly string[];
  /** Where it keeps transcripts. */
  transcripts?: RegExp;
  /** Whether a process holds one session at a time. Set only where that was verified. */
  hasOneSessionPerProcess?: true;
}

/** How to recognise each host: by its processes and by its transcripts. */
export const hosts = {
  claude: {
    label: "Claude Code",
    environment: ["CLAUDECODE", "CLAUDE_PID", "CLAUDE_CODE_SESSION_ID"],
    processNames: ["claude"],
    scriptPaths: ["/@anthropic-ai/claude-code/", "/claude/versions/"],
    transcripts: /\/\.claude\/projects\//,
    hasOneSessionPerProcess: true,
  },
  codex: {
    label: "Codex",
    environment: ["CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_CI", "CODEX_SANDBOX"],
    processNames: ["codex"],
    scriptPaths: ["/@openai/codex/"],
    transcripts: /\/\.codex\/|\/rollout-[^/]+\.jsonl$/,
  },
  opencode: {
    label: "OpenCode",
    environment: ["OPENCODE", "OPENCODE_PID"],
    processNames: ["opencode"],
    scriptPaths: ["/opencode-ai/"],
    transcripts: /\/opencode\/opencode\.db$/,
  },
  copilot: {
    label: "Copilot CLI",
    environment: ["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"],
    processNames: ["copilot"],
    scriptPaths: ["/@github/copilot/"],
    transcripts: /\/\.copilot\/|\/session-state\/[^/]+\/events\.jsonl$/,
    hasOneSessionPerProcess: true,
  },
  gemini: {
    label: "Gemini CLI",
    environment: ["GEMINI_CLI"],
    processNames: ["gemini"],
    scriptPaths: ["/@google/gemini-cli/"],
    transcripts: /\/\.gemini\/|\/chats\/session-[^/]+\.jsonl$/,
    hasOneSessionPerProcess: true,
  },
  qwen: {
    label: "Qwen Code",
    environment: ["QWEN_CODE", "QWEN_CODE_SESSION_ID"],
    processNames: ["qwen"],
    scriptPaths: ["/@qwen-code/qwen-code/"],
    transcripts: /\/\.qwen\/|\/projects\/[^/]+\/chats\/[^/]+\.jsonl$/,
    hasOneSessionPerProcess: true,
  },
  droid: {
    label: "Droid",
    environment: [],
    processNames: ["droid"],
    scriptPaths: ["/node_modules/droid/"],
    transcripts: /\/\.factory\//,
  },
  cline: {
    label: "Cline",
    environment: ["CLINE_ACTIVE"],
    processNames: ["cline"],
    scriptPaths: ["/node_modules/cline/"],
    transcripts: /\/\.cline\//,
  },
  cursor: {
    label: "Cursor",
    environment: ["CURSOR_AGENT"],
    processNames: ["cursor-agent"],
    scriptPaths: ["/cursor-agent/versions/"],
    transcripts: /\/\.cursor\//,
  },
  /** Hosts without a row of their own that follow the common convention. */
  other: {
    label: "a coding agent",
    environment: ["AI_AGENT"],
    processNames: [],
    scriptPaths: [],
  },
} as const satisfies Record<string, HostMarks>;

export type HostName = keyof typeof hosts;

export const hostRows: readonly (HostMarks & { name: HostName })[] = Object.entries(hosts).map(
  ([name, marks]) => ({ name: name as HostName, ...marks }),
);
