import { expect, test } from "vitest";
import { quantise } from "../domain/memory/vector/vector.ts";
import { openSignTable } from "./vector-scan.ts";

const dimensions = 256;
let state = 1;
function some(): Float32Array {
  return Float32Array.from({ length: dimensions }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

function countOneByOne(a: Int8Array, b: Int8Array): number {
  return a.filter((value, n) => value > 0 !== (b[n] ?? 0) > 0).length;
}

test("counts differing signs, also after the table has grown", () => {
  const table = openSignTable(dimensions);
  const wanted = quantise(some()) as Int8Array;
  expect([...table.differencesFrom(wanted)]).toEqual([]);
  const rows = Array.from({ length: 5_000 }, () => quantise(some()) as Int8Array);
  for (const [n, row] of rows.entries()) {
    table.add(row);
    if (n % 1_000 === 0) table.differencesFrom(wanted);
  }
  expect(table.size()).toBe(5_000);
  expect([...table.differencesFrom(wanted)]).toEqual(rows.map((row) => countOneByOne(wanted, row)));
  expect(table.differencesFrom(rows[7] as Int8Array)[7]).toBe(0);
});

test("vectors of the same direction have the same signs", () => {
  const [base, noise] = [some(), some()];
  const table = openSignTable(dimensions);
  table.add(quantise(base.map((value, n) => value + 0.2 * (noise[n] ?? 0))) as Int8Array);
  expect(table.differencesFrom(quantise(base) as Int8Array)[0]).toBeLessThan(40);
});
