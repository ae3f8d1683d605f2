import type * as z from "zod";
import type {
  LeaseView,
  leaseCreate,
  MatrixView,
  MemberView,
  MessageView,
  messageCreate,
  PersonView,
  personCreate,
  RoomView,
  roomCreate,
  TaskView,
  taskCreate,
  taskPatch,
} from "../protocol/mail.ts";
import type { Peer } from "./peer.ts";

/** Who asks: the session's process as it says itself, else the connection that tells. */
export interface Caller {
  hostPid: number | undefined;
  peer: Peer;
}

/** What the routes need of mail. Whoever says something is told apart by the caller. */
export interface MailBackend {
  rooms(): RoomView[];
  createRoom(room: z.infer<typeof roomCreate>, caller: Caller): Promise<RoomView>;
  setKeepDays(room: string, days: number | null, caller: Caller): Promise<RoomView>;
  /** Who is in it, as the homeserver has it. */
  members(room: string): Promise<MemberView[]>;
  /** The person has read it to its end. */
  markRead(room: string, caller: Caller): Promise<RoomView>;
  /** Newest first. */
  history(room: string, limit: number, before: number | undefined): MessageView[];
  /** What was said to the person by others, newest first. */
  inbox(limit: number, before: number | undefined): MessageView[];
  send(message: z.infer<typeof messageCreate>, caller: Caller): Promise<MessageView>;
  tasks(project: string | undefined, limit: number): TaskView[];
  createTask(task: z.infer<typeof taskCreate>, caller: Caller): Promise<TaskView>;
  changeTask(id: string, patch: z.infer<typeof taskPatch>, caller: Caller): Promise<TaskView>;
  leases(project: string | undefined): LeaseView[];
  takeLease(lease: z.infer<typeof leaseCreate>): LeaseView;
  /** By whoever holds it, or by a person. */
  releaseLease(id: string, caller: Caller): Promise<LeaseView>;
  matrix(): Promise<MatrixView>;
  /** Somebody who signs in with a client of their own: only a person may let one in, or an agent could pose as one. */
  invite(person: z.infer<typeof personCreate>, caller: Caller): Promise<PersonView>;
}
