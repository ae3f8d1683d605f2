import type { Finding } from "./finding.ts";

const kind = /kind["']?:[ \t]{0,4}["']?Secret\b/;
const block = /^([ \t]*)["']?(?:data|stringData)["']?:[ \t]*\{?[ \t]*\r?$/;
const entry = /^([ \t]*)(?:["']?[\w.-]{1,253}["']?):[ \t]*["']?([^\s"'[][^\s"']{3,})["']?,?[ \t]*\r?$/;

/** Every value of a Kubernetes Secret, regardless of its key. */
export function findKubernetesSecrets(text: string): Finding[] {
  const found: Finding[] = [];
  if (!text.includes("Secret") || !kind.test(text)) return found;
  let indent = -1;
  let start = 0;
  while (start < text.length) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next;
    const line = end - start <= 100_000 ? text.slice(start, end) : "";
    const opened = block.exec(line);
    const read = opened === null && indent >= 0 ? entry.exec(line) : null;
    if (opened !== null) indent = opened[1]?.length ?? 0;
    else if (read?.[2] !== undefined && (read[1]?.length ?? 0) > indent) {
      const at = start + line.indexOf(read[2], line.indexOf(":"));
      found.push({ start: at, end: at + read[2].length, kind: "kubernetes-secret" });
    } else indent = -1;
    start = end + 1;
  }
  return found;
}
