import { openNtfyServer } from "./server.ts";

const timeoutMs = 8_000;

/** Checks that both topics may be read. Throws `ChannelError`. */
export async function checkNtfy(
  url: string,
  { token, topic, answerTopic }: { token?: string | undefined; topic: string; answerTopic: string },
): Promise<void> {
  const server = openNtfyServer({ url, token, timeoutMs });
  for (const each of [topic, answerTopic]) await server.check(each);
}
