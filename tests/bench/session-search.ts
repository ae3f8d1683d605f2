// `npm run bench:session-search -- DIR [--held]`: are real sessions found by paraphrased questions, and does a prompt
// recall the right note? DIR is a Claude Code folder with the sessions that tests/labels/questions.jsonl refers to;
// labels are `session:turn`, with turns numbered as stored. Tuned on all but three people; `--held` reports the held-out one.
import { parseArgs } from "node:util";
import { parseQuery } from "../../src/domain/memory/query.ts";
import { choosePromptRecall } from "../../src/domain/memory/recall.ts";
import {
  choosingPeople,
  heldPerson,
  type LabelledSessions,
  openLabelledSessions,
  personOf,
  type Question,
  readQuestions,
} from "./labelled-questions.ts";

const { values: flags, positionals } = parseArgs({
  options: { held: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [folder] = positionals;
if (!folder) throw new Error("Usage: npm run bench:session-search -- DIR [--held]");

const sessions = await openLabelledSessions(folder);
try {
  report(sessions);
} finally {
  sessions.close();
}

function report({ search, projectIdsOf, isFrom, searchPrompt, listUnrelated }: LabelledSessions): void {
  const choose = (text: string, root: string): { ref?: string; turnId?: string | undefined }[] => {
    const searched = searchPrompt(text, root);
    return searched ? choosePromptRecall(searched.found, searched.query.words, () => false) : [];
  };

  function reportRecall(name: string, prompts: readonly Question[]): void {
    const told = prompts.map(({ project, text, turns }) => {
      const chosen = choose(text, project);
      return {
        spoke: chosen.length > 0,
        isRight: chosen.some((one) => isFrom(one, turns)),
      };
    });
    const right = told.filter(({ isRight }) => isRight).length;
    const spoke = told.filter((one) => one.spoke).length;
    console.log(
      `  ${prompts.length} ${name}: answered ${percent(right, told.length)}, right when it speaks ${percent(right, spoke)}`,
    );
  }

  const parts: [string, (person: string) => boolean][] = flags.held
    ? [["held back", (person) => person === heldPerson]]
    : [
        ["tuned on", (person) => person !== heldPerson && !choosingPeople.includes(person)],
        ["chosen on", (person) => choosingPeople.includes(person)],
      ];
  for (const [name, isPart] of parts) {
    const asked = readQuestions().filter(({ project }) => isPart(personOf(project)));
    const questions = asked.filter(({ isTask }) => !isTask);
    const ranks = questions.map(({ project, text, turns }) => {
      const hits = search.search(parseQuery(text), { projectIds: projectIdsOf(project) }, 50);
      return hits.findIndex((hit) => isFrom(hit, turns)) + 1;
    });
    const within = (most: number): string =>
      percent(ranks.filter((rank) => rank > 0 && rank <= most).length, ranks.length);
    console.log(
      `${name}: ${questions.length} questions; found first ${within(1)}, in 5 ${within(5)}, in 10 ${within(10)}`,
    );
    reportRecall("questions as prompts", questions);
    reportRecall(
      "tasks",
      asked.filter(({ isTask }) => isTask),
    );
  }

  const prompts = listUnrelated((person) => !flags.held || person === heldPerson);
  const disturbed = prompts.filter(({ text, root }) => choose(text, root).length > 0).length;
  console.log(
    `  shows notes for ${percent(disturbed, prompts.length)} of ${prompts.length} unrelated prompts`,
  );
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / Math.max(1, whole))} %`;
}
