import type { Subject } from "./question.ts";

/**
 * Commands whose damage is hard or impossible to undo. A short list: a long one would train people to ignore it. Gaps are
 * bounded and end with the command, so that a hostile line cannot make the search slow.
 */
const dangers: readonly [RegExp, string][] = [
  [
    /\brm\b(?=[^;&|]{0,200}\s-(?:\w*r|-recursive))(?=[^;&|]{0,200}\s-(?:\w*f|-force))/i,
    "deletes files without asking",
  ],
  [/\bgit\b[^;&|]{0,200}\bpush\b[^;&|]{0,200}(?:\s--force|\s-\w*f|\s\+\S)/, "overwrites the remote history"],
  [
    /\bgit\b[^;&|]{0,200}\bpush\b[^;&|]{0,200}(?:\s-d\b|\s--(?:delete|mirror|prune)\b|\s:\S)/,
    "deletes remote branches",
  ],
  [/\bgit\b[^;&|]{0,200}\b(?:reset\s+--hard|clean\s+-\w*f)/, "discards uncommitted work"],
  [/\b(?:drop\s+(?:table|database|schema)|truncate\s+table)\b|\bdropdb\b/i, "deletes data from a database"],
  [/\bdelete\s+from\s+[^\s;]+\s*(?:;|["']|$)/i, "deletes every row of a table"],
  [
    /\b(?:terraform|tofu|pulumi|cdk|vagrant)\b[^;&|]{0,200}\bdestroy\b|\bapply\b[^;&|]{0,200}\s-destroy\b/,
    "destroys infrastructure",
  ],
  [
    /\bkubectl\b[^;&|]{0,200}\bdelete\b|\bhelm\b[^;&|]{0,200}\b(?:uninstall|delete)\b/,
    "deletes cluster resources",
  ],
  [
    /\b(?:npm|pnpm|yarn|bun|cargo|poetry|uv|gem|twine|vsce)\b[^;&|]{0,200}\b(?:publish|upload|push)\b/,
    "publishes a package",
  ],
  [/\bdeploy\b|\b(?:helm|terraform|tofu|pulumi)\b[^;&|]{0,200}\b(?:upgrade|apply|up)\b/, "deploys"],
  [/\b(?:mkfs(?:\.\w+)?|dd)\b[^;&|]{0,200}(?:\/dev\/|\bof=)/, "overwrites a disk"],
  [/\b(?:curl|wget)\b[^;&|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b/, "runs a script from the network"],
];

const maxLength = 20_000;

export function findDangerOf(subject: Subject | null): string | null {
  return subject?.format === "command" ? findDanger(subject.text) : null;
}

/** The damage that a command may do, phrased to follow "This …"; null if there is none. */
export function findDanger(command: string): string | null {
  const line = command.slice(0, maxLength).replaceAll(/\\?\n/g, " ");
  const found = dangers.filter(([pattern]) => pattern.test(line)).map(([, danger]) => danger);
  return found.length > 0 ? found.join(" and ") : null;
}
