import { expect, it } from "vitest";
import type { Log } from "../../shared/log.ts";
import { type Component, startComponents } from "./component.ts";

function makeTrace() {
  const steps: string[] = [];
  const log = {
    error: (message: string, fields: { component: string }) => steps.push(`${message}: ${fields.component}`),
  };
  const component = (name: string): Component => ({
    name,
    start: () => void steps.push(`start ${name}`),
    stop: async () => void steps.push(`stop ${name}`),
  });
  return { steps, component, log: log as unknown as Log };
}

it("starts in order and stops in reverse, once", async () => {
  const { steps, component, log } = makeTrace();
  const stop = await startComponents([component("store"), { name: "none" }, component("bell")], log);
  await Promise.all([stop(), stop()]);
  expect(steps).toEqual(["start store", "start bell", "stop bell", "stop store"]);
});

it("stops the earlier components when one fails to start, and passes the error on", async () => {
  const { steps, component, log } = makeTrace();
  const failing: Component = {
    name: "tcp",
    start: async () => {
      throw new Error("port taken");
    },
    stop: () => void steps.push("stop tcp"),
  };
  const starting = startComponents(
    [component("store"), component("memory"), failing, component("mail")],
    log,
  );
  await expect(starting).rejects.toThrow("port taken");
  expect(steps).toEqual([
    "start store",
    "start memory",
    "component failed to start: tcp",
    "stop memory",
    "stop store",
  ]);
});

it("stops the others when one fails to stop, and logs it", async () => {
  const { steps, component, log } = makeTrace();
  const failing: Component = {
    name: "mail",
    stop: () => {
      throw new Error("stuck");
    },
  };
  const stop = await startComponents([component("store"), failing, component("bell")], log);
  await stop();
  expect(steps).toEqual([
    "start store",
    "start bell",
    "stop bell",
    "component failed to stop: mail",
    "stop store",
  ]);
});

it("stops the others when one does not finish stopping, and logs it", async () => {
  const { steps, component, log } = makeTrace();
  const hanging: Component = { name: "homeserver", stop: () => new Promise(() => {}) };
  const stop = await startComponents([component("store"), hanging, component("bell")], log, 1);
  await stop();
  expect(steps).toEqual([
    "start store",
    "start bell",
    "stop bell",
    "component failed to stop: homeserver",
    "stop store",
  ]);
});
