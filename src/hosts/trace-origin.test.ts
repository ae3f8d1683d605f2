import { expect, test } from "vitest";
import type { ProcessFacts } from "../shared/process-table.ts";
import { hostRows } from "./marks.ts";
import { findVariable, traceOrigin } from "./trace-origin.ts";

const person: ProcessFacts = {
  parentPid: 1,
  name: "bash",
  args: ["-bash"],
  environment: { HOME: "/home/ada" },
  terminal: undefined,
};
/** A shell with id 20 under a process with id 10. */
const trace = (parent: Partial<ProcessFacts>, child: Partial<ProcessFacts> = {}) =>
  traceOrigin(20, (pid) =>
    pid === 20 ? { ...person, parentPid: 10, ...child } : pid === 10 ? { ...person, ...parent } : undefined,
  );

test("every variable, name and path of the table identifies a host, also in an ancestor", () => {
  for (const { label, environment, processNames, scriptPaths } of hostRows) {
    for (const name of environment) {
      expect(findVariable({ [name]: "1" })).toMatchObject({ label });
      expect(trace({ environment: { [name]: "1" } })).toMatchObject({ kind: "agent" });
    }
    for (const name of processNames) {
      expect(trace({ name }), name).toEqual({
        kind: "agent",
        why: `process 20 runs under ${label} (process 10)`,
      });
      expect(trace({ name: "node", args: ["node", "--x", `/usr/bin/${name}`] })).toMatchObject({
        kind: "agent",
      });
    }
    for (const path of scriptPaths)
      expect(
        trace({ name: "MainThread", args: ["/usr/bin/node", `/opt${path}index.js`] }),
        path,
      ).toMatchObject({
        kind: "agent",
      });
  }
});

test.each([
  ["an editor that has an agent's file open", { name: "vim", args: ["vim", "/x/@openai/codex/README.md"] }],
  ["node with an agent's name as a later argument", { name: "node", args: ["node", "build.js", "codex"] }],
  ["an IDE", { name: "cursor", args: ["/opt/cursor/cursor", "--type=zygote"] }],
  ["a login of another user, whose environment is hidden", { name: "sshd", environment: undefined }],
])("a person under %s", (_what, parent) => {
  expect(trace(parent)).toEqual({ kind: "person" });
});

test("an environment that cannot be read, and an ancestor that cannot be found, are unknown", () => {
  expect(trace({}, { environment: undefined })).toMatchObject({ kind: "unknown" });
  expect(trace({ parentPid: 5 })).toMatchObject({ kind: "unknown", why: "process 5 cannot be inspected" });
  expect(traceOrigin(7, () => ({ ...person, parentPid: 7 }))).toMatchObject({ kind: "unknown" });
});
