import type { Context } from "hono";
import type * as z from "zod";
import { describeFirstIssue } from "../shared/describe-issue.ts";
import { AppError } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";

const maxBytes = 64 * 1024 * 1024;

/** Up to this size an oversized body is read and dropped, so that its sender can read the error response. */
const maxDropped = 4 * maxBytes;

/**
 * Reads the whole body. One that is too large is read to its end and dropped, because a client that is still writing
 * cannot read the response.
 */
export async function readBytes(c: Context): Promise<Uint8Array> {
  const announced = Number(c.req.header("content-length") ?? 0);
  // The common case is read in one piece, without a stream: other hosts post every event this way.
  if (announced > 0 && announced <= maxBytes) return new Uint8Array(await c.req.raw.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength;
    if (Math.max(size, announced) <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (size > maxDropped) break;
  }
  if (size > maxBytes) throw makeTooLarge(size);
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size);
}

function makeTooLarge(bytes: number): AppError {
  return new AppError("payload_too_large", `The body has ${bytes} bytes; the limit is ${maxBytes}.`);
}

/** A JSON body of a known shape; an empty one counts as `{}`. */
export async function readBody(c: Context, schema: z.ZodType): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(c));
  return checkShape(schema, renamePid(parseBody(text || "{}")), "The body");
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

export function checkShape(schema: z.ZodType, value: unknown, whole: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AppError("invalid_payload", describeFirstIssue(parsed.error, whole));
}
