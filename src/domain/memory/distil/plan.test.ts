import { expect, test } from "vitest";
import { describeCall } from "../../../../tests/support/describe-call.ts";
import type { Step } from "../turn-record.ts";
import { readPlan } from "./plan.ts";

const plan = (body: string): Parameters<typeof readPlan>[0] => ({
  prompt: `Implement the following plan:\n\n${body}`,
  steps: [],
});

test("a plan's heading is the title, its context section says why", () => {
  expect(
    readPlan(
      plan(
        "# Plan: Retry webhook deliveries\n\n## Context\n\nDeliveries are **dropped** when the receiver answers 503:\n- no retry\n- no log line\n\n## Changes\n\n### 1. `deliver.ts`\n",
      ),
    ),
  ).toEqual({
    title: "Retry webhook deliveries",
    context: "Deliveries are dropped when the receiver answers 503: no retry no log line",
    type: "feature",
  });
});

test.each([
  ["# Fix: Cache is never evicted\n\n## Problem\nIt grows.\n", "bugfix"],
  ["# Extract the parser into a package\n\nIt is used twice.\n", "refactor"],
  ["# Replace polling with a queue\n\n## Goal\nLess load.\n", "change"],
  ["# Export to CSV — Implementation Plan\n\n## Overview\nPeople asked.\n", "feature"],
])("the heading gives the type: %j", (body, type) => {
  expect(readPlan(plan(body))?.type).toBe(type);
});

test("a word that begins with plan- stays in the title", () => {
  expect(
    readPlan(plan("# Plan: Plan-first migration of tenants\n\n## Context\nToday it is ad hoc.\n"))?.title,
  ).toBe("Plan-first migration of tenants");
});

test("code and tables are not context", () => {
  expect(readPlan(plan("# Add a health endpoint\n\n```ts\nconst a = 1;\n```\n"))?.context).toBe("");
});

test.each([
  "Implement the plan",
  "What is the plan?\n\n# Notes of today\n",
  "Please add retries to the client.",
])("%j is no plan", (prompt) => {
  expect(readPlan({ prompt, steps: [] })).toBeUndefined();
});

test("a plan that was approved in a dialog is read like one that was sent", () => {
  const input = { plan: "# Rotate the signing keys\n\n## Context\nThey never expire.\n" };
  const step = (failed: boolean): Step => ({
    kind: "tool",
    tool: "ExitPlanMode",
    ...describeCall("ExitPlanMode", input),
    input,
    output: "",
    failed,
    eventId: "e",
  });
  expect(readPlan({ prompt: "yes", steps: [step(false)] })?.title).toBe("Rotate the signing keys");
  expect(readPlan({ prompt: "yes", steps: [step(true)] })).toBeUndefined();
});

test("a heading without a verb is followed by the reason", () => {
  const titleOf = (heading: string, context: string): string | undefined =>
    readPlan({
      prompt: `Implement the following plan:\n\n# ${heading}\n\n## Context\n\n${context}\n`,
      steps: [],
    })?.title;
  const context = "Messages that fail are lost after the third try. The queue keeps them.";
  expect(titleOf("Queue for failed webhooks", context)).toBe(
    "Queue for failed webhooks: Messages that fail are lost after the third try",
  );
  expect(titleOf("Add a queue for failed webhooks", context)).toBe("Add a queue for failed webhooks");
  const former = "Webhooks are currently sent once. This change retries them for an hour.";
  expect(titleOf("Queue for failed webhooks", former)).toBe(
    "Queue for failed webhooks: This change retries them for an hour",
  );
  expect(titleOf("Queue for failed webhooks", "Webhooks are currently sent once.")).toBe(
    "Queue for failed webhooks",
  );
  expect(titleOf("Queue for failed webhooks", `${"Messages are lost ".repeat(12)}.`)).toBe(
    "Queue for failed webhooks",
  );
});
