import type { SlackCheck, SlackCheckRequest } from "../protocol/slack.ts";

/** The channels, as `rookery setup` needs them. */
export interface ChannelsBackend {
  checkSlack(request: SlackCheckRequest): Promise<SlackCheck>;
  /** Says hello over a channel, now. */
  sendTest(channel: string): Promise<{ channel: string }>;
}
