import { serveCare } from "../daemon/workers/care-worker.ts";

serveCare();
