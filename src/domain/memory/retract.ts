import { listSentences } from "./distil/sentences.ts";
import { contentWords } from "./open-ends.ts";

/** A later turn of the session, as far as it may retract statements of an earlier one. */
export interface RetractingTurn {
  /** The user's words; empty for a prompt that the host wrote. */
  prompt: string;
  /** The agent's last message. */
  final: string;
  /** The turn found the cause or fixed the problem. */
  hasFix: boolean;
}

/** Decides for a statement of an earlier turn why it no longer holds; undefined if it does. */
type Retraction = (statement: string, isPreviousTurn: boolean) => string | undefined;

const concedes =
  /^(?:\W*)(?:you['’]?(?:re| are| were) (?:absolutely |completely |totally )?right|i was wrong|i stand corrected|my (?:mistake|bad|apologies)|good (?:catch|point)|fair (?:point|enough)|no, i['’]?m not sure|i(?:['’]d)? (?:assumed|misread|misunderstood|overlooked)|sorry|apologies|that was (?:wrong|a mistake)|du hast recht|tienes razón|tu as raison|vous avez raison|você tem razão|ты прав|вы правы|你说得对|おっしゃる通り|맞습니다)/iu;
/** Objects to something, as opposed to confirming it. */
const objects =
  /\b(?:but|unless|however|actually|instead|why would|isn['’]?t|aren['’]?t|doesn['’]?t|don['’]?t|didn['’]?t|not|no|still|wrong|sure|better|thought|think|hm+|shouldn['’]?t|can['’]?t)\b|aber|nicht|pero|mais|mas|но |不|でも|하지만/iu;
const hedged =
  /\b(?:might|may (?:be|also|have)|maybe|likely|probably|perhaps|possibly|presumably|(?:seems?|looks?) (?:to|like)|appears? to|i suspect|my (?:theory|hypothesis|guess))\b|wahrscheinlich|vermutlich|probablemente|probablement|provavelmente|вероятно|可能|おそらく|아마/iu;
/** A guess about the future or about people is not a diagnosis. */
const diagnosis =
  /\b(?:cause[sd]?|because|bug|issue|problem|fail\w*|error|wrong|missing|broken|crash\w*|race|stale|hang\w*|flak[ey]\w*|timing|culprit|reason|why|is set|404|500)\b/i;
/** An option, a question or the result of a command says nothing that could be wrong. */
const noClaim =
  /[?？]\s*$|^checked with `|` works instead$|^(?:\(?[a-h\d]{1,2}[.):]|option\b|next question\b)/i;
/** The agent says which of its own statements was wrong. */
const takesBack =
  /\b(?:i(?:['’]d)? (?:assumed|misread|misunderstood|overlooked|claimed|said)|was wrong|were wrong|does(?:n['’]t| not) hold|is(?:n['’]t| not) (?:true|actually)|was(?:n['’]t| not)|contrary to|not sure)\b/i;

/** The agent says that its whole answer was wrong. */
const takesBackAll =
  /\bi had (?:it|this|that|the (?:[\w-]+ ){1,4})(?:all )?(?:backwards?|wrong|reversed|mixed up|the wrong way round)|\bmy (?:previous|earlier|last|first) (?:answer|explanation|analysis|diagnosis|claim|conclusion) was (?:wrong|incorrect|backwards?)\b|\bi was (?:completely |totally |simply )?wrong\b(?! (?:about|to|that|in))/i;

/** The user found something else than the agent said. */
const differs =
  /\b(?:(?:is|are|am|it['’]?s|they['’]?re|i['’]?m|was|were)? ?still (?:there|failing|fails?|broken|not|the same|see\w*|getting|get|happen\w*|shows?|showing|present|an? (?:issue|problem))|i was able to|does(?:n['’]?t| not) (?:work|match|help|happen|seem)|did(?:n['’]?t| not) (?:work|help|fix|change)|that['’]?s (?:not|wrong)|(?:is|are) (?:not|wrong)\b|not the (?:case|issue|problem|cause)|on the contrary|unless i(?:['’]?m| am) mis\w+)\b/i;

const maxPrompt = 1_500;
/** Pasted output follows the report. */
const maxReport = 400;
/** Retractions are at the start of a message; the rest reports new work. */
const maxOpening = 600;
const maxFinal = 4_000;
/** Minimum number of content words that a statement must share with a text about it, and their share. */
const sameSubject = { words: 3, share: 0.35 };
const sameReport = { words: 3, share: 0.4 };
const sameProblem = { words: 3, share: 0.3 };

/** Undefined if the turn retracts nothing. */
export function makeRetraction({ prompt, final, hasFix }: RetractingTurn): Retraction | undefined {
  const opening = final.slice(0, maxOpening);
  const isConceded =
    prompt !== "" && prompt.length <= maxPrompt && concedes.test(opening) && objects.test(prompt);
  const takenBack = isConceded ? listSentences(opening).filter((sentence) => takesBack.test(sentence)) : [];
  const subject = isConceded ? contentWords([prompt, ...takenBack].join("\n")) : new Set<string>();
  const said = prompt.slice(0, maxReport);
  const isAllTakenBack = isConceded && takesBackAll.test(opening);
  const reported = differs.test(said) ? contentWords(said) : undefined;
  const found = hasFix ? contentWords(final.slice(0, maxFinal)) : new Set<string>();
  if (!isConceded && !reported && !hasFix) return undefined;
  return (statement, isPreviousTurn) => {
    if (noClaim.test(statement)) return undefined;
    if (isAllTakenBack && isPreviousTurn) return "the agent took its answer back";
    const words = contentWords(statement);
    if (isConceded && isPreviousTurn && shares(words, subject, sameSubject))
      return "the user objected and the agent agreed";
    if (reported && isPreviousTurn && shares(words, reported, sameReport))
      return "the user reported otherwise";
    return hasFix && isGuess(statement) && shares(words, found, sameProblem)
      ? "a guess, before a later turn found the cause"
      : undefined;
  };
}

function shares(
  words: ReadonlySet<string>,
  others: ReadonlySet<string>,
  { words: min, share }: { words: number; share: number },
): boolean {
  let common = 0;
  for (const word of words) if (others.has(word)) common += 1;
  return common >= min && common >= share * words.size;
}

/** A text without its guesses about a cause, which the commit that concluded the work has confirmed or refuted. */
export function dropGuesses(text: string): string {
  if (record.test(text) || !isGuess(text)) return text;
  return listSentences(text)
    .filter((sentence) => !isGuess(sentence))
    .join(" ");
}

function isGuess(text: string): boolean {
  return hedged.test(text) && diagnosis.test(text);
}

/** The facts of a note that are shown with it but no longer recalled. */
const withdrawnFact = "Withdrawn: ";

export function isWithdrawnFact(fact: string): boolean {
  return fact.startsWith(withdrawnFact);
}

interface NoteText {
  title: string;
  narrative: string;
  facts: readonly string[];
}

/** Facts that are not statements of the agent: the request, an error message, options that were not chosen. */
const record = /^(?:Asked|Error|Not chosen|Withdrawn): /;

/**
 * The note without the retracted statements, which become facts of their own with the reason. Undefined if none is
 * retracted. `whole`: why the statement of the title is retracted, and with it the note.
 */
export function retractStatements<T extends NoteText>(
  note: T,
  isPreviousTurn: boolean,
  retraction: Retraction,
): { note: T; whole: string | undefined } | undefined {
  const withdrawn: string[] = [];
  const keepText = (text: string): string =>
    listSentences(text)
      .filter((sentence) => {
        const because = retraction(sentence, isPreviousTurn);
        if (because !== undefined) withdrawn.push(`${withdrawnFact}${sentence} (${because})`);
        return because === undefined;
      })
      .join(" ");
  const narrative = keepText(note.narrative);
  const facts = note.facts.flatMap((fact) => (record.test(fact) ? [fact] : keepText(fact) || []));
  const whole = retraction(note.title, isPreviousTurn) ?? findBecause(note.title, withdrawn);
  if (withdrawn.length === 0 && whole === undefined) return undefined;
  return {
    note: { ...note, narrative: narrative === "" ? note.title : narrative, facts: [...facts, ...withdrawn] },
    whole,
  };
}

/** A shortened title may no longer have the words by which its statement was retracted. */
function findBecause(title: string, withdrawn: readonly string[]): string | undefined {
  const words = contentWords(title);
  const own = withdrawn.find((fact) => shares(words, contentWords(fact), sameTitle));
  return own && /\(([^()]+)\)$/.exec(own)?.[1];
}

const sameTitle = { words: 3, share: 0.7 };
