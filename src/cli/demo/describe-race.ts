import type { QuestionView } from "../../protocol/ask.ts";
import type { Style } from "../style.ts";
import type { RaceFacts } from "./race.ts";
import { chapter, fill } from "./describe-frame.ts";

const choosers: Record<RaceFacts["chosenBy"], string> = {
  person: "You answered in the browser.",
  demo: "The demo answers as the browser would: one-time code, token, answer.",
  terminal: "An agent runs this demo, and an agent cannot answer for its person. The terminal did:",
};

export function describeQuestion({ agent, prompts: [prompt] }: QuestionView, style: Style): string {
  return [
    chapter(2, "How it asks you", style),
    `${agent} asks, and its terminal shows the dialog as always:`,
    fill(prompt?.text ?? "", style, "  ? ", "    "),
    ...(prompt?.options ?? []).map(({ label }, place) => style.dim(`    ${place + 1}. ${label}`)),
  ].join("\n");
}

export function describeRace(facts: RaceFacts, style: Style): string {
  const { chosenBy, outcome, handedMs, late, verdict, refusal } = facts;
  const { dim, bold } = style;
  const line = (mark: string, text: string): string => fill(text, style, `  ${mark} `, "    ");
  const lines = ["", line("→", choosers[chosenBy])];
  if (refusal !== null) lines.push(dim(line("✗", refusal)));
  lines.push(bold(line("✓", outcome)));
  if (handedMs !== null)
    lines.push(line(" ", `The session had it after ${handedMs} ms; the dialog in the terminal closes.`));
  if (late)
    lines.push(
      line("→", `A second answer, from another terminal: ${late.command}`),
      dim(line("✗", `exit ${late.exitCode}: ${late.said}`)),
    );
  if (verdict === "confirmed")
    lines.push(line("✓", "The session goes on with it, and its own events confirm that."));
  return lines.join("\n");
}
