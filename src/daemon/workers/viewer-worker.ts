import type { ViewerJobs } from "../viewer/viewer-api.ts";
import { hostFor } from "../../hosts/hosts.ts";
import { isWakeLine } from "../../hosts/wake-line.ts";
import { workerData } from "node:worker_threads";
import { browse } from "../../store/browse.ts";
import { findSessions } from "../../store/find-sessions.ts";
import { countSavings } from "../../store/savings.ts";
import { readInjectionsOf, readSourceEvents } from "../../store/sources.ts";
import { openDatabase } from "../../sqlite/sqlite.ts";
import { readStory } from "../../store/story.ts";
import { readRecallUse } from "../../store/note-use.ts";
import { readStrip, readWeek } from "../../store/strip.ts";
import { readTalk } from "../../store/talk.ts";
import { makeTitle } from "../../domain/ask/make-card.ts";
import { serveJobs } from "../runtime/job-worker.ts";

/** Expensive queries of the viewer, on a read-only connection, so that no hook waits for them. */
export function serveViewer(): void {
  const db = openDatabase((workerData as { database: string }).database, { readOnly: true });
  serveJobs<ViewerJobs>({
    browse: (job) => browse(db, job),
    story: (job) =>
      readStory(db, job, {
        findTarget: (host, tool, input) => hostFor(host).tools.readCall(tool, input).target,
        readMachinePrompt: (host, prompt) => hostFor(host).prompts.readMachine(prompt),
        isWakeLine,
      }),
    strip: (job) =>
      readStrip(db, job, (question, host) => makeTitle(question, hostFor(host).requests.labelTool)),
    week: (job) => readWeek(db, job),
    recallUse: (job) => readRecallUse(db, job),
    talk: (job) => readTalk(db, job),
    savings: (job) => countSavings(db, job),
    findSessions: (job) => findSessions(db, job),
    sources: ({ id, events }) => ({
      events: readSourceEvents(db, events),
      injections: readInjectionsOf(db, id),
    }),
  });
}
