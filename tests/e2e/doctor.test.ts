import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { copyCheckout, place, placeClaude, runCli } from "../support/broken-home.ts";
import { examine, expectFinding, type ExpectedFinding } from "../support/doctor.ts";
import { plugin, runProcess } from "../support/rookery.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries(afterAll);

test("the plugin in the real claude: absent, right, twice, off, beside another memory, gone", async () => {
  const rookery = rookeries.open();
  const { folder } = rookery;
  rookery.env.PATH = placeClaude(folder);
  Object.assign(rookery.env, { DISABLE_TELEMETRY: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" });
  const ours = copyCheckout(rookery, "checkout");
  const claude = (...args: string[]) => runProcess(join(folder, "bin", "claude"), args, "", rookery.env);
  const sees = async (seen: ExpectedFinding, from = ours) =>
    expectFinding((await examine(rookery, [], from)).report, seen);

  await sees({ check: "Plugin", verdict: "warning", message: /not installed/, fix: /^rookery install$/ });
  expect((await runCli(rookery, ["install"], ours)).code).toBe(0);
  await sees({ check: "Plugin", verdict: "ok", message: /loaded from .*app\/current\/plugin/ });
  await sees({ check: "Plugin", verdict: "ok", message: /loaded from .*app\/current\/plugin/ }, plugin);

  const settings = join(folder, ".claude", "settings.json");
  const before = JSON.parse(readFileSync(settings, "utf8"));
  const hook = { type: "command", command: join(ours, "hooks", "hook.sh"), args: ["Stop"] };
  writeFileSync(settings, JSON.stringify({ ...before, hooks: { Stop: [{ hooks: [hook] }] } }));
  await sees({
    check: "Settings hooks",
    verdict: "problem",
    message: /reported twice/,
    fix: /claude plugin disable/,
  });
  expect((await claude("plugin", "disable", "rookery@rookery")).code).toBe(0);
  await sees({ check: "Plugin", verdict: "ok", message: /hooks are in the settings/ });
  await sees({ check: "Settings hooks", verdict: "ok", message: /settings\.json/ });
  writeFileSync(settings, JSON.stringify(before));
  expect((await claude("plugin", "disable", "rookery@rookery")).code).toBe(0);
  await sees({
    check: "Plugin",
    verdict: "warning",
    message: /disabled/,
    fix: /^claude plugin enable rookery@rookery$/,
  });
  expect((await claude("plugin", "enable", "rookery@rookery")).code).toBe(0);

  const market = join(folder, "market");
  mkdirSync(join(market, ".claude-plugin"), { recursive: true });
  mkdirSync(join(market, "p", ".claude-plugin"), { recursive: true });
  writeFileSync(
    join(market, ".claude-plugin", "marketplace.json"),
    JSON.stringify({
      name: "thedotmack",
      owner: { name: "x" },
      plugins: [{ name: "claude-mem", source: "./p", description: "d" }],
    }),
  );
  writeFileSync(
    join(market, "p", ".claude-plugin", "plugin.json"),
    '{"name":"claude-mem","version":"1.0.0","description":"d"}',
  );
  place(rookery, join(folder, ".claude-mem", "claude-mem.db"), "");
  expect((await claude("plugin", "marketplace", "add", market)).code).toBe(0);
  expect((await claude("plugin", "install", "claude-mem@thedotmack")).code).toBe(0);
  await sees({
    check: "Other memory",
    verdict: "warning",
    message: /two memories/,
    fix: /rookery import claude-mem, then: claude plugin disable claude-mem@thedotmack/,
  });

  rmSync(rookery.home.app, { recursive: true });
  await sees({
    check: "Plugin",
    verdict: "problem",
    message: /folder .* is gone/,
    fix: /^rookery install$/,
    isFixable: true,
  });
  const { report } = await examine(rookery, ["--fix"], ours);
  expect(report.fixed).toContainEqual({
    check: "Plugin",
    did: expect.stringContaining("app/current/plugin"),
  });
  expectFinding(report, { check: "Plugin", verdict: "ok", message: /app\/current\/plugin/ });
});
