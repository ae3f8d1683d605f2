import axe from "../../tools/node_modules/axe-core/axe.js";
import type { Page } from "./chromium.ts";

interface AxeOptions {
  /** Only these rules. */
  rules?: string[];
  /** Checks only the first rows of lists: all rows are rendered by the same code. */
  isSample?: boolean;
}

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const repeatedRows = ["main li:nth-child(n + 5)"];

/** Violations that axe finds on the current page: rule and element. */
export async function findBarriers(
  page: Page,
  { rules, isSample = false }: AxeOptions = {},
): Promise<string[]> {
  // Injected through the debugger, not as a script of the page, so that its content policy stays in force.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const [runOnly, exclude] = [rules ?? standards, isSample ? repeatedRows : []];
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
