import { findConflicts, type Lease, type LeaseArbiter } from "../../domain/mail/lease.ts";
import type { HubLease, HubSession } from "../../hub/hub-session.ts";
import { AppError } from "../../shared/errors.ts";
import type { HubLink } from "../../store/hub.ts";
import { valueWithin } from "../runtime/value-within.ts";
import type { HubLine } from "./hub-line.ts";
import { type HubMachine, readMachine } from "./identity.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface HubLeasesDeps extends Pick<DaemonContext, "store" | "clock" | "log"> {
  line: HubLine;
}

export interface HubLeases extends LeaseArbiter {
  /** Stores the leases of other machines, so that agents here are warned before they edit those files. */
  follow(session: HubSession, machine: HubMachine, link: HubLink): Promise<void>;
}

/** An agent waits for the answer. */
const maxMs = 2_000;
/** Each attempt fails only if another machine has changed the project's leases since they were read. */
const maxAttempts = 50;

/** The hub arbitrates leases of shared projects: it numbers every change, and refuses one that is based on an old number. */
export function makeHubLeases({ store, clock, log, line }: HubLeasesDeps): HubLeases {
  const followed = new Map<string, Set<string>>();

  function findLink(projectId: string): HubLink | undefined {
    const isJoined = readMachine(store.meta)?.state === "joined";
    return isJoined ? store.hub.linkOf(projectId) : undefined;
  }

  function toLease({ id, globs, isExclusive, secondsLeft, ...by }: HubLease, projectId: string): Lease {
    const expiresAt = Math.round(clock() + secondsLeft * 1_000);
    const holder = `${by.holder}@${by.deviceName} (${by.author})`;
    return { id, projectId, holder, globs, isExclusive, expiresAt, fence: 0, taskId: null };
  }

  async function take({ hubId, projectId }: HubLink, lease: Lease, holder: string): Promise<void> {
    const session = await line.session();
    const device = readMachine(store.meta)?.device;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { fence, leases } = await session.leases(hubId);
      // The leases of this machine were compared when this one was granted here.
      const others = leases.filter((each) => each.device !== device).map((each) => toLease(each, projectId));
      const [taken] = findConflicts(lease, others, clock());
      if (taken) throw new AppError("lease_taken", `${taken.holder} holds ${taken.globs.join(", ")}.`);
      const seconds = Math.max(1, Math.ceil((lease.expiresAt - clock()) / 1_000));
      const { id, globs, isExclusive } = lease;
      if (await session.takeLease(hubId, fence, { id, holder, globs, isExclusive, seconds })) return;
    }
    throw new AppError("hub_unreachable", "The project's leases change too often.");
  }

  async function follow(session: HubSession, device: string, { hubId, projectId }: HubLink): Promise<void> {
    const { leases } = await session.leases(hubId);
    const foreign = leases.filter((each) => each.device !== device).map((each) => toLease(each, projectId));
    const before = followed.get(hubId) ?? new Set();
    const now = new Set(foreign.map(({ id }) => id));
    followed.set(hubId, now);
    store.db.transaction(() => {
      for (const { fence: _, ...lease } of foreign) {
        if (store.leases.byId(lease.id)) store.leases.extend(lease.id, lease.expiresAt);
        else store.leases.insert(lease, clock());
      }
      for (const id of before) if (!now.has(id)) store.leases.remove(id);
    });
  }

  return {
    async grant(lease, holder) {
      const link = findLink(lease.projectId);
      if (!link) return null;
      try {
        const isKnown = await valueWithin(
          take(link, lease, holder).then(() => true),
          maxMs,
        );
        return isKnown ? "everywhere" : "here";
      } catch (error) {
        if (error instanceof AppError && error.code === "lease_taken") throw error;
        log.warn("a lease is only known on this machine", { error });
        return "here";
      }
    },
    async release({ id, projectId }) {
      const link = findLink(projectId);
      if (!link) return;
      const released = line.session().then((session) => session.releaseLease(link.hubId, id));
      await valueWithin(released, maxMs).catch(() => undefined); // It expires.
    },
    async refresh(projectId) {
      const link = findLink(projectId);
      const machine = readMachine(store.meta);
      if (!link || !machine) return false;
      const refreshed = line.session().then(async (session) => {
        await follow(session, machine.device, link);
        return true;
      });
      return (await valueWithin(refreshed, maxMs).catch(() => false)) ?? false;
    },
    follow: (session, { device }, link) => follow(session, device, link),
  };
}
