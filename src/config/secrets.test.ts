import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSecrets, updateSecrets } from "./secrets.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rookery-secrets-"));
  path = join(folder, "secrets.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("secrets", () => {
  it("are empty if there is no file", () => {
    expect(readSecrets(path)).toEqual({
      model: { keys: {} },
      slack: {},
      telegram: {},
      discord: {},
      ntfy: {},
      webhook: {},
      matrix: {},
      hub: {},
    });
  });

  it("are written with mode 0600, without leaving temporary files", () => {
    updateSecrets(path, ({ model }) => void (model.keys["https://one.test/v1"] = "first"));
    updateSecrets(path, ({ model }) => void (model.keys["https://two.test/v1"] = "second"));
    expect(readSecrets(path).model.keys).toEqual({
      "https://one.test/v1": "first",
      "https://two.test/v1": "second",
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["secrets.json"]);
  });

  it("become private when they are read", () => {
    writeFileSync(path, "{}");
    chmodSync(path, 0o644);
    readSecrets(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["no JSON", `{"model": {"keys": {"a": "hunter2-hunter2"`, "is not valid JSON"],
    ["an unknown key", `{"modle": {"key": "hunter2-hunter2"}}`, "modle"],
    ["a wrong type", `{"model": {"keys": ["hunter2-hunter2"]}}`, "model.keys"],
  ])("with %s are rejected with the key's name but without its value", (_case, text, named) => {
    writeFileSync(path, text);
    const refusal = catchError(() => readSecrets(path));
    expect(refusal).toMatchObject({ code: "invalid_secrets" });
    expect(refusal.message).toContain(named);
    expect(`${refusal.stack} ${String(refusal.cause)}`).not.toContain("hunter2");
    expect(() => updateSecrets(path, () => {})).toThrow();
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});

function catchError(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}
