import type { Edited } from "../install/edit-file.ts";

/** Lists the changes to the user's files, and the backups. */
export function formatEdited(edited: Edited[], dryRun: boolean): string {
  const changed = edited.filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) return "Nothing to change.";
  return changed.map((each) => formatFile(each, dryRun)).join("\n");
}

function formatFile({ file, changes, backup }: Edited, dryRun: boolean): string {
  const lines = changes.map(({ path, value }) => {
    const place = path
      .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
      .join("")
      .slice(1);
    return value === undefined ? `  - ${place}` : `  + ${place} = ${JSON.stringify(value)}`;
  });
  return [
    `${dryRun ? "Would change" : "Changed"} ${file}`,
    ...(dryRun ? lines : [`  ${countPlaces(changes)}`]),
    ...(backup ? [`  as it was before: ${backup}`] : []),
  ].join("\n");
}

function countPlaces(changes: Edited["changes"]): string {
  const added = changes.filter(({ value }) => value !== undefined).length;
  const removed = changes.length - added;
  return [...(added > 0 ? [`${added} added`] : []), ...(removed > 0 ? [`${removed} taken out`] : [])].join(
    ", ",
  );
}
