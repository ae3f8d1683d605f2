import { workerData } from "node:worker_threads";
import { makeExclusion } from "../../domain/capture/exclude.ts";
import { distilTurn } from "../../domain/memory/distil/distil-turn.ts";
import type { Scorer } from "../../domain/memory/distil/scorer.ts";
import { clip } from "../../shared/text.ts";
import { openDatabase } from "../../sqlite/sqlite.ts";
import { openScorer } from "../../store/open-scorer.ts";
import { assembleTurn } from "../memory/assemble-turn.ts";
import type { DistilJobs } from "../memory/distiller.ts";
import { judgeRecall, judgeUses } from "../memory/judge-recall.ts";
import type { ModelPromptJobs } from "../memory/model-distiller.ts";
import { prepareForModel } from "../memory/prepare-for-model.ts";
import type { ReadTurnsJobs } from "../memory/reconciler.ts";
import { serveJobs } from "../runtime/job-worker.ts";
import { readTurns } from "../transcripts/read-turns.ts";

interface DistilWorkerSettings {
  database: string;
  exclude: readonly string[];
}

/** Reads turns, from the database and from transcripts, and distils them; the main thread writes the results. */
export function serveDistil(): void {
  const { database, exclude } = workerData as DistilWorkerSettings;
  const exclusion = makeExclusion(exclude);
  const db = openDatabase(database, { readOnly: true });
  let scorer: Scorer | undefined;

  // Loaded on first use: most turns of a transcript that is read again are known.
  function useScorer(): Scorer {
    scorer ??= openScorer();
    return scorer;
  }

  serveJobs<DistilJobs & ModelPromptJobs & ReadTurnsJobs>({
    readTurns: (job) => readTurns(job, exclusion),
    distil({ turnId, recorded }) {
      const turn = assembleTurn(db, turnId, recorded);
      if (!turn) return undefined;
      const { record, isPosted, previousFinal, promptEventId } = turn;
      const context = { scorer: useScorer(), previousFinal, promptEventId };
      const distilled = distilTurn({ ...record, isMachine: record.isMachine || isPosted }, context);
      if (isPosted && distilled.summary) distilled.summary.request = clip(record.prompt, 300);
      return { turn, ...distilled, showings: judgeRecall(db, turn), uses: judgeUses(db, turn) };
    },
    modelPrompt({ turnId, project }) {
      const turn = assembleTurn(db, turnId);
      return turn && !turn.isPosted ? prepareForModel(turn, project, useScorer()) : undefined;
    },
  });
}
