/** About four characters a token: an estimate, and said to be one wherever it is shown. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
