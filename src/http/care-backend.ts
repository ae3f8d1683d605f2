import type { ForgetReport, ForgetRequest } from "../protocol/care.ts";

/** What the routes that look after the store need of the daemon. */
export interface CareBackend {
  forget(request: ForgetRequest): Promise<ForgetReport>;
}
