import { servePreparation } from "../daemon/prepare-worker.ts";

servePreparation();
