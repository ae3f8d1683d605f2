import type * as z from "zod";
import type {
  LeaseView,
  leaseCreate,
  MatrixView,
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

/** What the routes need of mail. */
export interface MailBackend {
  rooms(): RoomView[];
  createRoom(room: z.infer<typeof roomCreate>): Promise<RoomView>;
  setKeepDays(room: string, days: number | null): RoomView;
  /** Newest first. */
  history(room: string, limit: number, before: number | undefined): MessageView[];
  send(message: z.infer<typeof messageCreate>): Promise<MessageView>;
  tasks(project: string | undefined, limit: number): TaskView[];
  createTask(task: z.infer<typeof taskCreate>): TaskView;
  changeTask(id: string, patch: z.infer<typeof taskPatch>): TaskView;
  leases(project: string | undefined): LeaseView[];
  takeLease(lease: z.infer<typeof leaseCreate>): LeaseView;
  /** By whoever holds it, or by a person. */
  releaseLease(id: string, claudePid: number | undefined): LeaseView;
  matrix(): Promise<MatrixView>;
  /** Somebody who signs in with a client of their own. */
  invite(person: z.infer<typeof personCreate>): Promise<PersonView>;
}
