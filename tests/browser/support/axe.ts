import axe from "../../tools/node_modules/axe-core/axe.js";
import type { Page } from "./chromium.ts";

const kinds = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe has to say against the page as it stands: rule, and where. By all rules, or by some. */
export async function findBarriers(page: Page, rules?: string[]): Promise<string[]> {
  // Through the debugger, not as a script of the page: its policy stays as it is.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const runOnly = rules ?? kinds;
  return page.evaluate(async (only) => {
    const { violations } = await (globalThis as any).axe.run(document, {
      ...{ runOnly: only, resultTypes: ["violations"], preload: false, iframes: false },
    });
    return violations.flatMap((violation: any) =>
      violation.nodes.map((node: any) => `${violation.id}: ${node.target.join(" ")} ${node.failureSummary}`),
    );
  }, runOnly);
}
