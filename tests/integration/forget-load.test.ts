import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { filesHolding } from "../support/grep-home.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { ringBell, spoolEvent } from "../support/spool-writer.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rounds = 200;
const lanes = 3;
/** Turns of one lane in a round: a forgetting takes longer the more is stored, so the load must not depend on its duration. */
const turnsPerRound = 5;
const rookeries = useRookeries();

test(`a word is forgotten ${rounds} times under load, and the databases stay intact`, {
  timeout: 1_800_000,
}, async () => {
  const rookery = await rookeries.started();
  const load = startLoad(rookery);
  const faults: string[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const word = makeWord(round);
      load.enterRound(round);
      await plant(rookery, word, round);
      const { status, text, json } = await rookery.call("POST", "/api/forget", { query: word });
      if (status !== 200 || json.remaining.length > 0) faults.push(`round ${round}: ${status} ${text}`);
      const left = filesHolding(rookery.home.root, word);
      if (left.length > 0) faults.push(`round ${round}: ${word} is still in ${left.join(", ")}`);
      for (const path of [rookery.home.database, rookery.home.matrixDatabase]) checkIntegrity(path);
    }
  } finally {
    await load.stop();
  }
  expect(faults).toEqual([]);
  // Writing never stopped for long.
  expect(load.sent()).toBeGreaterThan((rounds * lanes * turnsPerRound * 3) / 2);
});

/** Letters only, so that no index splits it. */
function makeWord(n: number): string {
  const letters = String(n).replace(/\d/g, (digit) => "bcdfghjklm"[Number(digit)] ?? "");
  return `quillfeather${letters}zz`;
}

async function emit(rookery: Rookery, event: string, fields: Record<string, unknown>): Promise<void> {
  await ringBell(rookery.home, spoolEvent(rookery.home, event, makePayload(event, fields)));
}

async function plant(rookery: Rookery, word: string, round: number): Promise<void> {
  const about = { session_id: `s-${round % 5}`, prompt_id: `p-${round}` };
  await emit(rookery, "UserPromptSubmit", { ...about, prompt: `From now on we call it ${word}, always.` });
  const call = { tool_name: "Bash", tool_use_id: `t-${round}`, tool_input: { command: `grep ${word} src` } };
  await emit(rookery, "PostToolUse", { ...about, ...call, tool_response: { stdout: `src/a.ts: ${word}` } });
  await emit(rookery, "Stop", { ...about, last_assistant_message: `The cause was ${word} in the pool.` });
}

/** Sessions that write while words are forgotten. */
function startLoad(rookery: Rookery): {
  enterRound(round: number): void;
  sent(): number;
  stop(): Promise<void>;
} {
  let isOver = false;
  let maxTurns = 0;
  let sent = 0;
  const running = Array.from({ length: lanes }, async (_, lane) => {
    for (let n = 0; !isOver; ) {
      await pause(20); // Spreads the turns over the forgetting.
      if (n >= maxTurns) continue;
      const about = { session_id: `load-${lane}`, prompt_id: `load-${lane}-${n}` };
      await emit(rookery, "UserPromptSubmit", { ...about, prompt: `Why is test ${n} of lane ${lane} slow?` });
      await emit(rookery, "PostToolUse", { ...about, tool_name: "Bash", tool_use_id: `${lane}-${n}` });
      await emit(rookery, "Stop", { ...about, last_assistant_message: `Test ${n} waits for the pool.` });
      sent += 3;
      n += 1;
    }
  });
  return {
    enterRound(round) {
      maxTurns = (round + 1) * turnsPerRound;
    },
    sent: () => sent,
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

function checkIntegrity(path: string): void {
  const db = openDatabase(path, { readOnly: true });
  try {
    expect(db.all("PRAGMA integrity_check"), path).toEqual([{ integrity_check: "ok" }]);
  } finally {
    db.close();
  }
}
