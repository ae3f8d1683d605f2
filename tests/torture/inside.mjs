// Loaded into the daemon and its threads: a system time that can be changed, and faults of single threads.
// The file TORTURE_CLOCK has the difference to the real time in ms; TORTURE_THREAD has "THREAD FAULT" for one thread.
import { readFileSync, rmSync } from "node:fs";
import { isMainThread, workerData } from "node:worker_threads";

const RealDate = Date;
let differenceMs = 0;
let readAt = Number.NEGATIVE_INFINITY;

function readDifference() {
  if (performance.now() - readAt < 20) return differenceMs;
  readAt = performance.now();
  try {
    differenceMs = Number(readFileSync(process.env.TORTURE_CLOCK, "utf8"));
  } catch {
    // No file, or no descriptors left: the last value stays.
  }
  return differenceMs;
}

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length > 0) super(...given);
    else super(RealDate.now() + readDifference());
  }
  static now() {
    return RealDate.now() + readDifference();
  }
};

const faults = {
  exit: () => process.exit(1),
  stall(until = performance.now() + 3_000) {
    while (performance.now() < until);
  },
  memory() {
    for (const kept = []; ; ) kept.push(Array.from({ length: 100_000 }, (_, n) => ({ n })));
  },
};

if (!isMainThread) {
  const thread = workerData?.serverName ? "homeserver" : "worker";
  setInterval(() => {
    let fault = "";
    try {
      const [wanted, named] = readFileSync(process.env.TORTURE_THREAD, "utf8").split(" ");
      if (wanted !== thread) return;
      rmSync(process.env.TORTURE_THREAD);
      fault = named;
    } catch {
      return; // No fault is wanted.
    }
    faults[fault]();
  }, 50).unref();
}
