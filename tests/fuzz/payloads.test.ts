import * as fc from "fast-check";
import { describe } from "vitest";
import { readRequest } from "../../src/domain/ask/read-request.ts";
import { makeExclusion } from "../../src/domain/capture/exclude.ts";
import { prepareEvent } from "../../src/domain/capture/prepare-event.ts";
import { openTurnAssembler } from "../../src/domain/transcript/assemble-turns.ts";
import { hosts } from "../../src/hosts/hosts.ts";
import { agentEvents } from "../../src/protocol/agent-events.ts";
import { parseEventName, parsePid, parseSpoolName } from "../../src/protocol/spool-name.ts";
import { samplesOf } from "../fixtures/hosts/samples.ts";
import { fuzz } from "./fuzz.ts";
import { changed, damaged, json, jsonText, object, text } from "./hostile.ts";

const options = { fieldLimit: 4_000, exclusion: makeExclusion([".env", "secrets/**"]) };

for (const host of hosts)
  describe(`host ${host.name}`, () => {
    const samples = samplesOf(host.name);
    const eventName = fc.oneof(fc.constantFrom(...Object.keys(host.events.names)), text);
    const payload = changed(samples.payloads.map((sample) => sample.payload));
    const toolName = fc.oneof(fc.constantFrom(...host.tools.names), text);
    const calls = [...samples.tools, samples.edit, samples.run, samples.question];
    const input = fc.oneof(changed(calls.map((call) => call.input)).filter(isObject), object);

    fuzz(
      "payloads",
      fc.tuple(
        damaged(
          fc.oneof(
            payload.map((value) => JSON.stringify(value)),
            jsonText,
          ),
        ),
        eventName,
      ),
      ([raw, name]) => prepareEvent(raw, name, host, options),
    );
    fuzz("tool calls", fc.tuple(toolName, fc.oneof(input, json), json), ([name, given, response]) => {
      host.tools.kindOf(name);
      host.tools.readCall(name, given);
      host.tools.changesOf(name, given, response);
      host.tools.outputOf(response);
    });
    fuzz("permission requests", fc.tuple(toolName, input, json), ([name, given, response]) => {
      readRequest(name, given, host.requests.describe);
      host.requests.sessionRule(name, given);
      host.requests.readAnswers(given, response);
      host.requests.labelTool(name);
    });
    fuzz("replies", fc.tuple(fc.constantFrom(...agentEvents), text), ([event, context]) => {
      host.replies.read(host.replies.format(event, { context, deny: context, systemMessage: context }));
    });
    fuzz("transcripts", fc.array(transcriptLine(samples.transcript.lines), { maxLength: 8 }), (lines) => {
      const assembler = openTurnAssembler();
      for (const line of lines) {
        host.transcripts.mayHaveEntries(line.slice(0, host.transcripts.headLength));
        host.transcripts.isSubagent?.(line);
        for (const entry of host.transcripts.readLine(line, { textLimit: 1_000 })) assembler.push(entry);
      }
      assembler.flush();
    });
    fuzz("transcript paths and settings", fc.tuple(text, text, json), ([path, start, settings]) => {
      host.transcripts.sessionIdOf(path, () => start);
      host.transcripts.folderOf?.(start);
      host.transcripts.retentionDays(settings);
    });
  });

function transcriptLine(lines: readonly string[]): fc.Arbitrary<string> {
  const values = lines.map((line): unknown => JSON.parse(line));
  return fc.oneof(
    { weight: 4, arbitrary: changed(values).map((value) => JSON.stringify(value) ?? "") },
    { weight: 1, arbitrary: jsonText },
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

fuzz("names of spool files", text, (name) => {
  parseSpoolName(name);
  parseEventName(name);
  parsePid(name);
});
