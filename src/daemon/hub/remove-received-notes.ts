import type { HubLink } from "../../store/hub.ts";
import { makeForgetters } from "../../store/forget-rows.ts";
import { runInSlices, type SliceDeps } from "../runtime/run-in-slices.ts";

/** Removes the notes of other members from a project and returns their number. They come back if it is shared again. */
export async function removeReceivedNotes(deps: SliceDeps, { projectId }: HubLink): Promise<number> {
  const { store } = deps;
  const ids = store.hub.listReceived(projectId);
  await runInSlices(deps, ids, makeForgetters(store.db, store.index).observations);
  return ids.length;
}
