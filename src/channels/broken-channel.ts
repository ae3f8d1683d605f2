import { type Channel, ChannelError, type ChannelName } from "./channel.ts";

/** Stands for a channel whose settings are not right, so that status and doctor can say what to do. */
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
