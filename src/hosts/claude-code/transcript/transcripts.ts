import type { HostTranscripts } from "../../host.ts";
import { headLength, mayHaveEntries } from "./line-head.ts";
import { readTranscriptLine } from "./read-line.ts";

const defaultKeptDays = 30;

export const transcripts: HostTranscripts = {
  headLength,
  mayHaveEntries,
  readLine: readTranscriptLine,
  folder: "projects",
  depth: 1,
  // Subagents have their own files; the session contains the result of the call that started them.
  sessionIdOf: (path) => /^[^/]+\/(?!agent-)([^/]+)\.jsonl$/.exec(path)?.[1],
  indexFile: "sessions-index.json",
  retentionDays(settings) {
    const days = (settings as { cleanupPeriodDays?: unknown } | undefined)?.cleanupPeriodDays;
    return typeof days === "number" && days >= 0 ? days : defaultKeptDays;
  },
};
