import { listNextStates, readTaskState, type TaskArbiter, type TaskChange } from "../../domain/mail/task.ts";
import { AppError } from "../../shared/errors.ts";
import type { HubLink } from "../../store/hub.ts";
import { valueWithin } from "../runtime/value-within.ts";
import type { HubLine } from "./hub-line.ts";
import { readMachine } from "./identity.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface HubTasksDeps extends Pick<DaemonContext, "store" | "log"> {
  line: HubLine;
}

/** An agent waits for the answer. */
const maxMs = 2_000;

/** The hub arbitrates tasks of shared projects: it stores the newest revision of each, and refuses a change of an older one. */
export function makeHubTasks({ store, log, line }: HubTasksDeps): TaskArbiter {
  async function change({ hubId }: HubLink, device: string, task: TaskChange, by: string): Promise<number> {
    const session = await line.session();
    const known = await session.task(hubId, task.id);
    // A revision of this machine that is not stored here: the daemon ended between the two.
    const isBehind = known !== undefined && known.rev > task.from && known.device !== device;
    const state = readTaskState(known?.state ?? "");
    const isOver = state !== undefined && listNextStates(state).length === 0;
    if (known && (isBehind || isOver))
      throw new AppError(
        "task_changed",
        `Task ${task.id} was changed by ${known.by}@${known.deviceName} (${known.author}): it is ${known.state}.`,
      );
    const rev = Math.max(known?.rev ?? 0, task.from) + 1;
    if (await session.changeTask(hubId, known?.rev, { id: task.id, rev, state: task.state, by })) return rev;
    throw new AppError("task_changed", `Task ${task.id} was changed on another machine at the same time.`);
  }

  return {
    async change(task, by) {
      const machine = readMachine(store.meta);
      const link = machine?.state === "joined" ? store.hub.linkOf(task.projectId) : undefined;
      if (!machine || !link) return null;
      try {
        return (await valueWithin(change(link, machine.device, task, by), maxMs)) ?? "here";
      } catch (error) {
        if (error instanceof AppError && error.code === "task_changed") throw error;
        log.warn("a change of a task is only known on this machine", { error });
        return "here";
      }
    },
  };
}
