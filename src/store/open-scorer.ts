import { readFileSync } from "node:fs";
import { makeScorer, type Scorer } from "../domain/memory/distil/scorer.ts";

/**
 * `weights/distil.bin`, next to the store in the sources and next to the bundle in the build. See docs/distil.md for
 * how it is trained.
 */
const weightsFile = new URL("./weights/distil.bin", import.meta.url);

export function openScorer(): Scorer {
  return makeScorer(readFileSync(weightsFile));
}
