import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { openProcessTable, readFromPs } from "./process-table.ts";
import { readStat } from "./processes.ts";

test("ps as macOS prints it: programs with spaces, arguments, and the environment behind them", () => {
  const readProcess = readFromPs(
    [
      "    1     0 ??       /sbin/launchd",
      "  501     1 ttys003  /Users/ada/My Apps/claude",
      "  777   501 ttys004  -zsh",
      "  780   777 ??       node",
      "",
    ].join("\n"),
    [
      "    1 /sbin/launchd",
      "  501 /Users/ada/My Apps/claude --resume PATH=/usr/bin HOME=/Users/ada",
      "  777 -zsh",
      "  780 node --no-warnings /opt/lib/node_modules/@github/copilot/index.js -p hi TERM=xterm COPILOT_CLI=1",
      "",
    ].join("\n"),
  );
  expect(readProcess(501)).toEqual({
    parentPid: 1,
    name: "claude",
    args: ["/Users/ada/My Apps/claude", "--resume"],
    environment: { PATH: "/usr/bin", HOME: "/Users/ada" },
    terminal: "ttys003",
  });
  expect(readProcess(777)).toEqual({
    parentPid: 501,
    name: "-zsh",
    args: ["-zsh"],
    environment: {},
    terminal: "ttys004",
  });
  expect(readProcess(780)).toEqual({
    parentPid: 777,
    name: "node",
    args: ["node", "--no-warnings", "/opt/lib/node_modules/@github/copilot/index.js", "-p", "hi"],
    environment: { TERM: "xterm", COPILOT_CLI: "1" },
    terminal: undefined,
  });
  expect(readProcess(9)).toBeUndefined();
});

test.runIf(process.platform === "linux")(
  "reads a real Linux process whose name contains parentheses",
  async () => {
    const child = spawn("bash", ["-c", 'exec -a "a) b (c" sleep 60'], {
      env: { PATH: "/usr/bin:/bin", X: "a=b" },
    });
    try {
      const readProcess = await openProcessTable("linux");
      await expect.poll(() => readProcess(child.pid ?? 0)?.args).toEqual(["a) b (c", "60"]);
      expect(readProcess(child.pid ?? 0)).toMatchObject({
        parentPid: process.pid,
        name: "sleep",
        environment: { X: "a=b" },
      });
      expect(readStat(child.pid ?? 0)).toMatchObject({
        state: "S",
        startMark: expect.stringMatching(/^\d+$/),
      });
    } finally {
      child.kill("SIGKILL");
    }
  },
);
