/** Control characters except tab, line feed and our own colours; and bidirectional overrides. */
const hidden =
  // oxlint-disable-next-line no-control-regex -- matching control characters is the purpose
  /\u001b\[(?:[0-2]|3[1-7])m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Makes untrusted text safe for a terminal: it cannot move the cursor, set the title or inject input. */
export function showControls(text: string): string {
  return text.replace(hidden, (found) =>
    found.length > 1 ? found : `‹U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}›`,
  );
}
