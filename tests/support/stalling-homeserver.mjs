// A fake homeserver thread: answers the daemon until a request makes it block forever.
import { workerData } from "node:worker_threads";
import { serveJobs } from "../../src/daemon/runtime/job-worker.ts";

let pings = 0;
serveJobs({
  port: () => workerData.ports[0],
  ping() {
    pings++;
  },
  stats: () => ({ users: pings }),
  ensureUser({ localpart }) {
    if (localpart === "stall") for (;;);
  },
  stop() {},
});
