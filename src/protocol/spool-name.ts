/** A file in the spool: `EVENT[@HOST].<id>`, where the id is `<µs since epoch, or nothing>.<pid>.<random>`. */
export interface SpoolName {
  name: string;
  /** The event, by the host's own name. */
  event: string;
  /** The host that its hook names; undefined if it names none. */
  host: string | undefined;
  /** The event's identity: ingesting it twice is a no-op. */
  id: string;
  /** When the hook ran, by its own clock; undefined if bash has no EPOCHREALTIME. */
  startedAtMs: number | undefined;
}

const eventAndHost = String.raw`([A-Za-z]{1,40})(?:@([a-z][a-z0-9-]{0,29}))?`;
const pattern = new RegExp(String.raw`^${eventAndHost}\.(([0-9]{0,20})\.[0-9]{1,10}\.[0-9]{1,20})$`);
const eventPattern = new RegExp(`^${eventAndHost}$`);

/** Undefined unless the name has exactly this format: names arrive over a socket. */
export function parseSpoolName(name: string): SpoolName | undefined {
  const match = pattern.exec(name);
  if (!match) return undefined;
  const [, event = "", host, id = "", micros = ""] = match;
  return { name, event, host, id, startedAtMs: micros ? Number(micros) / 1000 : undefined };
}

/** `EVENT[@HOST]`, as used in spool names and API paths. */
export function parseEventName(name: string): Pick<SpoolName, "event" | "host"> | undefined {
  const match = eventPattern.exec(name);
  return match ? { event: match[1] ?? "", host: match[2] } : undefined;
}

/** Parses a process id as hooks and hosts write it; undefined for anything else. */
export function parsePid(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}
