import type { LoadedConfig } from "./load.ts";
import type { Secrets } from "./secrets.ts";

type NtfySettings =
  | { state: "off" }
  | {
      state: "on";
      url: string;
      approvals: boolean;
      topic: string;
      answerTopic: string;
      token: string | undefined;
    };

/** ntfy is on if there are topics, which `rookery setup ntfy` makes. */
export function readNtfySettings({ config }: LoadedConfig, secrets: Secrets): NtfySettings {
  const { topic, answerTopic, token } = secrets.ntfy;
  const { server, approvals } = config.ntfy;
  if (!topic || !answerTopic) return { state: "off" };
  return { state: "on", url: server, approvals, topic, answerTopic, token };
}
