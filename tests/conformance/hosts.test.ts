import { expect, test } from "vitest";
import { hosts } from "../../src/hosts/hosts.ts";
import { claudeCodeSamples } from "../fixtures/hosts/claude-code.ts";
import { codexSamples } from "../fixtures/hosts/codex.ts";
import { copilotSamples } from "../fixtures/hosts/copilot.ts";
import { qwenSamples } from "../fixtures/hosts/qwen.ts";
import { describeHost, type HostSamples } from "./host-contract.ts";

const samples: Record<string, HostSamples> = {
  "claude-code": claudeCodeSamples,
  codex: codexSamples,
  copilot: copilotSamples,
  qwen: qwenSamples,
};

test("every host has samples", () => {
  expect(hosts.map(({ name }) => name).toSorted()).toEqual(Object.keys(samples).toSorted());
});

for (const host of hosts) describeHost(host, samples[host.name] as HostSamples);
