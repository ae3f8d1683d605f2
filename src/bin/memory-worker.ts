import { serveMemory } from "../daemon/workers/memory-worker.ts";

serveMemory();
