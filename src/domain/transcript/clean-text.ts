import { truncateMiddle } from "../../shared/text.ts";
import { parseJson } from "../../shared/json.ts";

const hostBlock = /<(system-reminder|ide_\w{1,40})\b[^>]{0,200}>/g;

/** What the host or a hook put among the person's words or a tool's output is neither's. Linear in any text. */
export function stripHostBlocks(text: string): string {
  let kept = "";
  let from = 0;
  for (const { 0: open, 1: name, index } of text.matchAll(hostBlock)) {
    if (index < from) continue;
    const close = `</${name}>`;
    const end = text.indexOf(close, index + open.length);
    if (end < 0) break;
    kept += text.slice(from, index);
    from = end + close.length;
  }
  return (kept + text.slice(from)).trim();
}

/** Head and tail of a long text, as a string of its own: a slice would keep the whole line in memory. */
export function clipText(text: string, limit: number): string {
  const whole = text.toWellFormed();
  return whole.length <= limit ? whole : (parseJson(JSON.stringify(truncateMiddle(whole, limit))) as string);
}
