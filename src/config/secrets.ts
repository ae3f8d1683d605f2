import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { AppError } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";

const hubConnection = z.strictObject({
  host: z.string().min(1),
  port: z.number().int(),
  database: z.string().min(1),
  user: z.string().min(1),
  password: z.string(),
  isPlain: z.boolean(),
  ca: z.string().optional(),
});

/**
 * Values that must not be in `config.json`: readable by this user only, never logged, never returned by the API. One
 * group per capability.
 */
const secretsSchema = z.strictObject({
  model: z
    .strictObject({
      /** By address, so that a key is never sent to another one. */
      keys: z.record(z.string().min(1), z.string().min(1)).default({}),
    })
    .prefault({}),
  slack: z
    .strictObject({
      botToken: z.string().min(1).optional(),
      appToken: z.string().min(1).optional(),
    })
    .prefault({}),
  telegram: z.strictObject({ botToken: z.string().min(1).optional() }).prefault({}),
  discord: z.strictObject({ botToken: z.string().min(1).optional() }).prefault({}),
  ntfy: z
    .strictObject({
      /** Everyone who knows the names can read and write them. */
      topic: z.string().min(1).optional(),
      answerTopic: z.string().min(1).optional(),
      token: z.string().min(1).optional(),
    })
    .prefault({}),
  webhook: z.strictObject({ secret: z.string().min(1).optional() }).prefault({}),
  matrix: z
    .strictObject({
      /** For an existing homeserver: a token, or a user with a password. */
      accessToken: z.string().min(1).optional(),
      user: z.string().min(1).optional(),
      password: z.string().min(1).optional(),
      /** Password of our own account on the `managed` homeserver. */
      managedPassword: z.string().min(1).optional(),
    })
    .prefault({}),
  hub: z
    .strictObject({
      /** How this machine connects, with its own password. */
      connection: hubConnection.optional(),
      /** How its administrator connects; only on the machine where the hub was created. */
      administration: hubConnection.optional(),
    })
    .prefault({}),
});

export type Secrets = z.infer<typeof secretsSchema>;

/** Empty if there is no file. Errors name the invalid key, never its value. */
export function readSecrets(path: string): Secrets {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
    if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return secretsSchema.parse({});
    throw new AppError("invalid_secrets", `Cannot read ${path}: ${(error as Error).message}`);
  }
  const parsed = secretsSchema.safeParse(parseSecrets(path, text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const keys = issue?.code === "unrecognized_keys" ? issue.keys : [];
  const place = [...(issue?.path ?? []), ...keys.slice(0, 1)].join(".") || "(root)";
  throw new AppError("invalid_secrets", `${path}: ${place} is not valid.`);
}

/** Reads, changes and writes atomically, so that a crash leaves the old file. */
export function updateSecrets(path: string, change: (secrets: Secrets) => void): void {
  const secrets = readSecrets(path);
  change(secrets);
  const written = `${path}.${process.pid}`;
  try {
    writeFileSync(written, `${JSON.stringify(secretsSchema.parse(secrets), null, 2)}\n`, { mode: 0o600 });
    renameSync(written, path);
  } finally {
    rmSync(written, { force: true });
  }
}

/** Drops the parser's message, because it quotes the text. */
function parseSecrets(path: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new AppError("invalid_secrets", `${path} is not valid JSON.`);
  }
}
