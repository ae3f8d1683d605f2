import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openLogFile } from "./log.ts";

const folder = mkdtempSync(join(tmpdir(), "rk-log-"));
const path = join(folder, "x.log");
const clock = () => 0;

afterEach(() => {
  for (const file of readdirSync(folder)) rmSync(join(folder, file), { recursive: true });
});

const read = (file: string): any[] =>
  readFileSync(join(folder, file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test("rotates by size and keeps the newest generations, each below the limit and private", () => {
  const log = openLogFile({ path, level: "info", clock, maxBytes: 1_000, keep: 2 });
  for (let n = 0; n < 100; n++) log.info("line", { n });
  log.close();
  expect(readdirSync(folder).toSorted()).toEqual(["x.log", "x.log.1", "x.log.2"]);
  const kept = ["x.log.2", "x.log.1", "x.log"].flatMap(read).map(({ n }) => n);
  expect(kept.at(-1)).toBe(99);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => 100 - kept.length + i));
  for (const file of readdirSync(folder)) {
    expect(statSync(join(folder, file)).size).toBeLessThanOrEqual(1_000);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  }
});

test("appends to the log of an earlier run", () => {
  for (const n of [1, 2]) {
    const log = openLogFile({ path, level: "info", clock });
    log.info("run", { n });
    log.close();
  }
  expect(read("x.log").map(({ n }) => n)).toEqual([1, 2]);
});

test("skips lines below its level, logs the cause of an error, and writes nothing once closed", () => {
  const log = openLogFile({ path, level: "warn", clock });
  log.info("not this");
  log.error("this", { error: new Error("outer", { cause: new Error("inner") }) });
  log.close();
  log.error("too late");
  const [line, ...rest] = read("x.log");
  expect(rest).toEqual([]);
  expect(line).toMatchObject({
    level: "error",
    message: "this",
    error: { message: "outer", cause: { message: "inner" } },
  });
});

test("stays below its limit when it cannot rotate, and works again when it can", () => {
  mkdirSync(join(folder, "x.log.1"));
  const log = openLogFile({ path, level: "info", clock, maxBytes: 1_000, keep: 1 });
  for (let n = 0; n < 100; n++) log.info("line", { n });
  log.scrub(/nothing/); // Writes what is queued.
  expect(statSync(path).size).toBeLessThanOrEqual(1_000);
  rmSync(join(folder, "x.log.1"), { recursive: true });
  log.info("last");
  log.close();
  expect(read("x.log").at(-1)).toMatchObject({ message: "last" });
});

test("truncates a long line", () => {
  const log = openLogFile({ path, level: "info", clock });
  log.info("long", { text: "x".repeat(10_000_000) });
  log.close();
  expect(statSync(path).size).toBeLessThan(100_000);
  expect(read("x.log")).toMatchObject([{ message: "long" }]);
});
