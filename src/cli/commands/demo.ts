import { join } from "node:path";
import type { CliContext, Command } from "../command.ts";
import {
  type DemoFacts,
  describeEnd,
  describeIntroduction,
  describeMemory,
  describeQuestion,
  describeRace,
  describeRemoval,
  describeTalk,
} from "../demo/describe.ts";
import { inviteTo } from "../demo/invite.ts";
import { projectName, remember } from "../demo/remember.ts";
import { race } from "../demo/race.ts";
import { openStage, type Stage } from "../demo/stage.ts";
import { talk } from "../demo/talk.ts";
import { nameCommand } from "../name-command.ts";
import { openViewerTab } from "../demo/viewer-tab.ts";
import { makeStyle } from "../style.ts";

const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export const demo: Command = {
  summary: "Take a quick tour in a throwaway home: memory, a question to you, agents talking to each other.",
  usage: "[--quick] [--keep]",
  examples: ["rookery demo", "rookery demo --quick --keep", "rookery demo --json"],
  options: { quick: { type: "boolean" }, keep: { type: "boolean" } },
  optionHelp: {
    quick: "do not wait for your answer in the browser; the demo answers through the same API",
    keep: "keep the throwaway home and print its path",
  },
  async run(context, { flags }) {
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
      const { promises, ...facts } = await play(context, stage, flags.quick === true, interrupted.signal);
      if (context.isJson)
        context.print(JSON.stringify({ promises, ...facts, keptIn: keptIn ?? null }, null, 2));
      else {
        const style = makeStyle(context);
        context.print(describeEnd({ promises, ...facts }, style, nameCommand(context)));
        if (facts.question.chosenBy === "person" && context.enter) {
          context.print("\nYour page stays open until you press Enter.");
          await context.enter(interrupted.signal);
        }
        context.print(describeRemoval(keptIn, nameCommand(context)));
      }
      return Object.values(promises).every(Boolean) ? 0 : 70;
    } catch (error) {
      if (!interrupted.signal.aborted) throw error;
      return exitCode;
    } finally {
      await stage.close();
      if (keptIn === undefined) stage.remove();
      for (const signal of Object.keys(signals)) process.off(signal, onSignal);
    }
  },
};

/** Plays the three chapters and prints each when it has ended. */
async function play(
  context: CliContext,
  stage: Stage,
  isQuick: boolean,
  signal: AbortSignal,
): Promise<DemoFacts> {
  const startedAt = performance.now();
  const style = makeStyle(context);
  const show = (text: string): void => {
    if (!context.isJson) context.print(text);
  };
  show(describeIntroduction(style));
  await stage.startDaemon();
  const next = stage.session("demo-next");
  const memory = await remember(stage, join(context.pluginRoot, "demo", "recording.jsonl"), next, signal);
  show(describeMemory(memory, style));
  const tab = await openViewerTab(stage, signal);
  const person = isQuick ? undefined : inviteTo(context, style, signal);
  const question = await race(stage, next, tab, {
    onAsked: (asked) => show(describeQuestion(asked, style)),
    invite: person?.invite,
  });
  show(describeRace(question, style));
  const agents = await talk(stage, next, stage.session("demo-other"), tab);
  show(describeTalk(agents, style));
  return {
    memory,
    question,
    agents,
    promises: { ...memory.promises, ...question.promises, ...agents.promises },
    ms: Math.round(performance.now() - startedAt - (person?.waitedMs() ?? 0)),
  };
}
