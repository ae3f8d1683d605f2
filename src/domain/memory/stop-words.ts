import { isUnspaced } from "./segment.ts";
import { isStopWord } from "./words.ts";

type Language = keyof typeof stopWords;

/** Function words by which languages are detected. English has its own list, which always applies. */
const stopWords = {
  german: listOf(
    "aber als am an auch auf aus bei bin bis das dass dem den der des die diese dieser dieses doch du ein eine einem einen " +
      "einer er es für gibt haben hat ich ihr im in ist ja kann kein keine man mehr mein mit nach nicht noch nur oder ohne " +
      "sein seine sich sie sind so soll um und uns unser vom von vor wann warum was weil welche welchem welchen welcher " +
      "welches wenn wer werden wie wir wird wo woher wohin wovon war zu zum zur über",
  ),
  spanish: listOf(
    "al algo ante como con cual cuál cuando cuándo de del desde donde dónde el ella en entre era es esa ese eso esta este " +
      "está hay la las le les lo los más me mi muy no nos o para pero por porque qué que quien quién se ser si sin sobre son " +
      "su sus también te tiene un una uno y ya",
  ),
  french: listOf(
    "à au aux avec ce ces cette comme comment dans de des du elle en est et été être fait il ils je la le les leur lui mais " +
      "mes moi mon ne nous ont on où ou par pas plus pour pourquoi qu quand que quel quelle quelles quels qui sa sans se ses " +
      "si son sont sur ta te tes ton tu un une vos votre vous y",
  ),
  portuguese: listOf(
    "ao aos as até com como da das de dela dele do dos e ela ele em entre era essa esse esta este está eu foi há isso já " +
      "mais mas me meu na não nas no nos nós o onde os ou para pela pelo por porque qual quando que quem se sem ser seu são " +
      "sua também tem um uma você",
  ),
  russian: listOf(
    "а без более бы был была были было быть в вам вас во все всё вы где да для до его ее её если есть же за здесь и из или " +
      "им их к как какая какие какой каком когда кто ли мне может мы на над наш не нет но о об он она они оно от по под " +
      "почему при с со так там то тоже только тот ты у уже что чтобы это этот я",
  ),
};

/** Pairs of characters that are grammar, not content. */
const stopPairs = listOf(
  "什么 为什 怎么 哪里 哪些 哪个 谁会 时候 我们 你们 他们 这个 那个 可以 是否 如何 因为 所以 还是 没有 了吗 " +
    "です ます すか ので から まで した して する こと どの どれ どこ なぜ いつ ある ない いる なの のは のか たの せん ませ まし しま しょ れる られ くだ ださ さい " +
    "무엇 엇인 인가 가요 나요 어디 디에 어떻 떻게 언제 누가 하나 습니 니다 합니 입니 있나 되나 에서 으로 하는 것은 것이 어느 느",
);

function listOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

/** Fewer function words may be a coincidence: "die" and "os" are also English. */
const minFunctionWords = 2;

/** The language of a question, by its function words; undefined for English or if unclear. */
export function detectLanguage(words: readonly string[]): Language | undefined {
  const said = new Set(words);
  const count = (isOne: (word: string) => boolean): number => [...said].filter(isOne).length;
  const english = count(isStopWord);
  const [best] = (Object.keys(stopWords) as Language[])
    .map((language) => ({ language, n: count((word) => stopWords[language].has(word)) }))
    .toSorted((a, b) => b.n - a.n);
  if (best && best.n >= minFunctionWords && best.n > english) return best.language;
  return words.some((word) => /\p{Script=Cyrillic}/u.test(word)) ? "russian" : undefined;
}

/** The words that carry the topic; all words if none does. */
export function dropStopWords(words: readonly string[], language = detectLanguage(words)): string[] {
  const isGrammar = (word: string): boolean =>
    isStopWord(word) ||
    (language !== undefined && (stopWords[language].has(word) || /^\p{L}$/u.test(word))) ||
    stopPairs.has(word);
  const informative = words.filter((word) => !isGrammar(word));
  const longer = informative.filter((word) => word.length > 1 || !isUnspaced(word));
  const kept = longer.length > 0 ? longer : informative;
  return kept.length > 0 ? kept : [...words];
}

/**
 * The common prefix of a word's forms. The index only stems English; words of other languages are also searched by
 * prefix. Undefined if the word is too short to shorten.
 */
export function commonPrefix(word: string, language: Language | undefined): string | undefined {
  if (language === undefined || !/^\p{L}+$/u.test(word)) return undefined;
  const cut =
    language === "russian"
      ? { min: 3, letters: word.length > 6 ? 3 : word.length > 4 ? 2 : 1 }
      : { min: 4, letters: word.length > 6 ? 2 : 1 };
  const length = word.length - cut.letters;
  return length < cut.min ? undefined : word.slice(0, length);
}
