import type { DemoFacts } from "../commands/demo.ts";
import { fillLines } from "../format.ts";
import type { Style } from "../style.ts";

export function describeIntroduction(style: Style): string {
  return fill(
    "Sessions are now played through the real hook script, into a daemon in a throwaway home. No model, no " +
      "account, no network. Your own data and your Claude Code are not touched.",
    style,
    "",
  );
}

export function describeEnd(
  { promises, memory, ms }: DemoFacts,
  style: Style,
  { keptIn, command }: { keptIn: string | undefined; command: string },
): string {
  const { bold, green, red } = style;
  const all = Object.entries(promises);
  const failed = all.flatMap(([promise, held]) => (held ? [] : [`  ${promise}`]));
  const waits = ["tool.after", "prompt", "session.started"].flatMap((event) => {
    const latency = memory.latencies[event];
    return latency ? [`${event} ${latency.p50Ms} ms`] : [];
  });
  return [
    "",
    failed.length === 0
      ? green(bold(`✓ ${all.length} promises checked, ${all.length} kept, in ${(ms / 1000).toFixed(1)} s.`))
      : [red(bold("NOT KEPT:")), ...failed].join("\n"),
    fill(`What a session waited for a hook (median): ${waits.join(", ")}.`, style, "  "),
    "",
    bold("Next"),
    ...[
      [`${command} up`, "put it into your Claude Code"],
      ["claude", "then work as always"],
      [`${command} open`, "all of it in the browser"],
      [`${command} today`, "what your sessions did, and what is open"],
    ].map(([typed = "", what]) => `  ${typed.padEnd(command.length + 8)}${what}`),
    "",
    keptIn === undefined
      ? "The throwaway home is removed again."
      : `Kept in ${keptIn}. Look around:\n  export ROOKERY_HOME=${keptIn}/home; ${command} start; ${command} today; ${command} stop`,
  ].join("\n");
}

export function chapter(number: number, title: string, { bold, dim, width }: Style): string {
  return `\n${bold(`${number}  ${title}`)}\n${dim("─".repeat(Math.min(width, title.length + 3)))}`;
}

export function fill(text: string, { width }: Style, first: string, rest = first): string {
  return fillLines(text, width, first, rest);
}
