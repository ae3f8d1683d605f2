import { afterAll, beforeAll, describe } from "vitest";
import { hasLocalSlack, type LocalSlack, localSlackMissing, openLocalSlack } from "../support/local-slack.ts";
import { openSlackHarness } from "../support/slack-harness.ts";
import { describeChannel } from "./channel-contract.ts";

let slack: LocalSlack;

if (!hasLocalSlack) console.warn(localSlackMissing);

describe.skipIf(!hasLocalSlack)("Slack, with its own SDKs on an emulator", () => {
  beforeAll(async () => {
    slack = await openLocalSlack();
  });
  afterAll(() => slack.close());

  describeChannel("Slack", () => openSlackHarness(slack));
});
