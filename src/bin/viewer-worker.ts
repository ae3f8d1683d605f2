import { serveViewer } from "../daemon/workers/viewer-worker.ts";

serveViewer();
