import { serveMemory } from "../daemon/memory/memory-worker.ts";

serveMemory();
