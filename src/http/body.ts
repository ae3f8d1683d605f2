import type { Context } from "hono";
import type * as z from "zod";
import { describeFirstIssue } from "../shared/describe-issue.ts";
import { AppError } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";

const mostBytes = 64 * 1024 * 1024;

/** Beyond this a sender is cut off in the middle; up to it, it gets to read why it was refused. */
const mostDropped = 4 * mostBytes;

/** The whole body. Of one that is too large nothing is kept, but it is heard out: who still writes cannot read. */
export async function readBytes(c: Context): Promise<Uint8Array> {
  const announced = Number(c.req.header("content-length") ?? 0);
  // The common case is read in one piece, without a stream in between: this is how other hosts post every event.
  if (announced > 0 && announced <= mostBytes) return new Uint8Array(await c.req.raw.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength;
    if (Math.max(size, announced) <= mostBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (size > mostDropped) break;
  }
  if (size > mostBytes) throw tooLarge(size);
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size);
}

function tooLarge(bytes: number): AppError {
  return new AppError("payload_too_large", `The body has ${bytes} bytes; at most ${mostBytes} are taken.`);
}

/** A JSON body of a known shape; an empty one counts as `{}`. */
export async function readBody<T extends z.ZodType>(c: Context, schema: T): Promise<z.infer<T>> {
  const text = new TextDecoder().decode(await readBytes(c));
  return checkShape(schema, renamePid(parseBody(text || "{}")));
}

/** Clients of earlier versions call `hostPid` `claudePid`. */
function renamePid(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("claudePid" in body)) return body;
  const { claudePid, ...rest } = body;
  return { hostPid: claudePid, ...rest };
}

function parseBody(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new AppError("invalid_json", `The body is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

export function checkShape<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AppError("invalid_payload", describeFirstIssue(parsed.error, "The body"));
}

/** `?limit=`, bounded. */
export function readLimit(c: Context, fallback: number, most: number): number {
  return Math.min(readCount(c, "limit") ?? fallback, most);
}

/** A number of things, as the query has it. */
export function readCount(c: Context, name: string): number | undefined {
  return readNumber(c, name, "a positive whole number", (count) => Number.isInteger(count) && count > 0);
}

/** A moment, as the query has it. */
export function readTime(c: Context, name: string): number | undefined {
  return readNumber(c, name, "a time in epoch milliseconds", Number.isFinite);
}

function readNumber(
  c: Context,
  name: string,
  what: string,
  fits: (value: number) => boolean,
): number | undefined {
  const text = c.req.query(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (fits(value)) return value;
  throw new AppError(
    "invalid_payload",
    `${name} must be ${what}, not ${JSON.stringify(text.slice(0, 100))}.`,
  );
}
