import { hostTag } from "../shared/defuse.ts";

/** Control characters except tab and line feed; bidirectional overrides; tags and selectors that carry hidden text. */
const controls =
  // oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]/gu;
/** The same, and our own colours as a whole. */
// oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
const controlsAndColours = new RegExp(`\u001b\\[(?:[0-2]|3[1-7])m|${controls.source}`, "gu");

/**
 * Makes untrusted text safe for a terminal: it cannot move the cursor, set the title or inject input. Keeps our own
 * colours. Piped text has none, and often ends in a terminal after all (`| less`, `| grep`, `cat FILE`), or in a prompt,
 * which a slash command builds from it: there it cannot impersonate the host or the user.
 */
export function showControls(text: string, isTerminal: boolean): string {
  const show = (found: string): string => `‹U+${codeOf(found).toUpperCase()}›`;
  if (!isTerminal) return text.replace(controls, show).replace(hostTag, "&lt;");
  return text.replace(controlsAndColours, (found) => (found.startsWith("\u001b[") ? found : show(found)));
}

/** For JSON, where escaping changes no value. */
export function escapeControls(json: string): string {
  return json.replace(hostTag, escapeUnits).replace(controls, escapeUnits);
}

const escapeUnits = (found: string): string =>
  found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
}
