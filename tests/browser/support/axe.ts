import axe from "../../tools/node_modules/axe-core/axe.js";
import type { Page } from "./chromium.ts";

interface Look {
  /** Some rules only. */
  rules?: string[];
  /** Of a list, the first few: its rows are made alike, and all were looked at before. */
  isSample?: boolean;
}

const kinds = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const alike = ["main li:nth-child(n + 5)"];

/** What axe has to say against the page as it stands: rule, and where. */
export async function findBarriers(page: Page, { rules, isSample = false }: Look = {}): Promise<string[]> {
  // Through the debugger, not as a script of the page: its policy stays as it is.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const [runOnly, exclude] = [rules ?? kinds, isSample ? alike : []];
  return page.evaluate(
    async ([only, but]) => {
      const { violations } = await (globalThis as any).axe.run(
        { include: ["html"], exclude: but },
        { runOnly: only, resultTypes: ["violations"], preload: false, iframes: false },
      );
      return violations.flatMap((violation: any) =>
        violation.nodes.map(
          (node: any) => `${violation.id}: ${node.target.join(" ")} ${node.failureSummary}`,
        ),
      );
    },
    [runOnly, exclude],
  );
}
