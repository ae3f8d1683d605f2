import type { HostClaims } from "../src/hosts/host.ts";
import { hosts } from "../src/hosts/hosts.ts";

const block = /<!-- claims -->[\s\S]*<!-- \/claims -->/;

const labels: Record<keyof HostClaims, string> = {
  capture: "every event captured once",
  context: "context at start, prompt, tool",
  permissions: "permission answered from elsewhere",
  questions: "questions with options from elsewhere",
  waking: "waking an idle session",
  identity: "identity of MCP calls",
  reconciliation: "missed events from the transcript",
  import: "import of transcripts",
};

/** docs/hosts.md with the table of what works where, generated from the hosts' own declarations. */
export function drawHostTable(page: string): string {
  const rows = (Object.keys(labels) as (keyof HostClaims)[]).map((name) => {
    const cells = hosts.map(({ claims }) => {
      const { works, how } = claims[name];
      return how === undefined ? works : `${works}: ${how}`;
    });
    return `| ${[labels[name], ...cells].join(" | ")} |`;
  });
  const head = `| | ${hosts.map(({ marks }) => marks.label).join(" | ")} |`;
  const line = `|${"---|".repeat(hosts.length + 1)}`;
  return page.replace(block, `<!-- claims -->\n${[head, line, ...rows].join("\n")}\n<!-- /claims -->`);
}
