import { afterEach, expect, it } from "vitest";
import { countTokens } from "../bench/count-tokens.ts";
import { openWorld, type World } from "../support/world.ts";

let world: World;
afterEach(() => world.close());

/** The pieces of text that a request consists of. */
function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listTexts);
}

const maxTokens = 300;

it(`an empty memory costs a session at most ${maxTokens} tokens: tools, instructions, commands and skills`, async () => {
  const lines = async (install: boolean): Promise<string[]> => {
    world = await openWorld({ install });
    await world.run("hello");
    const [first] = world.model.requests;
    const { system, tools, messages } = first?.body ?? {};
    return listTexts([system, tools, messages]).flatMap((text) => text.replaceAll(/rk-\w+/g, "").split("\n"));
  };
  const without = new Set(await lines(true));
  await world.close();
  const added = (await lines(false)).filter(
    (line) => !without.has(line) && /rookery|memory|human/i.test(line),
  );
  expect(added.join("\n")).toContain("rookery");
  const tokens = countTokens(added.join("\n"));
  expect(tokens, added.join("\n")).toBeLessThanOrEqual(maxTokens);
});
