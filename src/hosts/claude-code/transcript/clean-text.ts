const hostBlock = /<(system-reminder|ide_\w{1,40})\b[^>]{0,200}>/g;

/** Removes text that the host or a hook added to the person's words or to a tool's output. Linear in any text. */
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
