import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Names every test that was run more than once: each one is a race to fix. */
export class RetriedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = modules.flatMap((module) => [...module.children.allTests()].filter(wasRetried));
    if (retried.length === 0) return;
    console.log(`Retried (${retried.length}):`);
    for (const test of retried) console.log(`  ${test.module.relativeModuleId}: ${test.fullName}`);
  }
}

function wasRetried(test: TestCase): boolean {
  return (test.diagnostic()?.retryCount ?? 0) > 0;
}
