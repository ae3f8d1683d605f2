import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { Inbox } from "../../src/channels/channel.ts";
import { makeCard } from "../conformance/channel-contract.ts";
import {
  hasLocalSlack,
  localSlackMissing,
  openLocalSlack,
  tokens,
  workspace,
} from "../support/local-slack.ts";
import { openOutside } from "../support/outside.ts";
import { openPersonOnSlack } from "../support/person-on-slack.ts";
import { waitFor } from "../support/processes.ts";
import { openSlackHarness, pressable, ready } from "../support/slack-harness.ts";
import { startHook } from "./ask.ts";
import { p50, p95, Samples } from "./measure.ts";
import type { Section } from "./report.ts";
import type { Stage } from "./stage.ts";

const rounds = 60;
const asked = "question due → card at Slack";
const closed = "press → dialog closed (hook gone)";

/** Sends a card and receives its answer with Slack's own SDKs and the emulator: our overhead over the network time. */
export async function benchSlack(stage: Stage): Promise<Section> {
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
      return { result: "accepted", message: null };
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
    await measureDaemon(stage, samples);
    const names = ["connected, SDKs loaded", "card posted", "press → inbox", "card settled", asked, closed];
    const rows = names.map((name) => {
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
      bars: [
        bar("card posted", 300),
        bar("press → inbox", 150),
        bar("card settled", 300),
        bar(asked, 300),
        bar(closed, 300),
      ],
    };
  } finally {
    await harness.close();
    await slack.close();
  }
}

/** A complete permission request: the waiting hook, the daemon, Slack and back, with the person away. */
async function measureDaemon(stage: Stage, samples: Samples): Promise<void> {
  const phone = await openPersonOnSlack();
  const person = await openOutside();
  const bench = stage.openHome("slack", {
    slack: { apiUrl: phone.proxy.apiUrl, userId: workspace.owner },
    presence: { awaySeconds: 0 },
    desktop: { enabled: "off" },
  });
  const secrets = { slack: { botToken: tokens.bot, appToken: tokens.app } };
  writeFileSync(bench.home.secrets, JSON.stringify(secrets), { mode: 0o600 });
  try {
    await bench.startDirectly();
    await phone.pair(bench, person);
    const channel = await phone.slack.direct();
    const posts = (): number => phone.proxy.count("chat.postMessage");
    for (let n = 0; n < rounds; n++) {
      const before = posts();
      const startedAt = performance.now();
      const hook = startHook(stage, bench, `make target-${n}`);
      const gone = once(hook, "close");
      await waitFor(() => posts() > before, { intervalMs: 1 });
      samples.add(asked, performance.now() - startedAt);
      const card = await waitFor(async () =>
        (await phone.slack.messages(channel)).find(({ blocks }) =>
          JSON.stringify(blocks ?? []).includes(`make target-${n}"`),
        ),
      );
      const pressedAt = performance.now();
      void phone.slack.act({ channel, ts: card.ts, action: pressable(card, "Allow once") });
      await gone;
      samples.add(closed, performance.now() - pressedAt);
    }
    await bench.stop();
  } finally {
    await person.close();
    await phone.close();
  }
}
