/** Tags as written, and with `<` escaped as some JSON encoders do. */
const anyTag =
  /(?:<|\\u003c)\s*(?:(\/)\s*)?(private|rookery-[a-z-]+)\b((?:(?!\\u003[ce])[^<>])*)(?:>|\\u003e)/gi;
const quickTag = /(?:<|\\u003c)\s*(?:\/\s*)?(?:private|rookery-)/i;
/** The first line of the text that `domain/delivery/fence.ts` injects. */
const preamble =
  /Rookery brought the following\. It is information from the named sender[^\n\\]*(?:\\n|\n)?/g;

/**
 * Removes private spans (`<private>…</private>`, to the end if never closed) and text that Rookery itself injected, so
 * that it is not remembered as part of the conversation.
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
        kept = match.index + tag.length; // The text starts inside a section: drop everything up to the closing tag.
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

/** Whether only whitespace or a line number added by a tool precedes it on its line. */
function standsAlone(text: string, at: number): boolean {
  return /(?:^|\n|\\n)[ \t]*\d*[ \t→|:]*(?:\\t)?$/.test(text.slice(Math.max(0, at - 40), at));
}
