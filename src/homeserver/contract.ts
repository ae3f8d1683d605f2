// The types that the daemon shares with the homeserver's thread.
import type { Clock } from "../shared/clock.ts";
import type { Log } from "../shared/log.ts";

interface Limits {
  /** Write requests per user and second; 0 is no limit. */
  writesPerSecond: number;
  /** Concurrent long polls, in total and per user. */
  waiting: number;
  waitingPerUser: number;
  /** Maximum size of an upload. */
  mediaBytes: number;
}

export interface ServiceOptions {
  serverName: string;
  mediaFolder: string;
  limits: Limits;
  isRegistrationOpen: boolean;
  clock: Clock;
}

export interface HomeserverOptions extends ServiceOptions {
  database: string;
  migrations: URL;
  host: string;
  /** Tried in order; 0 is any free port. With an empty list the server opens its database without listening. */
  ports: readonly number[];
  /** The address advertised to clients; defaults to the address listened on. */
  publicUrl: string | undefined;
  log: Log;
}

/** The administration interface: in-process calls only, never over the network. */
export interface HomeserverControl {
  /** Returns a new access token and revokes the previous one. Creates the user, without a password, if needed. */
  ensureUser(input: { localpart: string; displayName?: string | undefined }): SignedIn;
  /** Sets the password that the user signs in with. Creates the user if needed. */
  setPassword(input: { localpart: string; password: string }): Promise<{ userId: string; isNew: boolean }>;
  setRegistration(input: { isOpen: boolean }): void;
  stats(): HomeserverStats;
  /** Redacts the requested content and erases it from the disk. */
  erase(request: ErasureRequest): Promise<ErasureReport>;
}

export interface SignedIn {
  userId: string;
  deviceId: string;
  accessToken: string;
}

export interface HomeserverStats {
  users: number;
  rooms: number;
  events: number;
  /** Open long polls. */
  waiting: number;
  isRegistrationOpen: boolean;
}

/** The content to erase. */
export interface ErasureRequest {
  /** Source of a regular expression with the flags `iu`; everything that matches is erased. */
  pattern?: string | undefined;
  /** Events by id, with their edits and attachments. */
  events?: readonly string[] | undefined;
  /** Messages sent in this period. */
  span?: { from: number; to: number } | undefined;
  /** Limits `pattern` and `span` to these rooms; default: all rooms. */
  rooms?: readonly string[] | undefined;
  /** Media files by id. */
  media?: readonly string[] | undefined;
  /** Rooms and users to remove completely. */
  goneRooms?: readonly string[] | undefined;
  goneUsers?: readonly string[] | undefined;
  /** Only count the matches. */
  isRehearsal?: boolean | undefined;
}

export interface ErasureReport {
  events: number;
  media: number;
  /** Rows of other tables. */
  rows: number;
}
