export interface HostMarks {
  /** The name in messages. */
  label: string;
  /**
   * Variables that the host sets for the commands it runs. Only names that people and editors do not set themselves:
   * `AGENT` (also set by OpenCode), `CLAUDE_CODE_SSE_PORT` and `CURSOR_TRACE_ID` (terminals of an editor) are not
   * marks.
   */
  environment: readonly string[];
  /** Names of its executable, and of its script if an interpreter runs it. */
  processNames: readonly string[];
  /** Parts of the path of its script or executable. */
  scriptPaths: readonly string[];
  /** Matches the paths of its transcripts. */
  transcripts?: RegExp;
  /** Matches the ids of its sessions, if no other host has such ids. */
  sessionIds?: RegExp;
  /** Whether a process runs one session at a time. Set only where that was verified. */
  hasOneSessionPerProcess?: true;
  /**
   * Arguments of a process that shows no dialogs. Set only where a dialog was seen to open while its hook waits: with
   * any other host, a waiting hook keeps the person from answering in the terminal.
   */
  headlessArguments?: readonly string[];
}
