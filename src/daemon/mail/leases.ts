import { dirname } from "node:path";
import { findConflicts, findHolder, coversPath, type Lease } from "../../domain/mail/lease.ts";
import { redactText } from "../../redact/redact-text.ts";
import type { Clock } from "../../shared/clock.ts";
import { defuseAttribute, defuseLine } from "../../shared/defuse.ts";
import { AppError } from "../../shared/errors.ts";
import { makeId } from "../../shared/ids.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { Bus } from "../runtime/bus.ts";
import type { Contribution, HookMoment } from "../capture/hook-reply.ts";
import { relativeToCheckout } from "../identity/project.ts";

interface LeaseRequest {
  globs: string[];
  isExclusive: boolean;
  ttlMs: number;
  taskId: string | null;
}

/** Leases on files. The daemon arbitrates: one writer, one order. */
export interface Leases {
  /** Grants the lease, or throws `lease_taken` with the names of the holders. Asking again extends it. */
  take(agent: AgentRow, project: ProjectRow, request: LeaseRequest): Lease;
  /** `isOver`: it had ended before, so there is nothing to announce. */
  release(id: string, agent: AgentRow | undefined): { lease: Lease; isOver: boolean };
  listActive(projectId?: string): Lease[];
  /**
   * A hook contributor: warns when an agent edits a file that another has leased, or denies it if the project is
   * configured so.
   */
  contribute(moment: HookMoment, nowMs: number, room: number): Contribution | undefined;
}

/** Maximum length of patterns and paths in a warning, in characters. */
const maxShown = 500;

export function openLeases(store: Store, bus: Bus, clock: Clock): Leases {
  const nameOf = (agentId: string): string => store.agents.byId(agentId)?.name ?? defuseAttribute(agentId);

  function announce(lease: Lease, isReleased: boolean): void {
    const { id: leaseId, globs, holder } = lease;
    bus.publish({ type: "lease.changed", leaseId, holder: nameOf(holder), globs, isReleased });
  }

  function grant(agent: AgentRow, project: ProjectRow, request: LeaseRequest): Lease {
    const { isExclusive, ttlMs } = request;
    const taskId = request.taskId === null ? null : redactText(request.taskId).text;
    const globs = request.globs.map((glob) => redactText(glob).text);
    const running = store.leases.listActive(clock(), project.id);
    const wish = { projectId: project.id, holder: agent.id, globs, isExclusive };
    const conflicts = findConflicts(wish, running, clock());
    if (conflicts.length > 0) throw new AppError("lease_taken", describeConflicts(conflicts));
    const expiresAt = clock() + ttlMs;
    const same = running.find(
      (lease) =>
        lease.holder === agent.id &&
        lease.isExclusive === isExclusive &&
        JSON.stringify(lease.globs) === JSON.stringify(globs),
    );
    if (!same) return store.leases.insert({ ...wish, id: makeId(clock()), expiresAt, taskId }, clock());
    store.leases.extend(same.id, expiresAt);
    return { ...same, expiresAt };
  }

  function describeConflicts(conflicts: readonly Lease[]): string {
    return conflicts
      .map((lease) => `${nameOf(lease.holder)} holds ${listGlobs(lease)} for ${formatMinutesLeft(lease)}.`)
      .join(" ");
  }

  /** Any member of the project's room can take a lease, so its patterns are untrusted. */
  function listGlobs({ globs }: Lease): string {
    return defuseLine(globs.join(", "), maxShown);
  }

  function formatMinutesLeft({ expiresAt }: Lease): string {
    const minutes = Math.ceil((expiresAt - clock()) / 60_000);
    return minutes === 1 ? "1 more minute" : `${minutes} more minutes`;
  }

  return {
    take(agent, project, request) {
      const lease = store.db.transaction(() => grant(agent, project, request));
      announce(lease, false);
      return lease;
    },
    release(id, agent) {
      const lease = store.leases.byId(id);
      if (!lease || (agent && lease.holder !== agent.id))
        throw new AppError(
          "lease_not_found",
          `${agent ? `${agent.name} holds` : "There is"} no lease ${id}.`,
        );
      const isOver = lease.expiresAt <= clock();
      if (!isOver) {
        store.leases.remove(id);
        announce(lease, true);
      }
      return { lease: store.leases.byId(id) ?? lease, isOver };
    },
    listActive: (projectId) => store.leases.listActive(clock(), projectId),
    contribute({ event, toolKind, filePath, session, agent }, nowMs, room) {
      if (event !== "tool.before" || toolKind !== "edit" || !filePath) return undefined;
      const project = store.projects.byPath(session.project);
      if (!project) return undefined;
      const running = store.leases.listActive(nowMs, project.id);
      if (running.length === 0) return undefined;
      const file = relativeToCheckout(session.cwd ?? dirname(project.path), filePath);
      const lease = findHolder(file, project.id, agent.id, running, nowMs);
      if (!lease) return undefined;
      const holder = nameOf(lease.holder);
      const text = `${holder} holds a lease on ${listGlobs(lease)} for ${formatMinutesLeft(lease)}. It covers ${defuseLine(file, maxShown)}.`;
      const to = store.agents.byId(lease.holder) ? holder : `${holder}, in the project's room,`;
      // Two machines may each have granted a lease on it: then neither agent is blocked.
      const isOurs = running.some((each) => each.holder === agent.id && coversPath(file, each));
      if (project.leases === "block" && !isOurs)
        return { deny: `${text} Write to ${to} with message_send, or work elsewhere until it ends.` };
      const warning = `<rookery-lease holder="${holder}">\n${text} Ask ${to} with message_send before you change it.\n</rookery-lease>`;
      return warning.length <= room ? { context: warning } : undefined;
    },
  };
}
