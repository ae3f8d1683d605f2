import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { spawnDaemon } from "../support/daemon-process.ts";
import { fencesIn, signIn, useMailStage, type StagedSession } from "../support/mail-stage.ts";
import { openOutside, type Outside } from "../support/outside.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries(afterAll);
let rookery: Rookery;
let outside: Outside;
const stage = useMailStage(() => rookery);

beforeAll(async () => {
  rookery = rookeries.open({ ROOKERY_MATRIX_PER_PAIR_AND_MINUTE: "1000" });
  await spawnDaemon(rookery);
  outside = await openOutside();
});
afterAll(() => outside.close());

const rows = (sql: string, text: string): number => rookery.query(sql, text).length;
const waitForRow = (sql: string, text: string): Promise<true> =>
  waitFor(() => rows(sql, text) > 0, { intervalMs: 1, describe: `${sql} (${text})` });

/** When to kill the daemon in a round: as soon as this much is committed. */
const moments = {
  "right after the request": async () => {},
  "once the message is kept": (text: string) => waitForRow("SELECT 1 FROM messages WHERE body = ?", text),
  "once the homeserver has it": (text: string) =>
    waitForRow("SELECT 1 FROM messages WHERE body = ? AND event_id IS NOT NULL", text),
  "once it is queued for its reader": (text: string) =>
    waitForRow("SELECT 1 FROM deliveries WHERE body = ?", text),
  "once it was given to a hook": (text: string) =>
    waitForRow("SELECT 1 FROM deliveries WHERE body = ? AND state = 'injected'", text),
} as const;
const rounds = 25;

test(`killed -9 at any moment, ${rounds} times: nothing is lost, and nothing confirmed is injected again`, async () => {
  const [rook, jay] = [await stage.open("shop"), await stage.open("shop")];
  const received: string[] = [];
  const confirmed = new Set<string>();
  const accepted: string[] = [];
  const kinds = Object.entries(moments);

  for (let round = 0; round < rounds; round++) {
    const [moment, reached] = kinds[round % kinds.length] as (typeof kinds)[number];
    const text = `Round ${round}.`;
    const sending = rook.send("project", text).then(
      ({ status }) => status === 201,
      () => false, // Nothing was acknowledged.
    );
    let isKilled = false;
    const listening = moment.includes("hook") ? listen(jay, text, () => isKilled) : Promise.resolve("");
    await reached(text);
    await rookery.kill9();
    isKilled = true;
    const wasAccepted = await sending;
    const before = await listening;
    if (!before.includes(text)) loseReply(jay, text);
    await spawnDaemon(rookery);
    // A committed message counts as acknowledged, even if the answer did not arrive.
    const isKept = rows("SELECT 1 FROM messages WHERE body = ?", text) > 0;
    expect(isKept || !wasAccepted).toBe(true);
    if (isKept) accepted.push(text);
    // The host recorded what it was given before the daemon was killed, and what it is given now.
    take(before);
    if (isKept) await stage.waitForText(jay, (now) => take(now).includes(text) || received.includes(text));
    noteConfirmed();
  }

  function take(text: string): string {
    const ids = fencesIn(text).map((fence) => /id="([^"]+)"/.exec(fence)?.[1] ?? "");
    for (const id of ids) if (confirmed.has(id)) throw new Error(`${id} came again after it was confirmed`);
    received.push(...(text.match(/Round \d+\./g) ?? []));
    jay.write(text);
    return text;
  }
  function noteConfirmed(): void {
    for (const { id } of rookery.query("SELECT id FROM deliveries WHERE state = 'confirmed'"))
      confirmed.add(id);
  }

  await waitFor(
    () => rookery.query("SELECT 1 FROM deliveries WHERE state = 'confirmed'").length >= accepted.length,
    { describe: "all to be confirmed" },
  );
  noteConfirmed();
  take(await jay.say("UserPromptSubmit", { prompt: "anything else?" }));
  expect(accepted.length).toBeGreaterThanOrEqual(rounds * 0.8);
  expect([...new Set(received)].toSorted()).toEqual([...accepted].toSorted());
  // One event per message on the homeserver and one delivery per message here, regardless of the number of attempts.
  const made = await outside.call(rookery, "POST", "/api/matrix/people", { name: "ada" });
  expect(made.status, made.text).toBe(201);
  const ada = await signIn(rookery, "ada", made.json.password);
  const { rooms } = (await rookery.call("GET", "/api/rooms")).json;
  const { id } = rooms.find(({ name }: { name: string }) => name === "shop");
  await ada.call("POST", `/join/${encodeURIComponent(id)}`, {});
  const said = (await ada.read(id))
    .map(({ content }) => String(content.body))
    .filter((body) => body.startsWith("Round"));
  expect(said.toSorted()).toEqual([...accepted].toSorted());
  const deliveries = rookery.query("SELECT body FROM deliveries").map(({ body }) => String(body));
  expect(deliveries.toSorted()).toEqual([...accepted].toSorted());
});

/** Moves the injection of a reply in flight into the past, so that the test need not wait ten seconds. */
function loseReply(session: StagedSession, text: string): void {
  const db = openDatabase(rookery.home.database);
  db.run(
    "UPDATE deliveries SET injected_at = injected_at - 60000 WHERE body = ? AND state = 'injected'",
    text,
  );
  db.close();
  session.write('<rookery-delivery id="of another time">');
}

/** Makes tool calls until the text arrives or the daemon is gone. */
async function listen(session: StagedSession, text: string, isKilled: () => boolean): Promise<string> {
  let received = "";
  while (!received.includes(text) && !isKilled()) received += await session.say("PostToolUse");
  return received;
}
