/** What an error means to whoever has to act on it; every edge maps the kind, never the message text. */
export type ErrorKind = "invalid" | "denied" | "missing" | "conflict" | "unavailable" | "bug";

interface ErrorEntry {
  kind: ErrorKind;
  /** What to do next, ideally a command. */
  hint: string;
}

/** Every error a user can meet. `docs/errors.md` is held equal to this table by a test. */
export const errorRegistry = {
  invalid_json: { kind: "invalid", hint: "Send one whole JSON object, UTF-8." },
  invalid_payload: { kind: "invalid", hint: "See docs/api.md for the fields this call takes." },
  payload_too_large: { kind: "invalid", hint: "Send at most 64 MB in one call." },
  unknown_event: { kind: "invalid", hint: "See docs/hooks.md for the events that exist." },
  unknown_command: { kind: "invalid", hint: "Run `rookery --help` for the list of commands." },
  invalid_argument: { kind: "invalid", hint: "Add `--help` to the command to see what it takes." },
  invalid_config: {
    kind: "invalid",
    hint: "Run `rookery config --explain` to see every key and where its value comes from.",
  },
  answer_unfit: { kind: "invalid", hint: "Run `rookery questions ID` to see what the question takes." },
  invalid_secrets: {
    kind: "invalid",
    hint: "Mend or delete secrets.json in ROOKERY_HOME, then run the `rookery setup` it belongs to again.",
  },
  channel_refused: {
    kind: "invalid",
    hint: "Mend what it says (docs/slack.md), then run `rookery setup slack` again.",
  },
  unauthorized: {
    kind: "denied",
    hint: "Send `Authorization: Bearer <content of the token file in ROOKERY_HOME>`.",
  },
  code_not_valid: { kind: "denied", hint: "Run `rookery open` again: a code works once, within a minute." },
  forbidden_origin: {
    kind: "denied",
    hint: "Call the daemon by 127.0.0.1 or localhost, not from another site.",
  },
  home_not_private: { kind: "denied", hint: "Point ROOKERY_HOME to a directory that you own and can write." },
  may_not_decide: {
    kind: "denied",
    hint: "Do it in the viewer, in a paired chat, or in a terminal of your own: an agent may not decide for its person.",
  },
  route_not_found: { kind: "missing", hint: "See docs/api.md for the routes." },
  session_not_found: { kind: "missing", hint: "Run `rookery status` to see that events arrive." },
  agent_not_found: { kind: "missing", hint: "Run `rookery agents` for the names." },
  delivery_not_found: { kind: "missing", hint: "Run `rookery inbox` for what is waiting." },
  question_not_found: { kind: "missing", hint: "Run `rookery questions --all` for their ids." },
  room_not_found: { kind: "missing", hint: "Run `rookery rooms` and `rookery agents` for the names." },
  task_not_found: { kind: "missing", hint: "Run `rookery tasks` for what there is." },
  lease_not_found: { kind: "missing", hint: "Run `rookery leases` for what is held." },
  observation_not_found: { kind: "missing", hint: "Run `rookery search WORDS` to find it." },
  file_not_writable: {
    kind: "invalid",
    hint: "Give a file in a folder that exists and is yours to write to.",
  },
  file_not_found: { kind: "missing", hint: "Give a path that exists, absolute or from here." },
  line_not_found: { kind: "missing", hint: "Give the number of a line that the file has; the first is 1." },
  origin_not_found: {
    kind: "missing",
    hint: "Only edits made in sessions that Rookery watched are known; try `rookery search --file NAME WORDS`.",
  },
  person_not_found: { kind: "missing", hint: "Run `rookery pair --list` for who is paired." },
  message_not_found: { kind: "missing", hint: "Run `rookery outbox` for what is waiting or parked." },
  project_not_found: { kind: "missing", hint: "Run `rookery projects` for the names." },
  import_not_found: {
    kind: "missing",
    hint: "Name what is to be read: `rookery import transcripts FOLDER`, `claude-mem FILE` or `jsonl FILE`.",
  },
  claude_not_found: { kind: "missing", hint: "Install Claude Code, then run `rookery install`." },
  confirmation_needed: {
    kind: "conflict",
    hint: "Look at what would go, then add `--yes`. What is forgotten cannot be brought back.",
  },
  question_settled: {
    kind: "conflict",
    hint: "The first answer counts: `rookery questions --all` shows it.",
  },
  import_running: {
    kind: "conflict",
    hint: "Wait for it to end, or end it with Ctrl-C where it was started.",
  },
  model_off: { kind: "conflict", hint: "Run `rookery setup model`." },
  id_taken: { kind: "conflict", hint: "Make a new id: one id names one thing, as often as it is sent." },
  task_changed: { kind: "conflict", hint: "Look at the task again, then decide anew." },
  lease_taken: { kind: "conflict", hint: "Work elsewhere, wait, or write to the holder." },
  too_many_messages: {
    kind: "conflict",
    hint: "Wait for your user or for the time named; say more in one message.",
  },
  matrix_off: { kind: "unavailable", hint: "Set `matrix.enabled` to true and run `rookery restart`." },
  too_many_pairings: {
    kind: "conflict",
    hint: "Use one of the codes, or wait: each is good for an hour.",
  },
  daemon_running: { kind: "conflict", hint: "Run `rookery restart` to replace it." },
  settings_unreadable: {
    kind: "conflict",
    hint: "Fix the JSON in the file, then run the command again; or add the entries by hand: docs/install.md.",
  },
  registered_already: {
    kind: "conflict",
    hint: "Add `--replace` to move it here, or run `rookery uninstall` first: two would fire every hook twice.",
  },
  schema_newer: {
    kind: "conflict",
    hint: "This database was written by a newer Rookery: update, then start again.",
  },
  migration_failed: {
    kind: "conflict",
    hint: "The database is as it was before. Run `rookery doctor`, then report the log lines.",
  },
  daemon_unreachable: {
    kind: "unavailable",
    hint: "Run `rookery start`, then `rookery logs` if it does not come up.",
  },
  channel_unreachable: {
    kind: "unavailable",
    hint: "Try again when the service can be reached; `rookery doctor` tells how it goes.",
  },
  daemon_start_failed: { kind: "unavailable", hint: "Run `rookery doctor`." },
  matrix_refused: {
    kind: "denied",
    hint: "Run `rookery setup matrix` with a token or a user and password that the homeserver takes.",
  },
  homeserver_unavailable: {
    kind: "unavailable",
    hint: "Run `rookery status`, then `rookery logs` for what the homeserver said; `rookery restart` starts it again.",
  },
  store_full: {
    kind: "unavailable",
    hint: "Free some disk space; capture resumes by itself and nothing spooled is lost.",
  },
  model_failed: {
    kind: "unavailable",
    hint: "Check provider, model and key with `rookery setup model`; memory goes on without one meanwhile.",
  },
  runtime_too_old: {
    kind: "unavailable",
    hint: "Run it again: another Node is looked for. It takes 22.16 or newer, or ROOKERY_NODE set to one.",
  },
  settings_not_written: {
    kind: "unavailable",
    hint: "See that you may write there and that there is space, then run the command again.",
  },
  package_damaged: {
    kind: "unavailable",
    hint: "A file is missing or was changed: install the package again; in a clone, run `npm start`.",
  },
  plugin_failed: { kind: "unavailable", hint: "Run `claude plugin validate plugin` and `rookery doctor`." },
  internal: { kind: "bug", hint: "Run `rookery logs` and report the line with this id." },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorRegistry;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorRegistry, code);
}

/** The one error class: a code from the registry, a message with values, the cause kept. */
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

/** Anything thrown, as an AppError: what we did not foresee is a bug. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AppError("internal", message, { cause: thrown });
}
