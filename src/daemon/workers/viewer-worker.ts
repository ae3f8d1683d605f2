import { workerData } from "node:worker_threads";
import { browse, type BrowseJob } from "../../store/browse.ts";
import { countSavings, type SavingsJob } from "../../store/savings.ts";
import { readInjectionsOf, readSourceEvents } from "../../store/sources.ts";
import { openDatabase } from "../../sqlite/sqlite.ts";
import { readStory, type StoryJob } from "../../store/story.ts";
import { serveJobs } from "../runtime/serve-jobs.ts";

/** What reads much and is only looked at, on a connection that only reads: no hook waits behind it. */
export function serveViewer(): void {
  const db = openDatabase((workerData as { database: string }).database, { readOnly: true });
  serveJobs({
    browse: (job: BrowseJob) => browse(db, job),
    story: (job: StoryJob) => readStory(db, job),
    savings: (job: SavingsJob) => countSavings(db, job),
    sources: ({ id, events }: { id: string; events: string[] }) => ({
      events: readSourceEvents(db, events),
      injections: readInjectionsOf(db, id),
    }),
  });
}
