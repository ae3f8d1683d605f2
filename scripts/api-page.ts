import * as z from "zod";
import type { Access, Endpoint } from "../src/protocol/endpoint.ts";
import { endpointAreas } from "../src/protocol/endpoints.ts";

/** The part of a JSON Schema that this page shows. */
interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  default?: unknown;
  description?: string;
}

const callers: Record<Access, string> = {
  open: "anyone on this machine, without a token",
  token: "",
  person: "a person",
  session: "a session or a person",
};

/** docs/api.md, generated from the table of endpoints. */
export function makeApiPage(): string {
  const areas = Object.entries(endpointAreas).map(([title, area]) =>
    [`## ${title}`, ...Object.values<Endpoint>(area).map(describeEndpoint)].join("\n\n"),
  );
  return `${head}\n\n${areas.join("\n\n")}\n\n${tail}\n`;
}

const head = `# API

Generated from \`src/protocol/endpoints/\` by \`npm run docs\`; a test checks that they match.

\`http://127.0.0.1:37777\` (\`daemon.json\` has the actual port), and the same over the unix socket \`run/rookery.sock\` in \`ROOKERY_HOME\`.

- Over TCP every route under \`/api\` needs \`Authorization: Bearer <content of the file token>\`; \`Host\` must be this daemon's, and so must
  \`Origin\` if there is one. Over the unix socket the folder's permissions are the authentication.
- "Access: a person": only over TCP, and only from a process that does not run under a coding agent; otherwise \`may_not_decide\`. "Access: a session or
  a person": a session names its process (\`hostPid\` or \`pid\`); without it, the session is found by the calling process (TCP only).
- Writes can be retried. The sender may choose the \`id\` (a UUID) of a message, task, session or event: a retry with the same id
  gets the same response, or \`id_taken\` if the content differs. Repeating a change has no effect; repeating a deletion returns \`404\`.
- Errors are \`{code, message, hint}\`; see [errors.md](errors.md). Times are epoch milliseconds. Bodies are JSON, at most 64 MB (64 KB where no token is needed). A connection with more than 16 unanswered requests is closed.
- \`?\` marks optional fields, \`= value\` defaults. \`GET /\`, \`GET /assets/:name\` and \`GET /notify-worker.js\` serve the viewer ([viewer.md](viewer.md)); TCP only.
- A note was called an observation in earlier versions: \`/api/observations…\` still works, and so does \`kind=observation\`. \`claudePid\` is the older name of \`hostPid\`.`;

const tail = `## Events

\`GET /api/events\` sends \`event.stored\`, \`session.started\`, \`session.completed\`, \`turn.ended\`, \`observation.stored\` (a note), \`summary.stored\`,
\`delivery.queued\`, \`delivery.injected\`, \`delivery.confirmed\`, \`question.opened\`, \`question.settled\`, \`presence.changed\`, \`message.sent\`,
\`message.received\`, \`message.failed\`, \`room.read\`, \`room.changed\`, \`task.changed\`, \`lease.changed\` and \`health.changed\`, each after its commit.

## Examples

\`\`\`sh
home=\${ROOKERY_HOME:-~/.rookery}
curl -s --unix-socket $home/run/rookery.sock http://localhost/api/status
curl -s -H "Authorization: Bearer $(cat $home/token)" http://127.0.0.1:37777/api/agents
\`\`\``;

function describeEndpoint({
  method,
  path,
  alias,
  access,
  summary,
  query,
  body,
  answer,
  status,
}: Endpoint): string {
  const lines = [`### \`${method} ${path}\``, "", summary];
  const facts = [
    ...(callers[access] ? [`Access: ${callers[access]}.`] : []),
    ...(alias ? [`Also \`${method} ${alias}\`.`] : []),
  ];
  if (facts.length > 0) lines.push("", facts.join(" "));
  lines.push("");
  if (query) lines.push("- Query:", ...describeFields(toSchema(query, "input")));
  if (body && body !== "bytes") lines.push(...describeBody(toSchema(body, "input")));
  lines.push(`- Response${status ? ` (${status})` : ""}: ${describeAnswer(answer)}`);
  return lines.join("\n");
}

function describeAnswer(answer: Endpoint["answer"]): string {
  if (answer === "text") return "text";
  if (answer === "lines") return "JSON Lines";
  if (answer === "events") return "server-sent events";
  return `\`${formatType(toSchema(answer, "output"))}\``;
}

function toSchema(schema: z.ZodType, io: "input" | "output"): Schema {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Schema;
}

function describeBody(schema: Schema): string[] {
  if (schema.anyOf) return ["- Body, one of:", ...schema.anyOf.map((one) => `  - \`${formatType(one)}\``)];
  if (!schema.properties) return [`- Body: \`${formatType(schema)}\``];
  return ["- Body:", ...describeFields(schema)];
}

function describeFields({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map(([name, field]) => {
    const isOptional = !required.includes(name);
    const fallback = field.default === undefined ? "" : ` = ${JSON.stringify(field.default)}`;
    const mark = isOptional && fallback === "" ? "?" : "";
    const text = field.description ? ` — ${field.description}` : "";
    return `  - \`${name}${mark}: ${formatType(field)}${fallback}\`${text}`;
  });
}

/** A type in TypeScript notation, shortened: fields of a primitive type are listed by name only. */
function formatType(schema: Schema): string {
  const { type, anyOf, items, properties, required = [], additionalProperties } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (anyOf) return anyOf.map(formatType).join(" | ");
  if (type === "array") return `[${formatType(items ?? {})}]`;
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => {
      const key = required.includes(name) ? name : `${name}?`;
      const text = formatType(field);
      return ["string", "number", "boolean", "integer", "any"].includes(text) ? key : `${key}: ${text}`;
    });
    return `{${fields.join(", ")}}`;
  }
  if (type === "object" && typeof additionalProperties === "object")
    return `{[name]: ${formatType(additionalProperties)}}`;
  return Array.isArray(type) ? type.join(" | ") : (type ?? "any");
}
