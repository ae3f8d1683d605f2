import type { IncomingMessage } from "node:http";
import type * as z from "zod";
import type { Endpoint } from "../protocol/endpoint.ts";
import { describeFirstIssue } from "../shared/describe-issue.ts";
import { AppError } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";

const maxBodyBytes = 64 * 1024 * 1024;
/** Limit for endpoints that need no token. */
const maxOpenBytes = 64 * 1024;

/** An oversized body is read and dropped up to this multiple, so that its sender can read the error response. */
const droppedRatio = 4;

export function bodyLimitOf({ access }: Pick<Endpoint, "access">): number {
  return access === "open" ? maxOpenBytes : maxBodyBytes;
}

/**
 * Reads the whole body. One that is too large is read to its end and dropped, because a client that is still writing
 * cannot read the response.
 */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const announced = Number(request.headers["content-length"] ?? 0);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (Math.max(size, announced) <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (size > droppedRatio * maxBytes) break; // Closes the connection.
  }
  if (size > maxBytes) throw makeTooLarge(size, maxBytes);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
}

function makeTooLarge(bytes: number, limit: number): AppError {
  return new AppError("payload_too_large", `The body has ${bytes} bytes; the limit is ${limit}.`);
}

/** A JSON body of a known shape; an empty one counts as `{}`. */
export async function readBody(
  request: IncomingMessage,
  schema: z.ZodType,
  maxBytes: number,
): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(request, maxBytes));
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
