import { parentPort } from "node:worker_threads";
import { toAppError } from "../../shared/errors.ts";
import type { JobAnswer, JobRequest } from "./job-worker.ts";

export type Jobs = Record<string, (input: never) => unknown>;

/** The worker's side of `openJobWorker`. */
export function serveJobs(jobs: Jobs): void {
  parentPort?.on("message", (request: JobRequest) => {
    void answer(jobs, request).then((message) => parentPort?.postMessage(message));
  });
}

async function answer(jobs: Jobs, { job, name, input }: JobRequest): Promise<JobAnswer> {
  try {
    const run = jobs[name] as ((input: unknown) => unknown) | undefined;
    if (!run) throw new Error(`there is no job ${name}`);
    return { job, output: await run(input) };
  } catch (error) {
    const { code, message } = toAppError(error);
    return { job, error: { code, message } };
  }
}
