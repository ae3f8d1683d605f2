/** The letters that the index at the start of a session uses, too. */
const letters: Record<string, string> = {
  decision: "D",
  preference: "P",
  bugfix: "B",
  "problem-solution": "S",
  feature: "F",
  refactor: "R",
  change: "C",
  discovery: "I",
  gotcha: "G",
  prompt: "“",
  summary: "Σ",
  question: "?",
  message: "@",
};

const otherKinds = ["prompt", "summary", "question", "message"];
export const noteTypes = Object.keys(letters).filter((type) => !otherKinds.includes(type));

export function TypeMark({ type }: { type: string }) {
  const known = letters[type];
  return (
    <span class={`mark mark-${known ? type : "other"}`} title={known ? type : "other"}>
      <span aria-hidden="true">{known ?? "·"}</span>
      <span class="unseen">{known ? type : "other"}</span>
    </span>
  );
}
