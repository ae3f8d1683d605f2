/** What a synthetic observation says. */
export interface SyntheticDoc {
  id: string;
  project: string;
  session: string;
  kind: "observation";
  title: string;
  text: string;
  files: string[];
  at: number;
}

/** Text with a natural distribution of words (Zipf), half of it in one project. */
export function* synthesise(count: number): Generator<SyntheticDoc> {
  const random = makeRandom(1);
  const vocabulary = Array.from({ length: 30_000 }, (_, i) => `w${i.toString(36)}${"aeiou"[i % 5]}n`);
  const word = (): string =>
    vocabulary[Math.min(vocabulary.length - 1, Math.floor(vocabulary.length ** random()) - 1)] ?? "";
  for (let i = 0; i < count; i++) {
    const project = i % 2 === 0 ? "p0" : `p${1 + (i % 40)}`;
    const text = Array.from({ length: 45 }, word).join(" ");
    const title = Array.from({ length: 7 }, word).join(" ");
    yield {
      id: `d${i}`,
      project,
      session: `s${Math.floor(i / 20)}`,
      kind: "observation",
      title,
      text,
      files: [`src/f${i % 500}.ts`],
      at: i * 60_000,
    };
  }
}

/** Always the same numbers: a bench must repeat. */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
