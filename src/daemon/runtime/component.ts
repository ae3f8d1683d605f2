import type { Log } from "../../shared/log.ts";

/** A part of the daemon that is started and stopped with it. */
export interface Component {
  name: string;
  start?(): void | Promise<unknown>;
  stop?(): void | Promise<unknown>;
}

/**
 * Starts the components in order. If one fails, the earlier ones are stopped and its error is thrown.
 * Returns a function that stops them in reverse order; an error there is logged and does not keep the rest running.
 */
export async function startComponents(
  components: readonly Component[],
  log: Log,
): Promise<() => Promise<void>> {
  const started: Component[] = [];
  let stopping: Promise<void> | undefined;

  async function stopStarted(): Promise<void> {
    for (const component of started.toReversed()) {
      try {
        await component.stop?.();
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
