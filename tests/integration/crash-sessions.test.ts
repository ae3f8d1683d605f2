import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { isLong } from "../support/long.ts";
import { descendantsOf, processesMentioning, waitFor } from "../support/processes.ts";
import { makePayload } from "../support/rookery.ts";
import { useFakeClaudes } from "../support/fake-claude.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const rookeries = useRookeriesWithoutRooms();
const claudes = useFakeClaudes();
const sessions = isLong ? 1_000 : 100;

test(`${sessions} sessions through the hook script leave no process, no descriptor and no file`, async () => {
  const rookery = await rookeries.started();
  const { home } = rookery;
  const daemon = rookery.pid();
  const readUse = async () => ({
    descriptors: readdirSync(`/proc/${daemon}/fd`).length,
    rssBytes: (await rookery.call("GET", "/api/status")).json.rssBytes as number,
  });
  let next = 0;

  /** One process with a second session, as after `/clear`. */
  async function runLane(hostPid: number, until: number): Promise<void> {
    while (next < until) {
      const session_id = `s-${next++}`;
      for (const event of ["SessionStart", "UserPromptSubmit", "SessionEnd"]) {
        const payload = makePayload(event, {
          session_id,
          prompt_id: session_id,
          prompt: "hi",
          reason: "other",
        });
        const { code, stderr } = await rookery.hook(event, payload, { hostPid });
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      }
    }
  }

  const lanes = Array.from({ length: 8 }, () => claudes.open().pid);
  await Promise.all(lanes.map((pid) => runLane(pid, 20)));
  const before = await readUse();
  await Promise.all(lanes.map((pid) => runLane(pid, sessions)));
  // An event whose hook did not wait for the daemon is read from the spool.
  await waitFor(() => readdirSync(home.spool).length === 0, { describe: "an empty spool" });
  // A worker that is running, or a hook's connection that is closing, holds descriptors for a moment; a leak stays.
  const after = await waitFor(async () => {
    const use = await readUse();
    return use.descriptors - before.descriptors <= 2 && use;
  });

  expect(rookery.query("SELECT count(*) AS n FROM events")).toEqual([{ n: 3 * sessions }]);
  expect(rookery.query("SELECT status, count(*) AS n FROM sessions GROUP BY 1")).toEqual([
    { status: "ended", n: sessions },
  ]);
  expect(rookery.query<{ n: number }>("SELECT count(*) AS n FROM agents")[0]?.n).toBeLessThanOrEqual(
    lanes.length,
  );
  await waitFor(() => readdirSync(home.reply).length === 0);
  await expect.poll(() => descendantsOf(daemon)).toEqual([]);
  await expect
    .poll(async () => (await processesMentioning(home.root)).map(({ pid }) => pid))
    .toEqual([daemon]);
  expect(after.rssBytes - before.rssBytes, JSON.stringify({ before, after })).toBeLessThan(60_000_000);
  expect(after.rssBytes).toBeLessThan(200_000_000);
  console.log(
    `${sessions} sessions: RSS ${mb(before.rssBytes)} to ${mb(after.rssBytes)} MB, descriptors ${before.descriptors} to ${after.descriptors}`,
  );
});

function mb(bytes: number): number {
  return Math.round(bytes / 1e6);
}
