import type { Finding } from "./finding.ts";

const kind = /kind["']?:[ \t]{0,4}["']?Secret\b/;
const block = /^([ \t]*)["']?(?:data|stringData)["']?:[ \t]*\{?[ \t]*\r?$/;
const entry = /^([ \t]*)(?:["']?[\w.-]{1,253}["']?):[ \t]*["']?([^\s"'[][^\s"']{3,})["']?,?[ \t]*\r?$/;
const scalar = /^([ \t]*)["']?[\w.-]{1,253}["']?:[ \t]*[|>][+-]?\d?[ \t]*\r?$/;
const skipped = /^[ \t]*(?:#.*)?\r?$/;
const flow = /\b(?:data|stringData)["']?:[ \t]{0,4}\{([^{}\n]{1,20000})\}/g;
const flowEntry = /["']?[\w.-]{1,253}["']?:[ \t]{0,4}["']?([^\s"',[{}][^\s"',{}]{3,})/g;

/** Every value of a Kubernetes Secret, regardless of its key. */
export function findKubernetesSecrets(text: string): Finding[] {
  if (!text.includes("Secret") || !kind.test(text)) return [];
  return [...findBlocks(text), ...findFlows(text)];
}

function findBlocks(text: string): Finding[] {
  const found: Finding[] = [];
  let indent = -1;
  let scalarIndent = -1;
  let start = 0;
  while (start < text.length) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next;
    const line = end - start <= 100_000 ? text.slice(start, end) : "";
    const lead = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (scalarIndent >= 0 && lead <= scalarIndent && !skipped.test(line)) scalarIndent = -1;
    const opened = scalarIndent < 0 ? block.exec(line) : null;
    const read = opened === null && indent >= 0 ? entry.exec(line) : null;
    if (opened !== null) indent = lead;
    else if (scalarIndent >= 0) {
      const value = line.trim();
      if (value.length > 3 && !value.startsWith("[secret:"))
        found.push({ start: start + lead, end: start + lead + value.length, kind: "kubernetes-secret" });
    } else if (indent >= 0 && lead > indent && scalar.test(line)) scalarIndent = lead;
    else if (read?.[2] !== undefined && lead > indent) {
      const at = start + line.indexOf(read[2], line.indexOf(":"));
      found.push({ start: at, end: at + read[2].length, kind: "kubernetes-secret" });
    } else if (!skipped.test(line)) indent = -1;
    start = end + 1;
  }
  return found;
}

/** `data: {name: value}`, in YAML or JSON on one line. */
function findFlows(text: string): Finding[] {
  return [...text.matchAll(flow)].flatMap((match) => {
    const from = match.index + match[0].length - 1 - (match[1] ?? "").length;
    return [...(match[1] ?? "").matchAll(flowEntry)].map((item): Finding => {
      const value = item[1] ?? "";
      const end = from + item.index + item[0].length;
      return { start: end - value.length, end, kind: "kubernetes-secret" };
    });
  });
}
