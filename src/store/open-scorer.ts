import { readFileSync } from "node:fs";
import { makeScorer, type Scorer } from "../domain/memory/distil/scorer.ts";

/** `weights/distil.bin`, beside the store in the sources and beside the bundle in the build. How it is trained: docs/distil.md. */
const weightsFile = new URL("./weights/distil.bin", import.meta.url);

export function openScorer(file: URL = weightsFile): Scorer {
  return makeScorer(readFileSync(file));
}
