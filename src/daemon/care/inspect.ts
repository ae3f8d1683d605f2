import type { Inspection } from "../../protocol/inspection.ts";
import { describeSqlite, readStoreFacts } from "../../store/store-facts.ts";
import { loadStoreMigrations } from "../../store/store-migrations.ts";
import { countExpiring, findTranscripts } from "../transcripts/find-transcripts.ts";

/** For `rookery doctor`: runs with or without a daemon, and changes nothing. */
export async function inspectHome(
  databaseFile: string,
  claudeFolder: string,
  nowMs: number,
): Promise<Inspection> {
  const { database, error, known } = readStoreFacts(databaseFile, nowMs);
  const found = await findTranscripts(claudeFolder);
  const unread = found.filter(({ path, sessionId }) => !known.has(path) && !known.has(sessionId));
  return {
    ...describeSqlite(),
    knownSchema: loadStoreMigrations().at(-1)?.version ?? 0,
    database,
    error,
    transcripts: countExpiring(claudeFolder, unread, nowMs),
  };
}
