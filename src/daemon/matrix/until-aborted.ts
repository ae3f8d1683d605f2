/** Lets go of something that cannot be ended itself, as soon as all ends. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const gone = Promise.withResolvers<never>();
  const onAbort = (): void => gone.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, gone.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
