import type { Reporter, TestModule, Vitest } from "vitest/node";
import { isLong } from "./long.ts";
import { hasTitle, readPaperRows } from "./paper-rows.ts";

/**
 * Fails the run if a test that docs/seeds.md names did not run, although its file did. `tests/architecture/seeds.test.ts`
 * checks that the file is part of the run.
 */
export class PaperTests implements Reporter {
  #root = "";
  #isWhole = true;

  onInit({ config }: Vitest): void {
    this.#root = config.root;
    this.#isWhole = config.testNamePattern === undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!this.#isWhole) return;
    const ran = new Map(modules.map((module) => [module.relativeModuleId, module]));
    const rows = readPaperRows(this.#root).flatMap(({ statement, shown, test }) => {
      const module = test && ran.get(test.file);
      return module ? [{ statement, shown, test, states: statesOf(module, test.title) }] : [];
    });
    if (rows.length === 0) return;
    const wrong = rows.flatMap(({ statement, shown, test: { condition }, states }) => {
      const isExpected = condition === undefined || (condition === "long" && isLong);
      if (states.includes("failed") || states.includes("excused")) return []; // The failure of this test is reported anyway.
      if (isExpected && !states.includes("passed")) return [`did not run: ${shown} (${statement})`];
      if (condition === "long" && !isLong && states.includes("passed"))
        return [`is not only in the long run: ${shown}`];
      return [];
    });
    const passed = rows.filter(({ states }) => states.includes("passed"));
    const rest = rows.filter((row) => !passed.includes(row));
    const late = rest.filter(({ test, states }) => test.condition === "long" && !states.includes("failed"));
    const excused = rest.filter(({ states }) => states.includes("excused"));
    const parts = [
      `docs/seeds.md: statements whose test passed: ${passed.length}`,
      late.length > 0 && `only with --long: ${late.length}`,
      excused.length > 0 && `not on this machine: ${excused.length}`,
    ];
    console.log(parts.filter(Boolean).join("; "));
    if (wrong.length === 0) return;
    process.exitCode = 1;
    for (const line of wrong) console.error(`  ${line}`);
  }
}

function statesOf(module: TestModule, title: string): string[] {
  const named = [...module.children.allTests()].filter(({ name }) => hasTitle(name, title));
  return named.map((test) => {
    const result = test.result();
    // The test says itself why it cannot run on this machine.
    return result.state === "skipped" && result.note !== undefined ? "excused" : result.state;
  });
}
