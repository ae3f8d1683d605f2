/**
 * Secrets and harmless text generated from parts: places × names × values. One third of the parts is held out
 * (`redact-held-back.ts`); the rules were written for the other two thirds (`redact-tuned.ts`).
 */
export interface Dice {
  below(sides: number): number;
  pick<T>(list: readonly T[]): T;
  text(alphabet: string, length: number): string;
}

/** Passwords are chosen by people; credentials are generated. A password field may contain either. */
type Holds = "password" | "credential";

interface NamePart {
  /** Lower-case words; each place joins them in its own style. */
  words: readonly string[];
  holds: Holds;
}

interface ValuePart {
  kind: string;
  holds: Holds;
  make(dice: Dice): string;
}

interface Sample {
  text: string;
  /** The text that must be removed; a place that encodes the value returns it encoded. */
  secret: string;
}

interface PlacePart {
  place: string;
  /** If set, only names of this sort make sense here. */
  holds?: Holds;
  render(words: readonly string[], value: string, dice: Dice): string | Sample;
}

/** A secret with a fixed form, which cannot be combined with names or values. */
interface WholePart {
  place: string;
  make(dice: Dice): Sample;
}

interface InnocentPart {
  kind: string;
  make(dice: Dice): string;
}

export interface Parts {
  names: readonly NamePart[];
  values: readonly ValuePart[];
  places: readonly PlacePart[];
  wholes: readonly WholePart[];
  innocents: readonly InnocentPart[];
}

export const upper = (words: readonly string[]) => words.join("_").toUpperCase();
export const snake = (words: readonly string[]) => words.join("_");
export const kebab = (words: readonly string[]) => words.join("-");
export const dotted = (words: readonly string[]) => words.join(".");
export const spaced = (words: readonly string[]) => words.join(" ");
export const pascal = (words: readonly string[]) =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
export const camel = (words: readonly string[]) =>
  pascal(words).replace(/^[A-Z]/, (letter) => letter.toLowerCase());
export const base64 = (text: string) => Buffer.from(text).toString("base64");
/** Joined at run time, so that secret scanners do not report the samples. */
export const privateKey = ["PRIVATE", "KEY"].join(" ");
export const lower = "abcdefghijklmnopqrstuvwxyz";
export const digits = "0123456789";
export const hex = "0123456789abcdef";
export const alnum = lower + lower.toUpperCase() + digits;
export const base64Alphabet = `${alnum}+/`;

/** A fixed sequence: every run has the same samples. */
function makeDice(seed: number): Dice {
  let state = seed;
  const below = (sides: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * sides);
  };
  return {
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    text: (alphabet, length) => Array.from({ length }, () => alphabet[below(alphabet.length)]).join(""),
  };
}

/** The same number of samples for every place, so that all places count the same. */
export function makeSecrets(parts: Parts, perPlace: number, seed: number): (Sample & { place: string })[] {
  const dice = makeDice(seed);
  const repeat = Array.from({ length: perPlace }, (_, index) => index);
  const placed = parts.places.flatMap((part) =>
    repeat.map(() => {
      const names = parts.names.filter(({ holds }) => part.holds === undefined || holds === part.holds);
      const name = dice.pick(names);
      const values = parts.values.filter(({ holds }) => holds === "credential" || name.holds === "password");
      const secret = dice.pick(values).make(dice);
      const rendered = part.render(name.words, secret, dice);
      const sample = typeof rendered === "string" ? { text: rendered, secret } : rendered;
      return { place: part.place, ...sample };
    }),
  );
  const whole = parts.wholes.flatMap((part) => repeat.map(() => ({ place: part.place, ...part.make(dice) })));
  return [...placed, ...whole];
}

export function makeInnocents(parts: Parts, perKind: number, seed: number): { kind: string; text: string }[] {
  const dice = makeDice(seed);
  return parts.innocents.flatMap(({ kind, make }) =>
    Array.from({ length: perKind }, () => ({ kind, text: make(dice) })),
  );
}
