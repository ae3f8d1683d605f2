import { serveSearch } from "../daemon/workers/search-worker.ts";

serveSearch();
