import { type Channel, ChannelError, type ChannelName } from "./channel.ts";

/** Replaces a channel with invalid settings, so that status and doctor can show what to fix. */
export function makeBrokenChannel(name: ChannelName, detail: string): Channel {
  const refuse = async (): Promise<never> => {
    throw new ChannelError("never", detail);
  };
  return {
    name,
    canAnswer: false,
    start() {},
    async stop() {},
    health: () => ({ state: "misconfigured", detail }),
    post: refuse,
    settle: refuse,
    notify: refuse,
    watch() {},
  };
}
