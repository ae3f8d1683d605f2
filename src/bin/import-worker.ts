import { serveImport } from "../daemon/workers/import-worker.ts";

serveImport();
