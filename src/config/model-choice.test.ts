import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseModel } from "./model-choice.ts";
import { parseConfig } from "./load.ts";
import { updateSecrets } from "./secrets.ts";

let folder: string;
let secrets: string;
const choose = (model: object, environment: Record<string, string> = {}) =>
  chooseModel(parseConfig({ model }).model, { HOME: folder, ...environment }, secrets);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rookery-choice-"));
  secrets = join(folder, "secrets.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the chosen model", () => {
  it("is none by default, even if the environment has keys", () => {
    expect(choose({}, { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" })).toBeUndefined();
  });

  it("defaults to the provider's own address and small model", () => {
    expect(choose({ provider: "claude" })).toMatchObject({ provider: "claude", model: "haiku", apiKey: "" });
    expect(choose({ provider: "anthropic" }, { ANTHROPIC_API_KEY: "k" })).toMatchObject({
      model: "claude-haiku-5-5",
      baseUrl: "https://api.anthropic.com",
      apiKey: "k",
    });
  });

  it("reads Anthropic's key from Anthropic's file", () => {
    mkdirSync(join(folder, ".anthropic"));
    writeFileSync(join(folder, ".anthropic", "api_key"), "from-file\n");
    expect(choose({ provider: "anthropic" })).toMatchObject({ apiKey: "from-file" });
  });

  it("uses a stored key only for its address, and the environment's key only for the provider's own address", () => {
    updateSecrets(secrets, ({ model }) => void (model.keys["https://mine.test/v1"] = "mine"));
    const elsewhere = { provider: "openai", name: "m", baseUrl: "https://mine.test/v1" };
    expect(choose(elsewhere, { OPENAI_API_KEY: "theirs" })).toMatchObject({ apiKey: "mine" });
    expect(choose({ provider: "openai", name: "m" }, { OPENAI_API_KEY: "theirs" })).toMatchObject({
      apiKey: "theirs",
    });
    expect(
      choose({ ...elsewhere, baseUrl: "https://other.test/v1" }, { OPENAI_API_KEY: "theirs" }),
    ).toMatchObject({
      apiKey: "",
    });
  });

  it.each([
    [{ provider: "anthropic" }, "ANTHROPIC_API_KEY"],
    [{ provider: "gemini", name: "m" }, "GEMINI_API_KEY"],
    [{ provider: "openrouter" }, "model.name"],
  ])("%j reports the missing setting", (model, named) => {
    expect(choose(model)).toEqual({ problem: expect.stringContaining(named) });
  });
});
