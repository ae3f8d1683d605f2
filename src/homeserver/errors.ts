/** Every Matrix error code of this server with its default HTTP status. Codes are defined only here. */
export const matrixErrors = {
  M_FORBIDDEN: 403,
  M_UNKNOWN_TOKEN: 401,
  M_MISSING_TOKEN: 401,
  M_UNAUTHORIZED: 401,
  M_USER_DEACTIVATED: 403,
  M_BAD_JSON: 400,
  M_NOT_JSON: 400,
  M_NOT_FOUND: 404,
  M_LIMIT_EXCEEDED: 429,
  M_UNRECOGNIZED: 404,
  M_UNKNOWN: 400,
  M_USER_IN_USE: 400,
  M_INVALID_USERNAME: 400,
  M_ROOM_IN_USE: 409,
  M_GUEST_ACCESS_FORBIDDEN: 403,
  M_UNSUPPORTED_ROOM_VERSION: 400,
  M_INVALID_ROOM_STATE: 400,
  M_BAD_ALIAS: 400,
  M_MISSING_PARAM: 400,
  M_INVALID_PARAM: 400,
  M_TOO_LARGE: 413,
  M_CANNOT_OVERWRITE_MEDIA: 409,
  M_NOT_YET_UPLOADED: 504,
  M_WRONG_ROOM_KEYS_VERSION: 403,
  M_WEAK_PASSWORD: 400,
  M_INVALID_SIGNATURE: 400,
  M_DUPLICATE_ANNOTATION: 400,
  M_UNKNOWN_POS: 400,
} as const satisfies Record<string, number>;

export type MatrixCode = keyof typeof matrixErrors;

interface MatrixErrorOptions {
  /** Overrides the default status where the specification requires it. */
  status?: number;
  /** Additional fields of the response, such as `retry_after_ms`. */
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** Thrown by handlers to reject a request; sent as `{errcode, error}`. */
export class MatrixError extends Error {
  readonly code: MatrixCode;
  readonly status: number;
  readonly fields: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(code: MatrixCode, message: string, options: MatrixErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "MatrixError";
    this.code = code;
    this.status = options.status ?? matrixErrors[code];
    this.fields = options.fields ?? {};
    this.headers = options.headers ?? {};
  }
}

export function refuse(code: MatrixCode, message: string, options?: MatrixErrorOptions): never {
  throw new MatrixError(code, message, options);
}

export function limitExceeded(retryAfterMs: number): MatrixError {
  const wait = Math.max(1, Math.ceil(retryAfterMs));
  return new MatrixError("M_LIMIT_EXCEEDED", "Too many requests.", {
    fields: { retry_after_ms: wait },
    headers: { "Retry-After": String(Math.ceil(wait / 1000)) },
  });
}

/** The error of a request that could not be stored because the disk is full. Clients retry after a 5xx. */
export function diskFull(cause: unknown): MatrixError {
  return new MatrixError("M_UNKNOWN", "The server's disk is full. Nothing was stored; retry later.", {
    status: 507,
    cause,
  });
}

export function tooLarge(maxBytes: number): MatrixError {
  return new MatrixError("M_TOO_LARGE", `The body is larger than ${maxBytes} bytes.`);
}
