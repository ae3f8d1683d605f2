import { serveHomeserver } from "../homeserver/worker.ts";

// Beside the bundle the main database has its own; ours have another name there.
await serveHomeserver(new URL("./homeserver-migrations/", import.meta.url));
