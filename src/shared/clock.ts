/** Epoch milliseconds. Passed in, so that rules can be tested without waiting. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
