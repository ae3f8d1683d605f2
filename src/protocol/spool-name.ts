/** A file in the spool: `EVENT.<id>`, where the id is `<µs since epoch, or nothing>.<pid>.<random>`. */
export interface SpoolName {
  name: string;
  event: string;
  /** The event's identity: ingesting it twice is a no-op. */
  id: string;
  /** When the hook ran, by its own clock; undefined where bash has no EPOCHREALTIME. */
  startedAtMs: number | undefined;
}

const pattern = /^([A-Za-z]{1,40})\.(([0-9]{0,20})\.[0-9]{1,10}\.[0-9]{1,20})$/;

/** Undefined for anything that is not exactly our shape: names come in over a socket. */
export function parseSpoolName(name: string): SpoolName | undefined {
  const match = pattern.exec(name);
  if (!match) return undefined;
  const [, event = "", id = "", micros = ""] = match;
  return { name, event, id, startedAtMs: micros ? Number(micros) / 1000 : undefined };
}

/** A process id as hooks and hosts write it; anything else is none. */
export function parsePid(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}
