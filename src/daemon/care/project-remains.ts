import { splitPairKey } from "../../domain/mail/address.ts";
import type { ErasureRequest } from "../../homeserver/contract.ts";
import { forgetEmptyProject } from "../../store/forget-rows.ts";
import type { Store } from "../../store/open-store.ts";
import { listRooms } from "./plan-erasure.ts";

interface Project {
  id: string;
  path: string;
}

/** The data of a project besides its rows. */
interface ProjectRemains {
  transcripts: string[];
  rooms: string[];
  /** Names of its agents. */
  agents: string[];
}

export function readRemains(store: Store, { id, path }: Project): ProjectRemains {
  return {
    transcripts: store.sessions.transcriptsOf(path),
    rooms: listRooms(store, id),
    agents: store.agents.ofProject(path).map(({ name }) => name),
  };
}

/**
 * Allows the project's transcripts to be read again. If the project is forgotten completely, also removes its rooms and
 * agents, and returns the rooms and accounts that the homeserver must delete.
 */
export function removeRemains(
  store: Store,
  project: Project,
  {
    before,
    isWhole,
    userIdOf,
  }: { before: ProjectRemains; isWhole: boolean; userIdOf: (name: string) => string },
): Pick<ErasureRequest, "goneRooms" | "goneUsers"> {
  for (const path of before.transcripts) store.imports.remove(path);
  if (!isWhole) return {};
  forgetEmptyProject(store.db, project);
  const goneUsers = before.agents.filter((name) => !store.agents.byName(name)).map(userIdOf);
  const direct = store.rooms
    .all()
    .filter(
      ({ kind, key }) => kind === "direct" && splitPairKey(key).some((side) => goneUsers.includes(side)),
    )
    .map(({ id }) => id);
  for (const id of direct) store.rooms.remove(id);
  for (const userId of goneUsers) store.rooms.removeCursor(userId);
  return { goneRooms: [...before.rooms.filter((id) => !store.rooms.byId(id)), ...direct], goneUsers };
}
