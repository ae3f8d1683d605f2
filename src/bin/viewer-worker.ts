import { serveViewer } from "../daemon/viewer/viewer-worker.ts";

serveViewer();
