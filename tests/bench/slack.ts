import type { Inbox } from "../../src/channels/channel.ts";
import { makeCard } from "../conformance/channel-contract.ts";
import { hasLocalSlack, localSlackMissing, openLocalSlack } from "../support/local-slack.ts";
import { waitFor } from "../support/processes.ts";
import { openSlackHarness, pressable, ready } from "../support/slack-harness.ts";
import { p50, p95, Samples } from "./measure.ts";
import type { Section } from "./report.ts";

const rounds = 60;

/** A card out and its answer back, by Slack's own SDKs on the emulator: what we add to the network's own time. */
export async function benchSlack(): Promise<Section> {
  const title = "Slack on an emulator (ms)";
  const columns = ["", "n", "p50", "p95", "worst"];
  if (!hasLocalSlack) return { title, columns, rows: [], notes: [localSlackMissing], bars: [] };
  const slack = await openLocalSlack();
  const harness = await openSlackHarness(slack);
  const samples = new Samples();
  const { channel } = harness;
  let arrivedAt = 0;
  const inbox: Inbox = {
    async receive() {
      arrivedAt = performance.now();
      return { result: "accepted", say: null };
    },
  };
  try {
    const started = performance.now();
    channel.start(inbox);
    await ready(channel);
    samples.add("connected, SDKs loaded", performance.now() - started);
    const time = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
      const before = performance.now();
      const result = await act();
      samples.add(name, performance.now() - before);
      return result;
    };
    for (let n = 0; n < rounds; n++) {
      const card = makeCard({ ticket: `ticket-${n}` });
      const place = await time("card posted", () => channel.post(card, `key-${n}`));
      channel.watch([{ place, card, postedAt: Date.now() }]);
      const message = await harness.find(place);
      arrivedAt = 0;
      const before = performance.now();
      void slack.act({ channel: message.channel, ts: message.ts, action: pressable(message, "SQLite") });
      await waitFor(() => arrivedAt, { intervalMs: 1 });
      samples.add("press → inbox", arrivedAt - before);
      await time("card settled", () => channel.settle(place, card, { state: "answered", text: "SQLite" }));
    }
    const rows = ["connected, SDKs loaded", "card posted", "press → inbox", "card settled"].map((name) => {
      const values = samples.of(name);
      return [name, values.length, p50(values), p95(values), Math.max(...values)];
    });
    const bar = (name: string, atMost: number): Section["bars"][number] => {
      return { name: `Slack: ${name}, p95`, measured: p95(samples.of(name)), limit: { atMost }, unit: "ms" };
    };
    return {
      title,
      columns,
      rows,
      notes: [],
      bars: [bar("card posted", 300), bar("press → inbox", 150), bar("card settled", 300)],
    };
  } finally {
    await harness.close();
    await slack.close();
  }
}
