import { Agent, request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { spawnDaemon } from "../support/daemon-process.ts";
import { openEventStream } from "../support/event-stream.ts";
import { waitFor } from "../support/processes.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const rookeries = useRookeriesWithoutRooms(afterAll);
let rookery: Rookery;
beforeAll(async () => {
  rookery = rookeries.open();
  await spawnDaemon(rookery);
});

test("an event is published after its commit, names the session, and arrives in order", async () => {
  const stream = await openEventStream(rookery);
  let isThere = false;
  const announced = stream.next("event.stored", ({ sessionId }) => {
    if (sessionId !== "sse") return false;
    isThere = rookery.query("SELECT 1 FROM events WHERE session_id = 'sse'").length > 0;
    return true;
  });
  await rookery.call("POST", "/api/hooks/SessionStart", makePayload("SessionStart", { session_id: "sse" }));
  await announced;
  expect(isThere).toBe(true);
  expect((await stream.next("session.started")).data).toMatchObject({ sessionId: "sse" });
  await rookery.call(
    "POST",
    "/api/hooks/SessionEnd",
    makePayload("SessionEnd", { session_id: "sse", reason: "other" }),
  );
  expect((await stream.next("session.completed")).data).toMatchObject({ sessionId: "sse", reason: "other" });
  const again = makePayload("SessionEnd", { session_id: "sse", reason: "logout" });
  await rookery.call("POST", "/api/hooks/SessionEnd", again);
  const isEnd = ({ event, data }: { event: string; data: any }): boolean =>
    event === "event.stored" && data.sessionId === "sse" && data.event === "session.ended";
  await waitFor(() => stream.events().filter(isEnd).length === 2);
  expect(stream.events().filter(({ event }) => event === "session.completed")).toHaveLength(1);
  const ids = stream.events().map(({ id }) => Number(id));
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  stream.close();
});

test("Last-Event-ID replays missed events without duplicates, even across a daemon restart", async () => {
  const post = (n: number) =>
    rookery.call("POST", "/api/hooks/Notification", makePayload("Notification", { session_id: `n-${n}` }));
  const first = await openEventStream(rookery);
  await post(1);
  const { id } = await first.next("event.stored", ({ sessionId }) => sessionId === "n-1");
  first.close();
  await post(2);
  await post(3);
  const second = await openEventStream(rookery, { "last-event-id": id });
  await second.next("event.stored", ({ sessionId }) => sessionId === "n-3");
  expect(second.events().map(({ data }) => data.sessionId)).toEqual(["n-2", "n-3"]);
  const last = second.events().at(-1)?.id ?? "";

  await rookery.kill9();
  await waitFor(() => second.isOver());
  await spawnDaemon(rookery);
  await post(4);
  const third = await openEventStream(rookery, { "last-event-id": last });
  await third.next("event.stored", ({ sessionId }) => sessionId === "n-4");
  expect(third.events().map(({ data }) => data.sessionId)).toEqual(["n-4"]);
  third.close();
});

test("a reader that does not read is disconnected and blocks no other reader", async () => {
  const slow = await openEventStream(rookery);
  const quick = await openEventStream(rookery);
  slow.pause();
  const total = 12_000;
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let next = 0;
  const post = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ session_id: "flood" });
      const options = {
        socketPath: rookery.home.socket,
        path: "/api/hooks/Notification",
        method: "POST",
        agent,
      };
      request(options, (response) => response.resume().on("end", resolve))
        .on("error", reject)
        .end(body);
    });
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (next++ < total) await post();
    }),
  );
  agent.destroy();
  expect((await rookery.call("GET", "/api/sessions/flood")).json.counts.events).toBe(total);
  await waitFor(() => quick.events().filter(({ data }) => data.sessionId === "flood").length === total);
  slow.resume();
  await waitFor(() => slow.isOver(), { describe: "the slow reader to be cut off" });
  expect(slow.events().length).toBeLessThan(total);
  quick.close();
});
