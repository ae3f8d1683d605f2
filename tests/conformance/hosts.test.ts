import { expect, test } from "vitest";
import { hosts } from "../../src/hosts/hosts.ts";
import { hostSamples, samplesOf } from "../fixtures/hosts/samples.ts";
import { describeHost } from "./host-contract.ts";

test("every host has samples", () => {
  expect(hosts.map(({ name }) => name).toSorted()).toEqual(Object.keys(hostSamples).toSorted());
});

for (const host of hosts) describeHost(host, samplesOf(host.name));
