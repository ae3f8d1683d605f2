import { countDifferences, packSigns, type Vector } from "../domain/memory/vector/vector.ts";
import type { Database } from "./sqlite.ts";

/** Finds rows by direction: the signs of all vectors are held in memory, 32 bytes a row. */
export interface VectorScan {
  /** Takes in rows that were given a vector since; at most so many at once. False when there are none left. */
  refresh(most: number): boolean;
  /** The rows that differ in the fewest signs, of these projects and kinds. */
  nearest(vector: Vector, scope: ScanScope, count: number): number[];
  read(rows: readonly number[]): Map<number, Vector>;
}

export interface ScanScope {
  projectIds?: readonly string[];
  kinds?: readonly string[];
}

interface VectorRow {
  row: number;
  projectId: string;
  kind: string;
  vector: Uint8Array;
}

export function openVectorScan(db: Database, model: string, dimensions: number): VectorScan {
  const words = dimensions / 32;
  const projects = openNumbering();
  const kinds = openNumbering();
  let size = 0;
  let last = 0;
  let signs = new Uint32Array(0);
  let rows = new Uint32Array(0);
  let projectOf = new Uint16Array(0);
  let kindOf = new Uint8Array(0);
  let distances = new Uint16Array(0);

  function grow(): void {
    // All that are there, and some to come: growing by and by would leave behind as much again.
    const stored = db.get<{ n: number }>("SELECT count(*) AS n FROM memory_vectors")?.n ?? 0;
    const room = Math.ceil(Math.max(1_024, stored, size) * 1.1);
    signs = enlarge(signs, new Uint32Array(room * words));
    rows = enlarge(rows, new Uint32Array(room));
    projectOf = enlarge(projectOf, new Uint16Array(room));
    kindOf = enlarge(kindOf, new Uint8Array(room));
    distances = new Uint16Array(room);
  }

  function add({ row, projectId, kind, vector }: VectorRow): void {
    if (size === rows.length) grow();
    packSigns(asVector(vector), signs, size * words);
    rows[size] = row;
    projectOf[size] = projects.numberOf(projectId);
    kindOf[size] = kinds.numberOf(kind);
    size++;
    last = row;
  }

  return {
    refresh(most) {
      // Vectors are made in the order of the rows, so what is new always stands at the end.
      const fresh = db.all<VectorRow>(
        `SELECT v.row, r.project_id AS projectId, r.kind, v.vector FROM memory_vectors v JOIN memory_rows r ON r.rowid = v.row
         WHERE v.row > ? AND v.model = (SELECT id FROM vector_models WHERE name = ?) ORDER BY v.row LIMIT ?`,
        ...[last, model, most],
      );
      for (const row of fresh) add(row);
      return fresh.length === most;
    },
    nearest(vector, scope, count) {
      const wanted = new Uint32Array(words);
      packSigns(vector, wanted);
      const isProject = projects.flags(scope.projectIds);
      const isKind = kinds.flags(scope.kinds);
      const far = dimensions + 1;
      const histogram = new Uint32Array(far + 1);
      for (let n = 0; n < size; n++) {
        const isInScope = isProject[projectOf[n] as number] && isKind[kindOf[n] as number];
        const distance = isInScope ? countDifferences(wanted, signs, n * words) : far;
        distances[n] = distance;
        histogram[distance] = (histogram[distance] as number) + 1;
      }
      let limit = 0;
      for (let sum = histogram[0] as number; sum < count && limit < dimensions; )
        sum += histogram[++limit] as number;
      const found: { row: number; distance: number }[] = [];
      for (let n = 0; n < size; n++) {
        const distance = distances[n] as number;
        if (distance <= limit) found.push({ row: rows[n] as number, distance });
      }
      return found
        .toSorted((a, b) => a.distance - b.distance)
        .slice(0, count)
        .map(({ row }) => row);
    },
    read(wanted) {
      const found = db.all<{ row: number; vector: Uint8Array }>(
        `SELECT v.row, v.vector FROM json_each(?) wanted CROSS JOIN memory_vectors v ON v.row = wanted.value
         WHERE v.model = (SELECT id FROM vector_models WHERE name = ?)`,
        ...[JSON.stringify(wanted), model],
      );
      return new Map(found.map(({ row, vector }) => [row, asVector(vector)]));
    },
  };
}

function asVector(bytes: Uint8Array): Vector {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

function enlarge<T extends Uint32Array | Uint16Array | Uint8Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** Small numbers for names, so that a row's project and kind can be compared in a loop. */
function openNumbering(): {
  numberOf(name: string): number;
  /** For each number 1 if it is one of these; all, if none are named. */
  flags(names: readonly string[] | undefined): Uint8Array;
} {
  const numbers = new Map<string, number>();
  return {
    numberOf(name) {
      const known = numbers.get(name) ?? numbers.size;
      numbers.set(name, known);
      return known;
    },
    flags(names) {
      const chosen = new Uint8Array(numbers.size + 1);
      if (!names) return chosen.fill(1);
      for (const name of names) chosen[numbers.get(name) ?? numbers.size] = 1;
      chosen[numbers.size] = 0;
      return chosen;
    },
  };
}
