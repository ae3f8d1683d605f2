import type { Finding } from "./finding.ts";
import { findKubernetesSecrets } from "./kubernetes.ts";
import { findSecrets } from "./scan.ts";
import { removeSpans } from "./spans.ts";

interface RedactedText {
  text: string;
  /** Number of removed secrets and private spans; our own injected blocks do not count. */
  hidden: number;
  /** Their kinds, each once, in alphabetical order. */
  kinds: string[];
}

/** Hiding one secret can expose another; more rounds than this were never needed. */
const maxRounds = 4;

/**
 * Removes private spans, Rookery's own injected blocks and secrets from a text before it is stored. A placeholder
 * contains only the kind of the secret, never its length or any part of it. Redacting twice changes nothing.
 */
export function redactText(text: string): RedactedText {
  const kinds = new Set<string>();
  let hidden = 0;
  let current = text;
  for (let round = 0; round < maxRounds; round++) {
    const before = current;
    const spans = removeSpans(current);
    if (spans.hidden > 0) kinds.add("private");
    hidden += spans.hidden;
    current = spans.text;
    const found = merge(findSecrets(current), findKubernetesSecrets(current));
    let out = "";
    let kept = 0;
    for (const { start, end, kind } of found) {
      out += `${current.slice(kept, start)}[secret:${kind}]`;
      kept = end;
      kinds.add(kind);
    }
    hidden += found.length;
    if (found.length > 0) current = out + current.slice(kept);
    if (current === before) break;
  }
  return { text: current, hidden, kinds: [...kinds].toSorted() };
}

/** In order and without overlaps; the first list takes precedence, because it has the more specific kind. */
function merge(first: Finding[], second: Finding[]): Finding[] {
  if (second.length === 0) return first;
  const merged: Finding[] = [];
  for (const finding of [...first, ...second].toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (finding.start >= (merged.at(-1)?.end ?? 0)) merged.push(finding);
  }
  return merged;
}
