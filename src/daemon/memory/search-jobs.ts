import type { Query } from "../../domain/memory/query.ts";
import type { Vector } from "../../domain/memory/vector/vector.ts";
import type { SearchFilter } from "../../store/memory-match.ts";
import type { Found } from "../../store/memory-search.ts";

export interface SearchJob {
  query: Query;
  filter: SearchFilter;
  limit: number;
  /** The query's vector from the endpoint's model, if there is one. */
  wanted?: Vector | undefined;
  /** Waits until a new worker has loaded all vectors. */
  mayWait?: boolean;
}

export interface SearchJobs {
  warm(): void;
  find(job: SearchJob): Promise<Found[]>;
}
