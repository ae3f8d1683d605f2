import { expect, test } from "vitest";
import { makeStreamReader, type StreamMessage } from "./read-stream.ts";

function readAll(...chunks: string[]): StreamMessage[] {
  const messages: StreamMessage[] = [];
  const read = makeStreamReader((message) => messages.push(message));
  for (const chunk of chunks) read(chunk);
  return messages;
}

test("parses events from chunks of any size and skips comments", () => {
  const text =
    ': connected\n\nid: 7\nevent: turn.ended\ndata: {"a":1}\n\n: still here\n\ndata: x\ndata: y\n\n';
  const expected = [
    { id: "7", event: "turn.ended", data: '{"a":1}' },
    { id: "", event: "message", data: "x\ny" },
  ];
  expect(readAll(text)).toEqual(expected);
  expect(readAll(...text.split(""))).toEqual(expected);
});

test("does not emit an unfinished event", () => {
  expect(readAll("data: half")).toEqual([]);
});
