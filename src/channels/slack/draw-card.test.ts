import { describe, expect, test } from "vitest";
import type { Card } from "../../domain/ask/card.ts";
import { drawCard, drawOutcome } from "./draw-card.ts";
import { limits } from "./limits.ts";

const huge = "x".repeat(50_000);
const prompt = (options: number, isMulti = false): Card["prompts"][number] => ({
  text: huge,
  header: huge,
  options: Array.from({ length: options }, (_, n) => ({ label: `${n} ${huge}`, description: huge })),
  isMulti,
});

const card = (fields: Partial<Card>): Card => ({
  questionId: "q",
  ticket: "t",
  kind: "choice",
  headline: huge,
  asker: { project: "api", agent: "api-rook", sessionId: "0123456789", subagent: "reviewer" },
  context: huge,
  prompts: [],
  subject: null,
  danger: null,
  claimedBy: null,
  sessionRule: null,
  earlier: { answer: huge, at: 0 },
  ...fields,
});

/** Every text object of a message. */
function texts(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, text } = node as { type?: string; text?: unknown };
  const own = typeof text === "string" && /^(plain_text|text|mrkdwn)$/.test(type ?? "") ? [text] : [];
  return [...own, ...Object.values(node).flatMap(texts)];
}

describe("a card stays within Slack's limits", () => {
  test.each([
    ["a single choice with many options", card({ prompts: [prompt(500)] })],
    ["a multiple choice with many options", card({ prompts: [prompt(500, true)] })],
    ["a row of buttons", card({ prompts: [prompt(24)] })],
    ["four prompts", card({ prompts: [prompt(4), prompt(4, true), prompt(10), prompt(4)] })],
    ["more prompts than fit", card({ prompts: Array.from({ length: 60 }, () => prompt(4)) })],
    [
      "a permission",
      card({
        kind: "permission",
        subject: { toolName: "Bash", format: "command", text: huge, hiddenSecrets: 2 },
        sessionRule: { toolName: "Bash", ruleContent: huge.slice(0, 500) },
      }),
    ],
    ["invisible characters", card({ context: "\u202e".repeat(1_000), headline: "\u200b".repeat(300) })],
  ])("%s", (_name, each) => {
    for (const { text, blocks } of [
      drawCard(each, { key: "k", isInteractive: true }),
      drawCard(each, { key: "k", isInteractive: false }),
      drawOutcome(each, { state: "answered", text: huge }),
    ]) {
      expect(text.length).toBeLessThan(40_000);
      expect(blocks.length).toBeLessThanOrEqual(limits.blocks);
      const all = texts(blocks);
      expect(Math.max(...all.map(({ length }) => length))).toBeLessThanOrEqual(limits.sectionText);
      expect(all.join("").length).toBeLessThanOrEqual(limits.allBlocks);
    }
  });

  test("texts that are cut are uploaded in full", () => {
    const { files } = drawCard(
      card({
        context: "short",
        prompts: [prompt(2)],
        subject: { toolName: "Edit", format: "diff", text: huge, hiddenSecrets: 0 },
      }),
      { key: "k", isInteractive: true },
    );
    expect(files.map(({ name }) => name)).toEqual(["change.diff", "question.txt"]);
    expect(files[0]?.content).toBe(huge);
    expect(files[1]?.content).toContain(`${huge}\n• 0 ${huge} – ${huge}`);
  });
});

test("a card shows the asker, the session rule, the number of hidden secrets and the previous answer", () => {
  const { blocks, text } = drawCard(
    card({
      kind: "permission",
      headline: "api-rook wants to run a command",
      context: null,
      subject: { toolName: "Bash", format: "command", text: "curl -H [secret]", hiddenSecrets: 1 },
      sessionRule: { toolName: "Bash", ruleContent: "curl:*" },
      earlier: { answer: "Denied: not now", at: Date.UTC(2026, 10, 3) },
    }),
    { key: "k", isInteractive: true },
  );
  const shown = texts(blocks).join("\n");
  for (const part of [
    "api · api-rook · subagent reviewer · session 01234567",
    "Bash · 1 secret hidden",
    "adds: Bash(curl:*)",
    "Last time (2026-11-03): Denied: not now",
    "Allow for session",
  ])
    expect(shown).toContain(part);
  expect(text).toBe("api-rook wants to run a command (api)");
});

test("Slack asks again before it sends the approval of a dangerous command, but not a denial", () => {
  const dangerous = card({
    kind: "permission",
    subject: { toolName: "Bash", format: "command", text: "rm -rf build", hiddenSecrets: 0 },
    sessionRule: { toolName: "Bash", ruleContent: "rm:*" },
    danger: "deletes files without asking",
  });
  const { blocks } = drawCard(dangerous, { key: "k", isInteractive: true });
  const buttons = blocks.flatMap((block) => (block.type === "actions" ? block.elements : []));
  expect(buttons).toMatchObject([
    {
      text: { text: "Allow once" },
      confirm: { text: { text: "Careful: this deletes files without asking." } },
    },
    { text: { text: "Allow for session" }, confirm: { confirm: { text: "Allow" } } },
    { text: { text: "Deny …" } },
  ]);
  expect(buttons[2]).not.toHaveProperty("confirm");
});
