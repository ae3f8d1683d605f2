import { isAbsolute } from "node:path";
import { describe, expect, test } from "vitest";
import type { Answer } from "../../src/domain/ask/question.ts";
import { readRequest } from "../../src/domain/ask/read-request.ts";
import { makeExclusion } from "../../src/domain/capture/exclude.ts";
import { type PreparedEvent, prepareEvent } from "../../src/domain/capture/prepare-event.ts";
import { openTurnAssembler } from "../../src/domain/transcript/assemble-turns.ts";
import type { Host } from "../../src/hosts/host.ts";
import { detectHost } from "../../src/hosts/detect-host.ts";
import { resolveEvent } from "../../src/hosts/hosts.ts";
import { hostRows } from "../../src/hosts/marks.ts";
import { findVariable } from "../../src/hosts/trace-origin.ts";
import { type AgentEvent, agentEvents, type ToolKind, toolKinds } from "../../src/protocol/agent-events.ts";

/** Samples of a host's payloads and transcripts, and their expected interpretation. */
export interface HostSamples {
  /** At least one for every event that the host declares. */
  payloads: { name: string; payload: Record<string, unknown>; expected: Partial<PreparedEvent> }[];
  tools: { name: string; input: Record<string, unknown>; kind: ToolKind; file?: string }[];
  /** An edit with the text before and after it. */
  edit: { name: string; input: Record<string, unknown>; response: unknown; before: string; after: string };
  /** A call that runs a command, and its output. */
  run: { name: string; input: Record<string, unknown>; response: unknown; output: string };
  /** A call that asks one question with several options. */
  question: { name: string; input: Record<string, unknown>; text: string; options: string[] };
  machinePrompt: string;
  /** The lines of a transcript, and the turn that they describe. */
  transcript: { lines: string[]; prompt: string; final: string; tools: [name: string, kind: ToolKind][] };
}

/** Events whose replies must accept context on every host: memory and messages have no other way into a session. */
const contextEvents: readonly AgentEvent[] = ["session.started", "prompt"];
const options = { fieldLimit: 64_000, exclusion: makeExclusion([]) };

