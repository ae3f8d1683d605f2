import type { AgentEvent } from "../protocol/agent-events.ts";
import { AppError } from "../shared/errors.ts";
import { claudeCode } from "./claude-code/claude-code.ts";
import type { Host } from "./host.ts";
import { type HostName, isHostName } from "./marks.ts";

/** Every host whose vocabulary we know. */
export const hosts: readonly Host[] = [claudeCode];

/**
 * The vocabulary for a session. Hosts without one of their own that run our hooks (Codex, Copilot) send payloads in the
 * format of Claude Code.
 */
export function hostFor(name: string | undefined): Host {
  return hosts.find((host) => host.name === name) ?? claudeCode;
}

export interface NamedEvent {
  /** By the host's own name. */
  event: string;
  /** The host that sent it, where it is named. */
  host: string | undefined;
}

/** Our event for an event that a host names. Throws `unknown_event` for an unknown host or event. */
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
