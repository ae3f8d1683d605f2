/**
 * Patterns written by clients. They are matched without RegExp or backtracking: a bit set holds every pattern position
 * reachable by the text so far, so the time depends only on the two lengths.
 */
interface Glob {
  /** The pattern as plain text, if it has no wildcards. */
  literal: string | undefined;
  /** For each UTF-16 unit, the pattern positions from which it advances. */
  steps: Map<number, Uint32Array>;
  /** The positions from which any unit advances: one for each `?`. */
  anyStep: Uint32Array;
  /** The positions that any unit may stay at: one for each `*`. */
  stays: Uint32Array;
  /** The final position of the pattern; -1 if it can never match. */
  end: number;
  ignoresCase: boolean;
}

/** In UTF-16 units. Longer patterns are rejected on input; ones already stored match nothing. */
export const maxGlobLength = 256;

const one = -1;
const many = -2;
/** A UTF-16 unit, `one` or `many`. */
type Token = number;

/** Caches of compiled patterns. A hostile pattern takes up to 40 KB. */
const pushGlobs = new Map<string, Glob>();
const typeGlobs = new Map<string, Glob>();
const maxCached = 500;

function compileCached(
  cache: Map<string, Glob>,
  pattern: string,
  compilePattern: (pattern: string) => Glob,
): Glob {
  let glob = cache.get(pattern);
  if (!glob) {
    glob = compilePattern(pattern);
    if (cache.size >= maxCached) cache.clear();
    if (pattern.length <= maxGlobLength) cache.set(pattern, glob);
  }
  return glob;
}

/** A push rule pattern: `*`, `?`, backslash escapes; case-insensitive. */
export function compileGlob(pattern: string): Glob {
  return compileCached(pushGlobs, pattern, readPushPattern);
}

/** An event type pattern of a filter: only `*` is special; case-sensitive. */
export function compileTypeGlob(pattern: string): Glob {
  return compileCached(typeGlobs, pattern, readTypePattern);
}

function readPushPattern(pattern: string): Glob {
  const folded = pattern.toLowerCase();
  const tokens: Token[] = [];
  for (let i = 0; i < folded.length && i <= maxGlobLength; i++) {
    const letter = folded[i];
    if (letter === "*") tokens.push(many);
    else if (letter === "?") tokens.push(one);
    else {
      if (letter === "\\" && /[*?\\]/.test(folded[i + 1] ?? "")) i++;
      tokens.push(folded.charCodeAt(i));
    }
  }
  return compile(tokens, pattern.length, true);
}

function readTypePattern(pattern: string): Glob {
  const tokens = Array.from({ length: Math.min(pattern.length, maxGlobLength) }, (_, i) =>
    pattern[i] === "*" ? many : pattern.charCodeAt(i),
  );
  return compile(tokens, pattern.length, false);
}

function compile(tokens: Token[], length: number, ignoresCase: boolean): Glob {
  const end = length > maxGlobLength ? -1 : tokens.filter((token) => token !== many).length;
  const words = (Math.max(end, 0) >> 5) + 1;
  const steps = new Map<number, Uint32Array>();
  const anyStep = new Uint32Array(words);
  const stays = new Uint32Array(words);
  let position = 0;
  for (const token of end < 0 ? [] : tokens) {
    if (token === many) mark(stays, position);
    else {
      if (token === one) mark(anyStep, position);
      else if (steps.has(token)) mark(steps.get(token) as Uint32Array, position);
      else steps.set(token, mark(new Uint32Array(words), position));
      position++;
    }
  }
  for (const step of steps.values()) for (let w = 0; w < words; w++) step[w] = at(step, w) | at(anyStep, w);
  const isLiteral = end >= 0 && tokens.every((token) => token >= 0);
  return {
    literal: isLiteral ? String.fromCharCode(...tokens) : undefined,
    steps,
    anyStep,
    stays,
    end,
    ignoresCase,
  };
}

/** Whether the pattern matches the full text. */
export function matchesText(glob: Glob, text: string): boolean {
  const folded = glob.ignoresCase ? text.toLowerCase() : text;
  if (glob.literal !== undefined) return folded === glob.literal;
  return run(glob, folded, false);
}

/** Whether the pattern matches part of the text, starting and ending at word boundaries. */
export function matchesWords(glob: Glob, text: string): boolean {
  const folded = glob.ignoresCase ? text.toLowerCase() : text;
  if (glob.literal !== undefined && !folded.includes(glob.literal)) return false;
  return run(glob, folded, true);
}

function run({ steps, anyStep, stays, end }: Glob, text: string, isWords: boolean): boolean {
  if (end < 0) return false;
  const positions = new Uint32Array(anyStep.length);
  for (let i = 0; ; i++) {
    const isEnd = i === text.length;
    const isEdge = isWords && (i === 0 || !isWordUnit(text.charCodeAt(i - 1)));
    if (i === 0 || isEdge) mark(positions, 0);
    const mayEnd = isEnd || (isWords && !isWordUnit(text.charCodeAt(i)));
    if (mayEnd && (at(positions, end >> 5) & (1 << (end & 31))) !== 0) return true;
    if (isEnd) return false;
    const step = steps.get(text.charCodeAt(i)) ?? anyStep;
    let carry = 0;
    for (let w = 0; w < positions.length; w++) {
      const here = at(positions, w);
      const moving = here & at(step, w);
      positions[w] = (moving << 1) | carry | (here & at(stays, w));
      carry = moving >>> 31;
    }
  }
}

/** As `\w`: ASCII letters, digits and underscore. */
function isWordUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 95
  );
}

function at(bits: Uint32Array, word: number): number {
  return bits[word] as number;
}

function mark(bits: Uint32Array, position: number): Uint32Array {
  bits[position >> 5] = at(bits, position >> 5) | (1 << (position & 31));
  return bits;
}
