import { encodeNote, isShareable } from "../../domain/hub/share-note.ts";
import type { HubSession } from "../../hub/hub-session.ts";
import type { SharePreview } from "../../protocol/hub.ts";
import { AppError } from "../../shared/errors.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { Git } from "../identity/git.ts";
import { readProjectKey } from "../identity/project-key.ts";
import { makePace } from "../runtime/pace.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface PreviewDeps extends Pick<DaemonContext, "store" | "waitingHooks"> {
  homeFolder: string;
}

const maxExamples = 3;
const notesPerSlice = 10;

/** Reports the notes that sharing would send. Runs redaction over every note, as sending does. */
export async function previewShare(
  { store, waitingHooks, homeFolder }: PreviewDeps,
  session: HubSession,
  project: ProjectRow,
  { key, withPreferences }: { key: string; withPreferences: boolean },
): Promise<SharePreview> {
  const pace = makePace(waitingHooks);
  const preview = { notes: 0, staying: 0, hidden: 0, examples: [] as string[] };
  for (const [index, id] of store.hub.listOwnNotes(project.id).entries()) {
    if (index % notesPerSlice === 0) await pace.yieldToHooks();
    const note = store.notes.byId(id);
    if (!note) continue;
    if (!isShareable(note, { withPreferences })) preview.staying += 1;
    else {
      const { body, hidden } = encodeNote(note, homeFolder);
      preview.notes += 1;
      preview.hidden += hidden;
      if (preview.examples.length < maxExamples) preview.examples.push(body.title);
    }
  }
  const known = await session.findProject(key);
  return {
    project: project.name,
    key,
    known: known ? { members: known.members, notes: known.notes } : null,
    ...preview,
    isShared: store.hub.linkOf(project.id) !== undefined,
  };
}

/** Only proposes: the project's id on the hub is stored once it is shared. */
export async function proposeKey(git: Git, project: ProjectRow): Promise<string> {
  const key = await readProjectKey(git, project);
  if (key === undefined)
    throw new AppError(
      "invalid_argument",
      `${project.name} has no remote to be recognised by: add --key NAME, the same on every machine.`,
    );
  return key;
}

/** Projects whose notes the user keeps apart are never shared. */
export function requireShareable({ name, mode }: ProjectRow): void {
  if (mode !== "on") throw new AppError("invalid_argument", `${name} is ${mode}: it cannot be shared.`);
}
