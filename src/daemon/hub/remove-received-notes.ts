import type { HubLink } from "../../store/hub.ts";
import { makeForgetters } from "../../store/forget-rows.ts";
import { runInSlices, type SliceDeps } from "../runtime/run-in-slices.ts";

/** Removes the notes of others from a project. They come back if it is shared again. Returns how many. */
export async function removeReceivedNotes(deps: SliceDeps, { projectId }: HubLink): Promise<number> {
  const { store } = deps;
  const ids = store.hub.listForeign(projectId);
  await runInSlices(deps, ids, makeForgetters(store.db, store.index).observations);
  return ids.length;
}
