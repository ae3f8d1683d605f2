/** Code names that a text reports as removed or replaced: "removed `baseCommit`", "`a` → `b`", "no longer uses `x`". */
export function listRemovedNames(text: string): string[] {
  const names = new Set<string>();
  for (const pattern of patterns)
    for (const [, name = ""] of text.slice(0, 20_000).matchAll(pattern)) names.add(name.trim());
  return [...names].filter((name) => name.length >= 4);
}

const patterns = [
  /\b(?:remov(?:ed|es|ing)|dropp?(?:ed|s|ing)|delet(?:ed|es|ing)|revert(?:ed|s|ing)|replac(?:ed|es|ing)|no longer (?:uses?|using|needs?|calls?)|instead of|got rid of|superseded?)\s+(?:the |a |an |all |old |both )*`([^`\n]{3,60})`/gi,
  /`([^`\n]{3,60})`\s+(?:is|was|are|were|has been|have been|is now)\s+(?:gone|removed|dropped|replaced|reverted|deleted|obsolete|superseded)\b/gi,
  /`([^`\n]{3,60})`\s*(?:→|->|=>)\s*`/g,
];
