import { sharedNoteVersion } from "../../protocol/hub.ts";
import { parseJson } from "../../shared/json.ts";
import type { MetaTable } from "../../store/meta.ts";

/** This machine on its hub. Its password is in secrets.json. */
export interface HubMachine {
  state: "joined" | "revoked";
  hub: string;
  epoch: string;
  device: string;
  deviceName: string;
  member: string;
  host: string;
  isReadOnly: boolean;
  /** Only the newest notes of each project; null: all. */
  shallow: number | null;
  /** The version of notes that this build could read at its last contact. */
  noteVersion: number;
}

const key = "hub";

/** Undefined before a hub is joined. */
export function readMachine(meta: MetaTable): HubMachine | undefined {
  const text = meta.get(key);
  return text === undefined ? undefined : (parseJson(text) as HubMachine);
}

export function saveMachine(meta: MetaTable, machine: Omit<HubMachine, "noteVersion">): void {
  meta.set(key, JSON.stringify({ ...machine, noteVersion: sharedNoteVersion }));
}

export function removeMachine(meta: MetaTable): void {
  meta.remove(key);
}
