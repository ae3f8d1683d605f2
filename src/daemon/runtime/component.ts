import type { Log } from "../../shared/log.ts";

/** A part of the daemon that is started and stopped with it. */
export interface Component {
  name: string;
  start?(): void | Promise<unknown>;
  stop?(): void | Promise<unknown>;
}

/** A component that hangs must not keep the daemon from ending, which a newer one may wait for. */
const defaultStopMs = 10_000;

/**
 * Starts the components in order. If one fails, the earlier ones are stopped and its error is thrown.
 * Returns a function that stops them in reverse order; an error there is logged and does not keep the rest running.
 */
export async function startComponents(
  components: readonly Component[],
  log: Log,
  maxStopMs: number = defaultStopMs,
): Promise<() => Promise<void>> {
  const started: Component[] = [];
  let stopping: Promise<void> | undefined;

  async function stopStarted(): Promise<void> {
    for (const component of started.toReversed()) {
      try {
        await stopInTime(component, maxStopMs);
      } catch (error) {
        log.error("component failed to stop", { component: component.name, error });
      }
    }
  }

  for (const component of components) {
    try {
      await component.start?.();
    } catch (error) {
      log.error("component failed to start", { component: component.name, error });
      await stopStarted();
      throw error;
    }
    started.push(component);
  }
  return () => (stopping ??= stopStarted());
}

async function stopInTime(component: Component, ms: number): Promise<void> {
  const stopped = (async () => component.stop?.())();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not stop within ${ms} ms.`)), ms);
  });
  await Promise.race([stopped, late]).finally(() => clearTimeout(timer));
}
