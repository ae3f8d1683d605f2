export interface HostMarks {
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
