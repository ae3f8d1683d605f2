/** Control characters except tab and line feed; and bidirectional overrides. */
// oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** The same, and our own colours as a whole. */
// oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
const controlsAndColours = new RegExp(`\u001b\\[(?:[0-2]|3[1-7])m|${controls.source}`, "g");

/**
 * Makes untrusted text safe for a terminal: it cannot move the cursor, set the title or inject input. Keeps our own
 * colours. Piped text has none, and often ends in a terminal after all (`| less`, `| grep`, `cat FILE`).
 */
export function showControls(text: string, isTerminal: boolean): string {
  const pattern = isTerminal ? controlsAndColours : controls;
  return text.replace(pattern, (found) => (found.length > 1 ? found : `‹U+${codeOf(found).toUpperCase()}›`));
}

/** For JSON, where escaping changes no value. */
export function escapeControls(json: string): string {
  return json.replace(controls, (found) => `\\u${codeOf(found)}`);
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}
