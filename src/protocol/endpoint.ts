import type * as z from "zod";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * Who may call an endpoint. `open`: anyone on this machine. `token`: any holder of the token, or of the unix socket.
 * `person`: only a process that does not run under a coding agent, over TCP. `session`: an agent's session, which names
 * its process, or the person; without a named process the caller is identified by its connection, which works over TCP
 * only.
 */
export type Access = "open" | "token" | "person" | "session";

/** Answers that are not one JSON value: plain text, lines of JSON as they are read, server-sent events. */
type AnswerMark = "text" | "lines" | "events";

/** One endpoint of the API. Routes, clients, the viewer's calls and docs/api.md are generated from these. */
export interface Endpoint {
  method: Method;
  /** With `:names` for its parameters. */
  path: string;
  /** An older path that still works. */
  alias?: string;
  access: Access;
  /** One line for docs/api.md. */
  summary: string;
  query?: z.ZodObject;
  /** `bytes`: passed on unchanged. */
  body?: z.ZodType | "bytes";
  answer: z.ZodType | AnswerMark;
  /** Status of a success; default 200. */
  status?: 201 | 202;
}

export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}

type ParamName<Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? ParamName<Head> | ParamName<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never;

export type Params<E extends Endpoint> = Record<ParamName<E["path"]>, string>;

/** The parsed query, as a handler sees it. */
export type QueryOf<E extends Endpoint> = E extends { query: infer S extends z.ZodType }
  ? z.output<S>
  : Record<string, never>;

/** The parsed body, as a handler sees it. */
export type BodyOf<E extends Endpoint> = E extends { body: infer S }
  ? S extends z.ZodType
    ? z.output<S>
    : Uint8Array
  : undefined;

export type AnswerOf<E extends Endpoint> = E["answer"] extends z.ZodType
  ? z.output<E["answer"]>
  : E["answer"] extends "text"
    ? string
    : never;

/** Optional if all of its fields are. */
type Part<Name extends string, Value> =
  Partial<Value> extends Value ? { [Key in Name]?: Value } : { [Key in Name]: Value };

/** The caller's input: path parameters, query and body, if the endpoint has them. */
export type CallInput<E extends Endpoint> = ([ParamName<E["path"]>] extends [never]
  ? { params?: undefined }
  : { params: Params<E> }) &
  (E extends { query: infer S extends z.ZodType } ? Part<"query", z.input<S>> : { query?: undefined }) &
  (E extends { body: infer S }
    ? S extends z.ZodType
      ? Part<"body", z.input<S>>
      : { body: unknown }
    : { body?: undefined });
