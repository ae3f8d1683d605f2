import { type IncomingMessage, request } from "node:http";
import { waitFor } from "./processes.ts";
import type { Rookery } from "./rookery.ts";

interface StreamedEvent {
  id: string;
  event: string;
  data: any;
}

interface EventStream {
  text(): string;
  events(): StreamedEvent[];
  /** The first event of this type that matches. */
  next(type: string, passes?: (data: any) => boolean): Promise<StreamedEvent>;
  isOver(): boolean;
  /** Pauses and resumes reading from the socket. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** GET /api/events; resolves after the daemon's first event. */
export async function openEventStream(
  rookery: Rookery,
  headers: Record<string, string> = {},
  query = "",
): Promise<EventStream> {
  let text = "";
  let isOver = false;
  const outgoing = request({
    socketPath: rookery.home.socket,
    path: `/api/events${query}`,
    headers,
    agent: false,
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve).once("error", reject).end();
  });
  response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  response.on("error", () => {}); // The daemon was killed: `isOver` is set.
  response.on("close", () => {
    isOver = true;
  });
  const stream: EventStream = {
    text: () => text,
    events: () => text.split("\n\n").slice(0, -1).flatMap(parseEvent),
    next: (type, passes = () => true) =>
      waitFor(() => stream.events().find(({ event, data }) => event === type && passes(data)), {
        describe: () => `${type} in:\n${text.slice(-2_000)}`,
      }),
    isOver: () => isOver,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => outgoing.destroy(),
  };
  await waitFor(() => text.startsWith(": connected"));
  return stream;
}

function parseEvent(block: string): StreamedEvent[] {
  const fields = new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const data = fields.get("data");
  return data === undefined
    ? []
    : [{ id: fields.get("id") ?? "", event: fields.get("event") ?? "", data: JSON.parse(data) }];
}
