import type { AgentEvent } from "../protocol/agent-events.ts";
import { AppError } from "../shared/errors.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import { codex } from "./codex/codex.ts";
import { copilot } from "./copilot/copilot.ts";
import { gemini } from "./gemini/gemini.ts";
import type { Host } from "./host.ts";
import { type HostName, isHostName } from "./marks.ts";
import { opencode } from "./opencode/opencode.ts";
import { qwen } from "./qwen/qwen.ts";

/** Every host whose format we know. */
export const hosts: readonly Host[] = [claudeCode, codex, opencode, copilot, qwen, gemini];

/** The host that a plain `rookery install` and the demo use. */
export const defaultHost = claudeCode;

/** The host of the demo's session that knows what the others said. */
export const demoHost: Host = codex;

/**
 * The format of a session's payloads. Hosts that run our hooks but have no format of their own use that of the default host.
 */
export function hostFor(name: string | undefined): Host {
  return hosts.find((host) => host.name === name) ?? defaultHost;
}

export interface NamedEvent {
  /** The host's own name of the event. */
  event: string;
  /** The host that sent it, if it is named. */
  host: string | undefined;
}

/** Maps a host's event to ours. Throws `unknown_event` for an unknown host or event. */
export function resolveEvent({ event: name, host }: NamedEvent): {
  event: AgentEvent;
  host: HostName | undefined;
} {
  if (host !== undefined && !isHostName(host))
    throw new AppError("unknown_event", `There is no host ${host}.`);
  const event = hostFor(host).events.read(name);
  if (!event) throw new AppError("unknown_event", `There is no event ${JSON.stringify(name.slice(0, 60))}.`);
  return { event, host };
}

/** Whether the transcripts of this host can be read. */
export function hasTranscripts(name: HostName): boolean {
  return hosts.some((host) => host.name === name);
}
