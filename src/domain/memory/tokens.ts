/** About four characters a token: an estimate, and said to be one wherever it is shown. */
export function estimateTokens(text: string): number {
  return tokensOfLength(text.length);
}

/** The same for a text of which only the length is known. */
export function tokensOfLength(characters: number): number {
  return Math.ceil(characters / 4);
}
