import type { Card } from "../domain/ask/card.ts";

/**
 * The options that a text of numbers chooses. One prompt takes one number, or several if it is multiple choice; several
 * prompts take one number each. Undefined if the text is anything else.
 */
export function readNumbers(text: string, { prompts }: Card): string[][] | undefined {
  if (!/^\d{1,2}(?:[\s,]+\d{1,2})*$/.test(text)) return undefined;
  const numbers = text.split(/[\s,]+/).map(Number);
  const [only] = prompts;
  if (!only) return undefined;
  const lists =
    prompts.length > 1
      ? numbers.map((number) => [number])
      : numbers.length > 1 && !only.isMulti
        ? []
        : [numbers];
  if (lists.length !== prompts.length) return undefined;
  const answers = lists.map((list, index) =>
    [...new Set(list)].map((number) => prompts[index]?.options[number - 1]?.label),
  );
  return answers.flat().every((label) => label !== undefined) ? (answers as string[][]) : undefined;
}
