import { serveHomeserver } from "../daemon/workers/homeserver-worker.ts";

// The folder `migrations` beside the bundle belongs to the main database.
await serveHomeserver(new URL("./homeserver-migrations/", import.meta.url));
