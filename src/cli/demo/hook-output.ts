import { defaultHost } from "../../hosts/hosts.ts";

/** The context in a hook's output; empty if it printed nothing. */
export function contextOf(printed: string): string {
  return defaultHost.replies.read(printed).context ?? "";
}
