import { readFileSync } from "node:fs";
import { packSigns, type Vector } from "../domain/memory/vector/vector.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** Finds rows by direction. Holds the signs of all vectors in memory, 32 bytes per row. */
interface VectorScan {
  /** Loads up to `limit` vectors added since the last call. False when none are left. */
  refresh(limit: number): boolean;
  /** The rows in these projects and of these kinds that differ in the fewest signs. */
  nearest(vector: Vector, scope: ScanScope, count: number): number[];
  read(rows: readonly number[]): Map<number, Vector>;
  size(): number;
  /** Up to this many vectors, from all parts of memory. */
  sample(count: number): Vector[];
}

/**
 * The table with the vectors, and the column in whose order they are added: those of the built-in table are computed in
 * row order, those of an endpoint in the order in which projects allow it.
 */
const sources = {
  memory_vectors: "row",
  memory_embeddings: "id",
} as const;

export interface ScanScope {
  projectIds?: readonly string[];
  kinds?: readonly string[];
}

interface VectorRow {
  place: number;
  row: number;
  projectId: string;
  kind: string;
  vector: Uint8Array;
}

export function openVectorScan(
  db: Database,
  model: string,
  dimensions: number,
  table: keyof typeof sources = "memory_vectors",
): VectorScan {
  const order = sources[table];
  const signs = openSignTable(dimensions);
  const scopes = openScopes();
  let last = 0;
  let rows = new Uint32Array(0);
  let scopeOf = new Uint16Array(0);

  function grow(): void {
    // Reserve space for all rows and some more: growing in steps would leave as much garbage behind.
    const stored = db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;
    const room = Math.ceil(Math.max(1_024, stored, rows.length) * 1.1);
    rows = enlarge(rows, new Uint32Array(room));
    scopeOf = enlarge(scopeOf, new Uint16Array(room));
  }

  function add({ place, row, projectId, kind, vector }: VectorRow): void {
    const n = signs.size();
    if (n === rows.length) grow();
    rows[n] = row;
    scopeOf[n] = scopes.numberOf(projectId, kind);
    signs.add(asVector(vector));
    last = place;
  }

  return {
    refresh(limit) {
      const fresh = db.all<VectorRow>(
        `SELECT v.${order} AS place, v.row, r.project_id AS projectId, r.kind, v.vector FROM ${table} v
         JOIN memory_rows r ON r.rowid = v.row
         WHERE v.${order} > ? AND v.model = (SELECT id FROM vector_models WHERE name = ?) ORDER BY v.${order} LIMIT ?`,
        last,
        model,
        limit,
      );
      for (const row of fresh) add(row);
      return fresh.length === limit;
    },
    nearest(vector, scope, count) {
      const differences = signs.differencesFrom(vector);
      const isWanted = scopes.flags(scope);
      // Counts rows by the number of differing signs, to find the cutoff that yields enough rows.
      const histogram = new Uint32Array(dimensions + 1);
      for (let n = 0; n < differences.length; n++) {
        const difference = differences[n] as number;
        if (isWanted[scopeOf[n] as number]) histogram[difference] = (histogram[difference] as number) + 1;
      }
      let limit = 0;
      for (let sum = histogram[0] as number; sum < count && limit < dimensions; )
        sum += histogram[++limit] as number;
      const found: { row: number; difference: number }[] = [];
      for (let n = 0; n < differences.length; n++) {
        const difference = differences[n] as number;
        if (difference <= limit && isWanted[scopeOf[n] as number])
          found.push({ row: rows[n] as number, difference });
      }
      return found
        .toSorted((a, b) => a.difference - b.difference)
        .slice(0, count)
        .map(({ row }) => row);
    },
    read,
    size: () => signs.size(),
    sample(count) {
      const step = Math.max(1, signs.size() / count);
      const chosen = Array.from(
        { length: Math.min(count, signs.size()) },
        (_, n) => rows[Math.floor(n * step)] as number,
      );
      return [...read(chosen).values()];
    },
  };

  function read(wanted: readonly number[]): Map<number, Vector> {
    const found = db.all<{ row: number; vector: Uint8Array }>(
      `SELECT v.row, v.vector FROM json_each(?) wanted CROSS JOIN ${table} v ON v.row = wanted.value
       WHERE v.model = (SELECT id FROM vector_models WHERE name = ?)`,
      JSON.stringify(wanted),
      model,
    );
    return new Map(found.map(({ row, vector }) => [row, asVector(vector)]));
  }
}

function asVector(bytes: Uint8Array): Vector {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

function enlarge<T extends Uint32Array | Uint16Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** A small number for each combination of project and kind, for fast comparison in a loop. */
function openScopes(): {
  numberOf(projectId: string, kind: string): number;
  /** For each number, 1 if it is in scope. */
  flags(scope: ScanScope): Uint8Array;
} {
  const known: { projectId: string; kind: string }[] = [];
  const numbers = new Map<string, number>();
  return {
    numberOf(projectId, kind) {
      const name = `${kind} ${projectId}`;
      const number = numbers.get(name) ?? known.push({ projectId, kind }) - 1;
      numbers.set(name, number);
      return number;
    },
    flags({ projectIds, kinds }) {
      const isWanted = ({ projectId, kind }: { projectId: string; kind: string }): boolean =>
        (projectIds?.includes(projectId) ?? true) && (kinds?.includes(kind) ?? true);
      return Uint8Array.from(known, (one) => Number(isWanted(one)));
    },
  };
}

/** The signs of many vectors, in memory: one bit per dimension. */
interface SignTable {
  size(): number;
  add(vector: Vector): void;
  /** For each row, the number of signs that differ. Valid until the next call. */
  differencesFrom(vector: Vector): Uint16Array;
}

interface Differences {
  memory: WebAssembly.Memory;
  countDifferences(one: number, rows: number, bytes: number, count: number, differences: number): void;
}

/** Compiled from `differences.wat`; next to the bundle in the build. */
const program = new URL("./vectors/differences.wasm", import.meta.url);
const pageBytes = 65_536;
/** Memory pages added per growth. */
const morePages = 16;

/** The rows are in the WebAssembly memory: first the query, then all rows, then the result. */
export function openSignTable(dimensions: number): SignTable {
  const rowBytes = dimensions / 8;
  const { memory, countDifferences } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(program)))
    .exports as unknown as Differences;
  let size = 0;
  let words = new Uint32Array(memory.buffer);

  function endOfRows(): number {
    return rowBytes * (1 + size);
  }

  function reserve(bytes: number): void {
    if (endOfRows() + bytes <= memory.buffer.byteLength) return;
    memory.grow(Math.max(morePages, Math.ceil(bytes / pageBytes)));
    words = new Uint32Array(memory.buffer); // Growing detaches the old view.
  }

  return {
    size: () => size,
    add(vector) {
      reserve(rowBytes);
      packSigns(vector, words, endOfRows() / 4);
      size++;
    },
    differencesFrom(vector) {
      reserve(size * 2);
      packSigns(vector, words);
      countDifferences(0, rowBytes, rowBytes, size, endOfRows());
      return new Uint16Array(memory.buffer, endOfRows(), size);
    },
  };
}
