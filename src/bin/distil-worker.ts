import { serveDistil } from "../daemon/workers/distil-worker.ts";

serveDistil();
