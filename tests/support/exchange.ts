import { request, type RequestOptions } from "node:http";

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: any;
}

/** One HTTP request on a connection of its own, with any headers; `fetch` sets Host itself. */
export function exchange(
  where: RequestOptions,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const payload =
    body === undefined || typeof body === "string" || body instanceof Uint8Array
      ? body
      : JSON.stringify(body);
  // Node announces no body of a GET or DELETE on its own.
  const length =
    payload === undefined || "transfer-encoding" in headers
      ? {}
      : { "content-length": Buffer.byteLength(payload) };
  return new Promise((resolve, reject) => {
    const all = { ...length, ...headers };
    const outgoing = request({ ...where, method, path, headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: tryParse(text) });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(payload);
  });
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the test reads the text.
  }
}
