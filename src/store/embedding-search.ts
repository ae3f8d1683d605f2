import { rescaleCosine } from "../domain/memory/rank.ts";
import { calibratePairs, calibrateQuery, minCalibrated } from "../domain/memory/vector/calibrate.ts";
import { cosine, paddedDimensions, type Vector } from "../domain/memory/vector/vector.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { openVectorScan, type ScanScope } from "./vector-scan.ts";
import type { VectorModel } from "./vector-table.ts";

/** Compares texts by the vectors of the endpoint's model, if both have one. */
interface EmbeddingSearch {
  /** Loads up to `limit` vectors added since the last call. False when none are left. */
  refresh(limit: number): boolean;
  /** Similarity, on the built-in table's scale, of the `known` rows and of the `count` nearest others. */
  compare(wanted: Vector, scope: ScanScope, known: readonly number[], count: number): Map<number, number>;
  /** For each of these rows, the ids of the other rows that say the same. */
  findTwins(rows: readonly { row: number; ref: string }[]): Map<number, string[]>;
}

const maxRefreshed = 250;
const maxSampled = 300;
/** Minimum similarity of two texts that say the same, on a scale from unrelated (0) to identical (1). */
const minTwin = 0.9;

export function openEmbeddingSearch(db: Database, { name, dimensions }: VectorModel): EmbeddingSearch {
  const scan = openVectorScan(db, name, paddedDimensions(dimensions), "memory_embeddings");
  let sample: Vector[] = [];
  let sampledAt = 0;

  /** Takes a new sample whenever the number of vectors has doubled. */
  function takeSample(): Vector[] {
    if (scan.size() >= 2 * sampledAt || sample.length < minCalibrated) {
      sample = scan.sample(maxSampled);
      sampledAt = scan.size();
    }
    return sample;
  }

  return {
    refresh: scan.refresh,
    compare(wanted, scope, known, count) {
      scan.refresh(maxRefreshed);
      const scale = calibrateQuery(wanted, takeSample());
      if (!scale) return new Map();
      const near = count === 0 ? [] : scan.nearest(wanted, scope, count);
      const vectors = scan.read([...new Set([...known, ...near])]);
      return new Map(
        [...vectors].map(([row, vector]) => [row, rescaleCosine(cosine(wanted, vector), scale)]),
      );
    },
    findTwins(rows) {
      const scale = calibratePairs(takeSample());
      if (!scale) return new Map();
      const vectors = scan.read(rows.map(({ row }) => row));
      const limit = scale.mean + minTwin * (1 - scale.mean);
      const isTwin = (a: number, b: number): boolean => {
        const [left, right] = [vectors.get(a), vectors.get(b)];
        return a !== b && left !== undefined && right !== undefined && cosine(left, right) >= limit;
      };
      return new Map(
        rows.map(({ row }) => [row, rows.filter((other) => isTwin(row, other.row)).map(({ ref }) => ref)]),
      );
    },
  };
}
