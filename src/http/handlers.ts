import type { BusEvent } from "../protocol/bus-events.ts";
import type { AnswerOf, BodyOf, Endpoint, Params, QueryOf } from "../protocol/endpoint.ts";
import type { endpoints } from "../protocol/endpoints.ts";
import type { Peer } from "./peer.ts";

/** The client that made the request. */
interface Caller {
  peer: Peer;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal;
  header(name: string): string | undefined;
}

/** A request, validated against its endpoint. */
interface Input<E extends Endpoint> {
  params: Params<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  caller: Caller;
}

interface NumberedEvent {
  seq: number;
  event: BusEvent;
}

export interface EventFeed {
  /** Events after this number that are still in the buffer. */
  since(seq: number): NumberedEvent[];
  /** Returns a function that unsubscribes; calling it twice is harmless. */
  subscribe(listener: (next: NumberedEvent) => void): () => void;
}

type Result<E extends Endpoint> = E["answer"] extends "lines"
  ? AsyncGenerator<string>
  : E["answer"] extends "events"
    ? EventFeed
    : AnswerOf<E>;

export type Handler<E extends Endpoint> = (input: Input<E>) => Result<E> | Promise<Result<E>>;

/** A handler for each endpoint of an area; a component of the daemon contributes one such record. */
export type Handlers<Area extends Record<string, Endpoint>> = {
  [Name in keyof Area]: Handler<Area[Name]>;
};

/** The handlers of all endpoints: an endpoint without a handler is a type error. */
export type AllHandlers = Handlers<typeof endpoints>;
