/** The category of an error. Every edge maps the kind to its own code, never the message text. */
export type ErrorKind = "invalid" | "denied" | "missing" | "conflict" | "unavailable" | "bug";

interface ErrorEntry {
  kind: ErrorKind;
  /** The next step, ideally a command. */
  hint: string;
}

/** Every error that users can see. A test keeps `docs/errors.md` equal to this table. */
export const errorRegistry = {
  host_not_found: { kind: "missing", hint: "Install it, then run `rookery install --host NAME` again." },
  invalid_json: { kind: "invalid", hint: "Send one complete JSON object in UTF-8." },
  invalid_payload: { kind: "invalid", hint: "See docs/api.md for the fields of this call." },
  payload_too_large: { kind: "invalid", hint: "Send at most 64 MB in one call, 64 KB without a token." },
  unknown_event: { kind: "invalid", hint: "See docs/hooks.md for the list of events." },
  unknown_command: { kind: "invalid", hint: "Run `rookery --help` for the list of commands." },
  invalid_argument: { kind: "invalid", hint: "Add `--help` to the command to see its arguments." },
  invalid_config: {
    kind: "invalid",
    hint: "Run `rookery config --explain` to see every key and where its value comes from.",
  },
  answer_invalid: { kind: "invalid", hint: "Run `rookery questions ID` to see which answers are possible." },
  invalid_secrets: {
    kind: "invalid",
    hint: "Fix or delete secrets.json in ROOKERY_HOME, then run the matching `rookery setup` again.",
  },
  channel_refused: {
    kind: "invalid",
    hint: "Fix the reported problem (docs/reaching-you.md), then run `rookery setup` again.",
  },
  unauthorized: {
    kind: "denied",
    hint: "Send `Authorization: Bearer <content of the token file in ROOKERY_HOME>`.",
  },
  code_not_valid: { kind: "denied", hint: "Run `rookery open` again: a code works once, within a minute." },
  forbidden_origin: {
    kind: "denied",
    hint: "Call the daemon at 127.0.0.1 or localhost, not from another site.",
  },
  home_not_private: { kind: "denied", hint: "Point ROOKERY_HOME to a directory that you own and can write." },
  not_your_session: {
    kind: "denied",
    hint: "Send it from the session itself, over TCP. A session that was open during an upgrade must be restarted.",
  },
  may_not_decide: {
    kind: "denied",
    hint: "Do this in the viewer, in a paired chat or in your own terminal: an agent may not decide for you.",
  },
  route_not_found: { kind: "missing", hint: "See docs/api.md for the routes." },
  session_not_found: { kind: "missing", hint: "Run `rookery status` to check that events arrive." },
  agent_not_found: { kind: "missing", hint: "Run `rookery agents` for the names." },
  delivery_not_found: { kind: "missing", hint: "Run `rookery inbox` for the waiting deliveries." },
  question_not_found: { kind: "missing", hint: "Run `rookery questions --all` for their ids." },
  room_not_found: { kind: "missing", hint: "Run `rookery rooms` and `rookery agents` for the names." },
  task_not_found: { kind: "missing", hint: "Run `rookery tasks` for the list." },
  lease_not_found: { kind: "missing", hint: "Run `rookery leases` for the list." },
  observation_not_found: { kind: "missing", hint: "Run `rookery search WORDS` to find it." },
  file_not_writable: {
    kind: "invalid",
    hint: "Choose a file in an existing folder that you can write to.",
  },
  backup_not_found: {
    kind: "missing",
    hint: "A copy is made once a day while the daemon runs, unless retention.dailyBackup is off.",
  },
  file_not_found: { kind: "missing", hint: "Use an existing path, absolute or relative to this folder." },
  line_not_found: { kind: "missing", hint: "Use an existing line number; the first line is 1." },
  origin_not_found: {
    kind: "missing",
    hint: "Only edits from recorded sessions are known. Try `rookery search --file NAME WORDS`.",
  },
  person_not_found: { kind: "missing", hint: "Run `rookery pair --list` for the paired people." },
  message_not_found: { kind: "missing", hint: "Run `rookery outbox` for the waiting and parked messages." },
  project_not_found: { kind: "missing", hint: "Run `rookery projects` for the names." },
  import_not_found: {
    kind: "missing",
    hint: "Use `rookery import transcripts FOLDER`, `rookery import claude-mem FILE` or `rookery import jsonl FILE`.",
  },
  claude_not_found: { kind: "missing", hint: "Install Claude Code, then run `rookery install`." },
  confirmation_needed: {
    kind: "conflict",
    hint: "Check the list of what would be deleted, then add `--yes`. This cannot be undone.",
  },
  question_settled: {
    kind: "conflict",
    hint: "The first answer counts: `rookery questions --all` shows it.",
  },
  import_running: {
    kind: "conflict",
    hint: "Wait until it is finished, or stop it with Ctrl-C in the terminal that started it.",
  },
  hub_off: { kind: "conflict", hint: "Join a hub first: `rookery hub join CODE` (docs/team.md)." },
  hub_exists: { kind: "conflict", hint: "Run `rookery hub leave` first, or use another database." },
  model_off: { kind: "conflict", hint: "Run `rookery setup model`." },
  id_taken: { kind: "conflict", hint: "Use a new id: sending an id again only repeats the same request." },
  task_changed: { kind: "conflict", hint: "Read the task again, then decide." },
  lease_taken: { kind: "conflict", hint: "Work elsewhere, wait, or write to the holder." },
  too_many_messages: {
    kind: "conflict",
    hint: "Wait for your user or until the given time, and put more into one message.",
  },
  matrix_off: { kind: "unavailable", hint: "Set `matrix.enabled` to true and run `rookery restart`." },
  too_many_pairings: {
    kind: "conflict",
    hint: "Use one of the codes, or wait: each expires after an hour.",
  },
  daemon_running: { kind: "conflict", hint: "Run `rookery restart` to replace it." },
  settings_unreadable: {
    kind: "conflict",
    hint: "Fix the JSON in the file and run the command again, or add the entries by hand: docs/install.md.",
  },
  registered_already: {
    kind: "conflict",
    hint: "Add `--replace` to move it here, or run `rookery uninstall` first: with two, every hook would fire twice.",
  },
  schema_newer: {
    kind: "conflict",
    hint: "A newer Rookery wrote this database: update, then start again.",
  },
  migration_failed: {
    kind: "conflict",
    hint: "The database is unchanged. Run `rookery doctor`, then report the log lines.",
  },
  store_closed: { kind: "unavailable", hint: "The daemon stops or restarts: try again in a moment." },
  daemon_unreachable: {
    kind: "unavailable",
    hint: "Run `rookery start`, then `rookery logs` if it does not come up.",
  },
  channel_unreachable: {
    kind: "unavailable",
    hint: "Try again when the service is reachable; `rookery doctor` shows its state.",
  },
  daemon_start_failed: { kind: "unavailable", hint: "Run `rookery doctor`." },
  hub_refused: {
    kind: "denied",
    hint: "Ask the administrator of the hub for access, or for a new invitation (docs/team.md).",
  },
  hub_unreachable: {
    kind: "unavailable",
    hint: "Try again when the database is reachable; until then everything works locally.",
  },
  hub_without_tls: {
    kind: "invalid",
    hint: "Turn on TLS on the server, or add ?sslmode=disable only for a database on this machine (docs/team.md).",
  },
  matrix_refused: {
    kind: "denied",
    hint: "Run `rookery setup matrix` with a token or a user and password that the homeserver accepts.",
  },
  homeserver_unavailable: {
    kind: "unavailable",
    hint: "Run `rookery status`, then `rookery logs` for the homeserver's messages; `rookery restart` restarts it.",
  },
  store_full: {
    kind: "unavailable",
    hint: "Free some disk space; capture resumes on its own and nothing spooled is lost.",
  },
  embeddings_failed: {
    kind: "unavailable",
    hint: "Check URL, model and key with `rookery setup embeddings`; until then, search uses the built-in table.",
  },
  model_failed: {
    kind: "unavailable",
    hint: "Check provider, model and key with `rookery setup model`; until then, memory works without a model.",
  },
  runtime_too_old: {
    kind: "unavailable",
    hint: "Run the command again: it looks for another Node. It needs 22.16 or newer; ROOKERY_NODE can name one.",
  },
  settings_not_written: {
    kind: "unavailable",
    hint: "Check the permissions and the disk space, then run the command again.",
  },
  package_damaged: {
    kind: "unavailable",
    hint: "A file is missing or was changed. Install the package again; in a clone, run `npm start`.",
  },
  plugin_failed: { kind: "unavailable", hint: "Run `claude plugin validate plugin` and `rookery doctor`." },
  internal: { kind: "bug", hint: "Run `rookery logs` and report the line with this id." },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorRegistry;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorRegistry, code);
}

/** The only error class: a code from the registry, a message with values, and the cause. */
export class AppError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "AppError";
    this.code = code;
  }

  get kind(): ErrorKind {
    return errorRegistry[this.code].kind;
  }

  get hint(): string {
    return errorRegistry[this.code].hint;
  }
}

/** Converts anything thrown; an unexpected error counts as a bug. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AppError("internal", message, { cause: thrown });
}
