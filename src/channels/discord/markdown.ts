/** Discord's markup is Markdown; a backslash before a character that is no letter, digit or space shows it as it is. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\*_~`|<>@:#[\]]/g, String.raw`\$&`)
    .replaceAll(/^(\s*)([-+])/gm, String.raw`$1\$2`);
}

/** A block of code. A fence inside it would end it, so a zero-width space separates its backticks. */
export function fence(text: string): string {
  return `\`\`\`\n${text.replaceAll("``", "`\u200b`").replace(/`$/, "`\u200b")}\n\`\`\``;
}
