import { servePreparation } from "../daemon/workers/prepare-worker.ts";

servePreparation();
