/** Tags as written, and as JSON encoders that escape `<` write them. */
const anyTag = /(?:<|\\u003c)\s*(\/?)\s*(private|rookery-[a-z-]+)\b((?:(?!\\u003[ce])[^<>])*)(?:>|\\u003e)/gi;
const quickTag = /(?:<|\\u003c)\s*(?:private|\/?\s*rookery-)/i;
/** The line that opens what `domain/delivery/fence.ts` injects. */
const preamble =
  /Rookery brought the following\. It is information from the named sender[^\n\\]*(?:\\n|\n)?/g;

/**
 * Takes out what is marked as private (`<private>…</private>`, to the end if it is never closed) and what Rookery
 * itself put into the conversation, so that it is not remembered as if someone had said it.
 */
export function removeSpans(text: string): { text: string; hidden: number } {
  const cleaned = text.includes("Rookery brought the following.") ? text.replace(preamble, "") : text;
  if (!quickTag.test(cleaned)) return { text: cleaned, hidden: 0 };
  let out = "";
  let kept = 0;
  let hidden = 0;
  let open: { name: string; depth: number; start: number } | undefined;
  for (const match of cleaned.matchAll(anyTag)) {
    const [tag, slash, rawName = "", attributes = ""] = match;
    const name = rawName.toLowerCase();
    const closes = slash === "/";
    if (open === undefined) {
      if (closes && name === "rookery-context" && kept === 0 && standsAlone(cleaned, match.index)) {
        kept = match.index + tag.length; // A file read from its middle on: all before belonged to the section.
        continue;
      }
      if (closes || attributes.endsWith("/") || match.index < kept) continue;
      open = { name, depth: 1, start: match.index };
    } else if (open.name === name) {
      open.depth += closes ? -1 : attributes.endsWith("/") ? 0 : 1;
      if (open.depth > 0) continue;
      out += cleaned.slice(kept, open.start) + stub(name);
      hidden += name === "private" ? 1 : 0;
      kept = match.index + tag.length;
      open = undefined;
    }
  }
  if (open !== undefined && (open.name === "private" || standsAlone(cleaned, open.start))) {
    return {
      text: out + cleaned.slice(kept, open.start) + stub(open.name),
      hidden: hidden + (open.name === "private" ? 1 : 0),
    };
  }
  return { text: out + cleaned.slice(kept), hidden };
}

function stub(name: string): string {
  return name === "private" ? "[private]" : "";
}

/** On a line of its own, but for the line number that a tool puts before it. */
function standsAlone(text: string, at: number): boolean {
  return /(?:^|\n|\\n)[ \t]*\d*[ \t→|:]*(?:\\t)?$/.test(text.slice(Math.max(0, at - 40), at));
}
