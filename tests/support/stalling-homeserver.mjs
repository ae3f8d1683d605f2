// A fake homeserver thread: answers the daemon until a request makes it block forever.
import { workerData } from "node:worker_threads";
import { serveJobs } from "../../src/daemon/runtime/job-worker.ts";

serveJobs({
  port: () => workerData.ports[0],
  ping() {},
  stats: () => ({ users: 0 }),
  ensureUser({ localpart }) {
    if (localpart === "stall") for (;;);
  },
  stop() {},
});
