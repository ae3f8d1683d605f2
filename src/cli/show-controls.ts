/** Control characters but tab, line end and our own colours; and those that turn the order of a text round. */
const hidden =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /\u001b\[(?:[0-2]|3[1-7])m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text from anywhere, safe to show on a terminal: nothing in it can move the cursor, retitle the window or type. */
export function showControls(text: string): string {
  return text.replace(hidden, (found) =>
    found.length > 1 ? found : `‹U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}›`,
  );
}
