import { isStopWord } from "./words.ts";

/**
 * Conversational and routine words: they say how something is asked or what to do with the result, but not what it is
 * about. Notes matched by them alone would appear at every "commit and push".
 */
const errandWords = new Set(
  // Conversation
  (
    "actually again agree ah all already also alright always another anything anyway back bad because before being better both " +
    "bit check come comes course done each either else enough even ever every everything exactly fine first fix follow found go " +
    "goes going gone good got great guess guys haha hello help here hey hi hmm hmmm hold i'm instead keep kind know last later less " +
    "let lets like likely little lol look looking looks lot made make makes many may maybe mean might mind minute more most much " +
    "must need needs never new next nice nope nothing now off oh ok okay old once one only oops other others over own part people " +
    "perfect perhaps please possibly possible pretty probably problem put quick quickly quite rather read ready really right said " +
    "same say says second see seem seems seen sense show since somehow someone something soon sorry sounds start still stop stuff " +
    "such sure take talk tell thank thanks thing things think thinking three through together too tried true try trying two under " +
    "understand until use used using very via wait want wants way well went whatever whether while whole without work working works " +
    "wrong yeah yep yes yet yup " +
    // Routine tasks
    "add added address addressed amend apply approve ask asked branch branches bump change changed changes comment comments commit " +
    "commits committed continue create current deploy diff discuss draft everyone explain feedback file files fold general idea " +
    "ideas implement issue issues latest list main master merge merged message missed name open opened option options plan pr prs " +
    "priority proceed pull push pushed rebase remove reply request respond review reviewer reviews run running save squash step " +
    "suggestion suggestions switch task tasks test tests thoughts ticket todo todos update updated valid version write " +
    // The same in other languages
    "bitte danke gut ja jetzt mach nein weiter adelante ahora bien continúa favor gracias ok sigue sí ahora allez bien continue " +
    "merci oui plaît vas agora bom continua obrigado siga sim да давай дальше нет пожалуйста продолжай спасибо хорошо теперь " +
    "继续 好的 谢谢 可以 提交 続け けて お願 願い ありが 계속 감사 부탁 커밋"
  ).split(" "),
);

const link = /\bhttps?:\/\/\S+|\bwww\.\S+/g;
const isCommand = /^\s*[/!#<]/;
const isPastedPlan = /^\s*(?:implement|execute|follow|carry out) (?:the|this) (?:following )?plan\b/i;
/** Longer prompts are pasted logs, plans and reviews, which contain their own context. */
const maxLetters = 1_500;
const maxLines = 15;

/** The prompt without links; undefined for commands, pasted text, routine tasks and small talk, which need no memory. */
export function readPromptTopic(
  prompt: string,
  listInformative: (text: string) => string[],
): string | undefined {
  if (isCommand.test(prompt) || isPastedPlan.test(prompt)) return undefined;
  if (prompt.length > maxLetters || prompt.split("\n").length > maxLines) return undefined;
  const text = prompt.replace(link, " ");
  return countTopicWords(listInformative(text)) < minTopicWords ? undefined : text;
}

/** A single word matches by chance. */
const minTopicWords = 2;

/** How many of the words name a topic. */
export function countTopicWords(words: readonly string[]): number {
  return words.filter((word) => !errandWords.has(word) && !isStopWord(word) && !/^\d+$/.test(word)).length;
}
