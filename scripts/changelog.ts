// Prints the section of CHANGELOG.md for the next version, made from the commits since the last tag: `node scripts/changelog.ts`.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** One line for each area (`hooks: keep the reply`), in the order of its newest commit. Tests and formatting are left out. */
export function formatChanges(version: string, subjects: readonly string[]): string {
  const effects = new Map<string, string[]>();
  for (const subject of subjects) {
    const [, area = "other", effect = subject] = /^([a-z][\w ,/.-]*): (.+)$/.exec(subject) ?? [];
    if (!/^(tests?|format|lint)$/.test(area)) effects.set(area, [...(effects.get(area) ?? []), effect]);
  }
  const lines = [...effects].map(([area, list]) => `- **${area}**: ${list.join("; ")}.`);
  return [`## ${version}`, "", ...(lines.length > 0 ? lines : ["- No changes."])].join("\n");
}

/** The subjects of the commits since the last tag that is not the newest commit itself, newest first. */
export function listSubjects(repository: string): string[] {
  const git = (...args: string[]): string =>
    execFileSync("git", args, {
      cwd: repository,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  const [last] = git("tag", "--merged", "HEAD~1", "--list", "v*", "--sort=-version:refname").split("\n");
  return git("log", "--no-merges", "--format=%s", ...(last ? [`${last}..HEAD`] : [])).split("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  console.log(formatChanges(version, listSubjects(process.cwd())));
}
