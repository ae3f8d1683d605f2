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
import { makeInvitation } from "../demo/invite.ts";
import { projectName, demoMemory } from "../demo/demo-memory.ts";
import { demoRace } from "../demo/demo-race.ts";
import { openSandbox, type Sandbox } from "../demo/sandbox.ts";
import { demoTalk } from "../demo/demo-talk.ts";
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

    const sandbox = openSandbox(context, projectName, interrupted.signal);
    const keptIn = flags.keep === true ? sandbox.folder : undefined;
    try {
      const { promises, ...facts } = await runDemo(
        context,
        sandbox,
        flags.quick === true,
        interrupted.signal,
      );
      if (context.isJson)
        context.print(JSON.stringify({ promises, ...facts, keptIn: keptIn ?? null }, null, 2));
      else {
        const style = makeStyle(context);
        context.print(describeEnd({ promises, ...facts }, style, nameCommand(context)));
        if (facts.question.chosenBy === "person" && context.waitForEnter) {
          context.print("\nYour page stays open until you press Enter.");
          await context.waitForEnter(interrupted.signal);
        }
        context.print(describeRemoval(keptIn, nameCommand(context)));
      }
      return Object.values(promises).every(Boolean) ? 0 : 70;
    } catch (error) {
      if (!interrupted.signal.aborted) throw error;
      return exitCode;
    } finally {
      await sandbox.close();
      if (keptIn === undefined) sandbox.remove();
      for (const signal of Object.keys(signals)) process.off(signal, onSignal);
    }
  },
};

/** Plays the three chapters and prints each when it has ended. */
async function runDemo(
  context: CliContext,
  sandbox: Sandbox,
  isQuick: boolean,
  signal: AbortSignal,
): Promise<DemoFacts> {
  const startedAt = performance.now();
  const style = makeStyle(context);
  const show = (text: string): void => {
    if (!context.isJson) context.print(text);
  };
  show(describeIntroduction(style));
  await sandbox.startDaemon();
  const next = sandbox.session("demo-next");
  const memory = await demoMemory(sandbox, join(context.pluginRoot, "demo", "recording.jsonl"), next, signal);
  show(describeMemory(memory, style));
  const tab = await openViewerTab(sandbox, signal);
  const person = isQuick ? undefined : makeInvitation(context, style, signal);
  const question = await demoRace(sandbox, next, tab, {
    onAsked: (asked) => show(describeQuestion(asked, style)),
    invite: person?.invite,
  });
  show(describeRace(question, style));
  const agents = await demoTalk(sandbox, next, sandbox.session("demo-other"), tab);
  show(describeTalk(agents, style));
  return {
    memory,
    question,
    agents,
    promises: { ...memory.promises, ...question.promises, ...agents.promises },
    ms: Math.round(performance.now() - startedAt - (person?.waitedMs() ?? 0)),
  };
}
