import { openWebhookHarness } from "../support/webhook-harness.ts";
import { describeChannel } from "./channel-contract.ts";

describeChannel("webhook", () => openWebhookHarness());
