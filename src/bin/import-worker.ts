import { serveImport } from "../daemon/import/import-worker.ts";

serveImport();