export function describeHost(host: Host, samples: HostSamples): void {
  const { events, tools, requests, replies, transcripts, install, marks } = host;
  const prepare = (name: string, payload: object): PreparedEvent =>
    prepareEvent(new TextEncoder().encode(JSON.stringify(payload)), name, host, options);

  describe(`host ${host.name}: events`, () => {
    test.each(samples.payloads)("$name is parsed from a payload", ({ name, payload, expected }) => {
      const prepared = prepare(name, payload);
      expect(prepared).toMatchObject(expected);
      expect(prepared.sessionId).not.toBe("");
      expect(agentEvents).toContain(prepared.event);
      expect(resolveEvent({ event: name, host: host.name })).toMatchObject({ host: host.name });
    });

    test("every declared event has a sample, and every event of a session is declared", () => {
      const sampled = new Set(samples.payloads.map(({ name }) => name));
      expect(Object.keys(events.names).filter((name) => !sampled.has(name))).toEqual([]);
      const known = new Set(Object.values(events.names));
      for (const event of ["session.started", "prompt", "tool.after", "turn.ended"] as const)
        expect(known, event).toContain(event);
    });

    test("an unknown event and an inherited property name are rejected", () => {
      for (const name of ["", "NoSuchEvent", "constructor", "__proto__"])
        expect(events.read(name), name).toBeUndefined();
    });

    test("our event name maps back to the host's", () => {
      for (const [name, event] of Object.entries(events.names))
        if (event !== "other") expect(events.nameOf(event), name).toBe(name);
    });

    test("a payload is recognised as this host's", () => {
      const [first] = samples.payloads;
      expect(detectHost(events.normalise(first?.payload ?? {}) as never)).toBe(host.name);
    });

    test("the host's own prompts are distinguished from the person's", () => {
      expect(host.prompts.isMachine(samples.machinePrompt)).toBe(true);
      expect(host.prompts.isMachine("Fix the pool.")).toBe(false);
      const shown = host.prompts.readMachine(samples.machinePrompt);
      expect(shown).toMatch(/\w/);
      expect(shown).not.toMatch(/[<>]/);
    });
  });

  describe(`host ${host.name}: tools`, () => {
    test.each(samples.tools)("$name is $kind", ({ name, input, kind, file }) => {
      expect(tools.kindOf(name)).toBe(kind);
      expect(tools.fileOf(input)).toBe(file);
    });

    test("every tool name has a kind, including unknown and inherited names", () => {
      for (const name of [...tools.names, "NoSuchTool", "constructor", "mcp__db__query", ""])
        expect(toolKinds, name).toContain(tools.kindOf(name));
      expect(tools.kindOf("NoSuchTool")).toBe("other");
    });

    test("reading, editing, running a command and asking are known", () => {
      const kinds = new Set(tools.names.map(tools.kindOf));
      expect([...kinds]).toEqual(expect.arrayContaining(["read", "edit", "run"]));
    });

    test("an input or result of another shape yields nothing", () => {
      for (const value of [undefined, null, 7, "text", [], {}]) {
        expect(tools.fileOf(value)).toBeUndefined();
        expect(typeof tools.outputOf(value)).toBe("string");
        expect(tools.changesOf(samples.edit.name, value, value)).toEqual([]);
        expect(tools.readCall(samples.edit.name, value)).toEqual({
          paths: [],
          command: undefined,
          target: "",
          changes: [],
        });
      }
    });

    test.each(samples.tools.filter(({ file }) => file))(
      "the file is a path and the target of $name",
      ({ name, input, file }) => {
        expect(tools.readCall(name, input)).toMatchObject({ paths: [file], target: file });
      },
    );

    test("an edit yields its change, a command its output", () => {
      const { edit, run } = samples;
      expect(tools.changesOf(edit.name, edit.input, edit.response)).toEqual([
        { before: edit.before, after: edit.after },
      ]);
      expect(tools.outputOf(run.response)).toBe(run.output);
    });
  });

  describe(`host ${host.name}: questions and replies`, () => {
    const { question, run } = samples;
    const decided = (name: string, input: Record<string, unknown>) => {
      const request = readRequest(name, input, requests.describe);
      if (!request) throw new Error(`${name} asks nothing`);
      return { ...request, input, sessionRule: requests.sessionRule(name, input) };
    };

    test("a question is shown with its options, and a command with its text", () => {
      const asked = decided(question.name, question.input);
      expect(asked.kind).toBe("choice");
      expect(asked.prompts.map(({ text }) => text)).toEqual([question.text]);
      expect(asked.prompts[0]?.options.map(({ label }) => label)).toEqual(question.options);
      expect(decided(run.name, run.input)).toMatchObject({
        kind: "permission",
        subject: { action: "run", format: "command" },
      });
    });

    test("an answer reaches a host that takes answers from hooks, and can be read from its record", () => {
      const [chosen = ""] = question.options;
      const answer: Answer = { type: "answers", answers: [[chosen]] };
      const printed = replies.formatDecision(decided(question.name, question.input), answer);
      if (requests.answersQuestions)
        expect(replies.read(printed ?? "")).toMatchObject({
          isAllowed: true,
          answers: { [question.text]: chosen },
        });
      else expect(printed).toBeUndefined();
      const answered = [{ question: question.text, answer: chosen, options: question.options }];
      const { tool_input, tool_response } = requests.recordAnswers(answered);
      expect(requests.readAnswers(tool_input as Record<string, unknown>, tool_response)).toEqual(answered);
    });

    test("only an explicit allow is consent", () => {
      const asked = decided(run.name, run.input);
      const allow = replies.formatDecision(asked, { type: "allow", scope: "once" }) ?? "";
      const deny = replies.formatDecision(asked, { type: "deny", reason: "not now" }) ?? "";
      expect(replies.read(allow)).toMatchObject({ isAllowed: true });
      expect(replies.read(deny)).toMatchObject({ isAllowed: false, deny: "not now" });
      expect(replies.formatDecision(asked, { type: "answers", answers: [["yes"]] })).toBeUndefined();
    });

    test.each(contextEvents)("context and a message for the person round-trip at %s", (event) => {
      expect(replies.contextLimit(event)).toBeGreaterThan(2_000);
      const parts = { context: 'a "quoted"\nline', systemMessage: "for you" };
      expect(replies.read(replies.format(event, parts))).toMatchObject(parts);
    });

    test("a tool call is refused with a reason; an empty reply prints nothing", () => {
      const printed = replies.format("tool.before", { deny: "held by api-jay" });
      expect(replies.read(printed)).toMatchObject({ deny: "held by api-jay" });
      for (const event of agentEvents) expect(replies.format(event, {}), event).toBe("");
    });

    test("exported names contain no code", () => {
      const names = { sessionId: "s'; touch x; '", agent: "api-rook" };
      const exports = replies.formatExports(names);
      if (exports !== "") expect(exports).not.toContain("'s'; touch");
    });
  });

  describe(`host ${host.name}: transcripts`, () => {
    test("the sample yields its turn", () => {
      const assembler = openTurnAssembler();
      const { lines, prompt, final, tools: used } = samples.transcript;
      const entries = lines.flatMap((line) => transcripts.readLine(line));
      const turns = [...entries.flatMap((entry) => assembler.push(entry)), ...assembler.flush()];
      expect(turns).toMatchObject([{ prompt, final, isMachine: false, outcome: "completed" }]);
      const steps = turns[0]?.steps.flatMap((step) =>
        step.kind === "tool" ? [[step.tool, step.toolKind]] : [],
      );
      expect(steps).toEqual(used);
      for (const line of lines.filter((each) => transcripts.readLine(each).length > 0))
        expect(transcripts.mayHaveEntries(line.slice(0, transcripts.headLength)), line).toBe(true);
    });

    test("a value of another type anywhere in a line throws no error", () => {
      const odd = { toString: "x", length: -1 };
      for (const line of samples.transcript.lines) {
        const replaceAt = (place: number): string => {
          let at = 0;
          return JSON.stringify(JSON.parse(line), (_key, value) => (at++ === place ? odd : value));
        };
        for (let place = 1; replaceAt(place) !== replaceAt(-1); place++)
          expect(() => transcripts.readLine(replaceAt(place)), replaceAt(place)).not.toThrow();
      }
    });

    test("a damaged line is reported as damaged and throws no error", () => {
      for (const line of ["{", '{"type":"user"', "null", "[]", "\0\0{"])
        expect(transcripts.readLine(line), JSON.stringify(line)).toEqual([{ kind: "damaged" }]);
      expect(transcripts.readLine("")).toEqual([]);
    });
  });

  describe(`host ${host.name}: processes and installation`, () => {
    test("has marks by which its processes are recognised", () => {
      expect(hostRows.find(({ name }) => name === host.name)).toMatchObject(marks);
      expect(marks.label).not.toBe("");
      expect(marks.environment.length).toBeGreaterThan(0);
      expect([...marks.processNames, ...marks.scriptPaths].length).toBeGreaterThan(0);
      for (const variable of marks.environment) expect(findVariable({ [variable]: "1" })).toBeDefined();
    });

    test("has everything that install and uninstall need", () => {
      expect(install.command).toMatch(/^[a-z]+$/);
      expect(install.folder.name).toMatch(/^\./);
      const { plugin, files } = install;
      if (plugin) {
        expect(plugin.addMarketplace("/folder").at(-1)).toBe("/folder");
        for (const act of [plugin.install, plugin.update, plugin.uninstall])
          expect(act("plugin@market")).toContain("plugin@market");
        expect(plugin.removeMarketplace("market")).toContain("market");
        for (const printed of [undefined, null, [], {}])
          expect(plugin.readList(printed, "plugin@market")).toBeUndefined();
      }
      for (const file of files?.("/app/current/plugin") ?? []) {
        expect(isAbsolute(file.path)).toBe(false);
        expect(JSON.stringify(file)).toContain("/app/current/plugin/");
      }
    });
  });
}
