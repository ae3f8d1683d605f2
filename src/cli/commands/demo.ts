import { join } from "node:path";
import type { Command } from "../command.ts";
import { projectName, replay } from "../demo/replay.ts";
import { openStage } from "../demo/stage.ts";
import { makeStyle, tellIntroduction, tellStory } from "../demo/tell.ts";

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export const demo: Command = {
  summary: "See what it does, in seconds: a recorded session, replayed in a throwaway home.",
  usage: "[--keep]",
  examples: ["rookery demo", "rookery demo --json"],
  options: { keep: { type: "boolean" } },
  optionHelp: { keep: "keep the throwaway home and say where" },
  async run(context, { flags }) {
    const style = makeStyle(context);
    const interrupted = new AbortController();
    let exitCode = 0;
    const onSignal = (signal: keyof typeof signals): void => {
      exitCode = signals[signal];
      interrupted.abort();
    };
    for (const signal of Object.keys(signals)) process.on(signal, onSignal);

    const stage = openStage(context, projectName, interrupted.signal);
    const keptIn = flags.keep === true ? stage.folder : undefined;
    try {
      if (!context.isJson) context.print(tellIntroduction(style));
      const recording = join(context.pluginRoot, "demo", "recording.jsonl");
      const facts = await replay(stage, recording, interrupted.signal);
      context.print(
        context.isJson
          ? JSON.stringify({ ...facts, keptIn: keptIn ?? null }, null, 2)
          : tellStory(facts, style, keptIn),
      );
      return Object.values(facts.promises).every(Boolean) ? 0 : 70;
    } catch (error) {
      if (!interrupted.signal.aborted) throw error;
      return exitCode;
    } finally {
      await stage.stopDaemon();
      if (keptIn === undefined) stage.remove();
      for (const signal of Object.keys(signals)) process.off(signal, onSignal);
    }
  },
};
