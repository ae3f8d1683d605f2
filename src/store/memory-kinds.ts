import type { MemoryKind } from "../protocol/memory.ts";
import type { MemoryKind as StoredKind } from "./memory-index.ts";

/** The API calls `note` what the store calls `observation`. */
export function toStoredKind(kind: MemoryKind): StoredKind {
  return kind === "note" ? "observation" : kind;
}

export function toMemoryKind(kind: StoredKind): MemoryKind {
  return kind === "observation" ? "note" : kind;
}
