/** A text as a list of statements: sentences, bullets and table rows, without code blocks and Markdown dress. */
export function listSentences(markdown: string): string[] {
  return markdown
    .replace(/```[\s\S]*?(?:```|$)/g, "\n")
    .split(/\n+/)
    .filter((line) => !/^\s*(?:#{1,6}\s|\|?[\s|:-]+\|?\s*$|>)/.test(line))
    .map(undress)
    .flatMap(splitLine)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function undress(line: string): string {
  return line
    .replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, "")
    .replace(/^\s*\|(.*)\|\s*$/, (_row, cells: string) =>
      cells
        .split("|")
        .map((cell) => cell.trim())
        .join(": "),
    )
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(/(^|\s)[*_]([^*_\s][^*_]*)[*_](?=\s|[.,;:!?]|$)/g, "$1$2");
}

/** Ends are . ! ? and their full-width kin, before a space and not inside backticks, numbers or file names. */
function splitLine(line: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  let isCode = false;
  for (let i = 0; i < line.length; i++) {
    const character = line[i] ?? "";
    if (character === "`") isCode = !isCode;
    const isFullWidth = /[。！？]/.test(character);
    const isEnd = isFullWidth || (/[.!?]/.test(character) && /^["')\]]?(?:\s|$)/.test(line.slice(i + 1)));
    if (isCode || !isEnd || isAbbreviation(line.slice(start, i + 1))) continue;
    sentences.push(line.slice(start, i + 1));
    start = i + 1;
  }
  return [...sentences, line.slice(start)];
}

function isAbbreviation(text: string): boolean {
  return /(?:^|\s)(?:e\.g|i\.e|etc|vs|bzw|z\.\s?B|approx|incl|no|ca)\.$/i.test(text);
}
