import type * as z from "zod";
import type {
  AgentView,
  DeliveryView,
  deliveryCreate,
  HookAnswer,
  SessionView,
  sessionCreate,
  sessionPatch,
} from "../protocol/api.ts";
import type { ConfigView } from "../protocol/config.ts";
import type { BusEvent } from "../protocol/bus-events.ts";
import type { StatusReport } from "../protocol/status.ts";
import type { Build } from "../shared/build.ts";
import type { Log } from "../shared/log.ts";
import type { CareBackend } from "./care-backend.ts";
import type { ImportBackend } from "./import-backend.ts";
import type { Caller, MailBackend } from "./mail-backend.ts";
import type { MemoryBackend } from "./memory-backend.ts";
import type { ModelBackend } from "./model-backend.ts";
import type { AskBackend } from "./ask-backend.ts";
import type { ChannelsBackend } from "./channels-backend.ts";
import type { Peer } from "./peer.ts";
import type { ReachBackend } from "./reach-backend.ts";
import type { ViewerBackend } from "./viewer-backend.ts";

export interface PostedHook {
  /** The event by its host's name, and the host where it is named. */
  event: string;
  host: string | undefined;
  raw: Uint8Array;
  id: string | undefined;
  hostPid: number | undefined;
}

/** What the routes need of the daemon. Routes hold no state: they translate. */
export interface Backend {
  log: Log;
  token: string;
  version: string;
  port(): number;
  /** Cheap: asked by whoever waits for us to come up. */
  health(): StatusReport["status"];
  status(): Promise<StatusReport>;
  postHook(posted: PostedHook): Promise<HookAnswer>;
  createSession(session: z.infer<typeof sessionCreate>): Promise<SessionView>;
  /** Newest first; with `before`, those older than that session. */
  listSessions(limit: number, before?: string): SessionView[];
  getSession(id: string): SessionView;
  patchSession(id: string, patch: z.infer<typeof sessionPatch>): Promise<SessionView>;
  /** The session that a host process is in now. */
  sessionOfPid(hostPid: number): SessionView;
  listAgents(): AgentView[];
  /** From whom is told by the caller: nobody speaks in an agent's name but that agent. */
  sendDelivery(
    delivery: Omit<z.infer<typeof deliveryCreate>, "hostPid">,
    caller: Caller,
  ): Promise<DeliveryView>;
  getDelivery(id: string): DeliveryView;
  listDeliveries(agent: string, limit: number): DeliveryView[];
  acknowledgeDelivery(id: string): DeliveryView;
  config(): ConfigView;
  /** Throws `may_not_decide` where the patch holds a person-only setting and the caller is no person. */
  patchConfig(patch: Record<string, unknown>, peer: Peer): Promise<ConfigView>;
  memory: MemoryBackend;
  model: ModelBackend;
  mail: MailBackend;
  importing: ImportBackend;
  care: CareBackend;
  reach: ReachBackend;
  asking: AskBackend;
  channels: ChannelsBackend;
  viewer: ViewerBackend;
  isOlderThan(other: Build): boolean;
  stop(reason: string): void;
  subscribe(listener: (seq: number, event: BusEvent) => void): () => void;
  since(seq: number): { seq: number; event: BusEvent }[];
}
