/**
 * Words of a rule that applies beyond its turn, in English, German, Spanish, French, Portuguese, Russian, Chinese,
 * Japanese and Korean.
 */
const lasting =
  /\b(?:always|never|ever|don['’]?t|do not|must(?: not)?|should(?:n['’]t| not| never| always| only)|not allowed|prefer(?:red|s)?|from now on|going forward|in (?:the )?future|every(?: time)?|whenever|wherever|by default|only (?:when|if|on|use|run|write|with)|at all|no need|each|avoid|requirement|we (?:use|always|never|only|deploy)|i (?:want|prefer|like)|use \S+ (?:instead|rather|not)|keep (?:each|every|all)|too slow|directive|rather than|instead of)\b|\b(?:immer|niemals?|nie|künftig|in zukunft|ab jetzt|grundsätzlich|bevorzug\w+|siempre|nunca|jamás|a partir de ahora|prefier\w+|toujours|jamais|désormais|à partir de maintenant|préfèr\w+|sempre|a partir de agora|prefir\w+)\b|всегда|никогда|впредь|отныне|предпочита|总是|始终|从现在起|不要|必须|永远|今后|以后|いつも|常に|必ず|決して|今後|これから|しないで|ようにして|항상|절대|앞으로|반드시|하지 ?마/iu;
/** Openings of requests, questions and remarks that only concern the moment. */
const momentaryStart =
  /^(?:that|we (?:are|have|were)|fix|debug|continue|also|let['’]?s|can (?:we|you)|could (?:we|you)|are (?:we|you)|why|where|is (?:there|it)|how|what|when i|if (?:you|i)|it|there(?:['’]s| is| are)|no|nope|nah|yes|yeah|yep|ok(?:ay)?|hm+|actually|lol|remove|add|reply|log|update|move|make|start|go|do the|i (?:think|get|am|would have|do need|haven['’]?t|tested|see|still|feel|honestly|guess)|i['’](?:m|d say)|my|maybe|perhaps|thinking|not as|for \d|q:|unless i|e\.g|in \S*\/\S+|check|at the (?:top|bottom|end)|i (?:want|would like|['’]d like|need) (?:you|that|to (?:provide|replace|verify|see|know|check|be called|use))|instead of ["“]|(?:please )?(?:don['’]?t|do not) (?:create|commit|push|open|merge) (?:a|the|any|it|this))(?=[\s,.:!"“A-Za-z])/i;
/** Words that tie a sentence to the moment. */
const momentary =
  /[?？]\s*$|…|\b[0-9a-f]{7,40}\b(?<=\d.*)|\bline ~?\d+|\byet\b|\b(?:it|this) (?:doesn['’]?t|does not|is still|still|shows)\b|^i don['’]?t want any \w+\.?$|\bi don['’]?t (?:believe|think|know|see)\b|\b(?:this|that|current|new|same|next|last) (?:one|branch|pr|commit|phase|issue|session|ticket|change|case|plan|file|step)\b|\b(?:handle|do|fix|use|see|like|add) (?:that|this|it)\b|\b(?:pr ?#?\d+|#\d+|phase \d|still (?:failing|not)|you['’]?(?:re|ve)|right now|for now|today|already|take a look|have a look|have in mind|i believe|not sure if it)\b/i;

/** Whether a sentence of the user only concerns the moment. */
function isMomentary(text: string): boolean {
  return momentaryStart.test(text) || momentary.test(text);
}

/** Whether a sentence of the user sets a rule for later sessions. */
export function isStandingRule(text: string): boolean {
  return lasting.test(text) && !isMomentary(text);
}
