/** The arguments of each `rookery` command in a line of shell. Parses enough shell syntax for docs and examples. */
export function findRookeryLines(line: string): string[][] {
  return splitCommands(line).flatMap((words) => {
    const at = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
    return /(?:^|\/)rookery$/.test(words[at] ?? "") ? [words.slice(at + 1)] : [];
  });
}

/** Words by command, without quotes, comments and redirections. */
function splitCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  const token =
    /\s+|#.*$|(?:\d?>>?|<(?!\())\s*\S+|&&|\|\||[;|&()]|<\(|((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s;|&()<>"'#]|(?<=\S)#)+)/g;
  for (const [whole, word] of line.matchAll(token)) {
    if (word !== undefined) commands.at(-1)?.push(unquote(word));
    else if (/^(?:&&|\|\||[;|&()]|<\()$/.test(whole)) commands.push([]);
  }
  return commands;
}

function unquote(word: string): string {
  return word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, (_, double, single, escaped) =>
    double !== undefined ? double.replace(/\\(.)/g, "$1") : (single ?? escaped),
  );
}
