/**
 * Patterns for single statements. The trained scorer weighs statements; these patterns only include or exclude them.
 */

/** Words with which people state a rule. */
export const rule =
  /^(?:please |ok(?:ay)?[,.]? |no[,.]? |and |but |also |btw[,.]? )*(?:don'?t|do not|never|always|from now on|going forward|stop|avoid|prefer)\b|\b(?:from now on|going forward|as a rule|must (?:always|never|not)|should (?:always|never))\b|\b(?:we|i) (?:always|never|prefer|only use|don'?t use)\b|\b(?:house|team|project|our|company) (?:rule|convention|policy|standard)\b|^(?:rule|convention|policy):|\b(?:is|are) (?:forbidden|prohibited|not allowed|off[- ]limits|banned)\b|\b(?:is|are|go(?:es)?|use|run) (?:always|never|only (?:through|via|from|by))\b|[,;:] never\b|^(?:bitte )?(?:ab jetzt|ab sofort|immer|nie(?:mals)?|keine?)\b|^(?:a partir de ahora|siempre|nunca|désormais|toujours|jamais|ne jamais|sempre|a partir de agora|всегда|никогда|с этого момента)(?=[\s,])|今後|必ず|常に|禁止|しないで|使わない|항상|절대|앞으로|하지 마|总是|始终|永远|不要|从现在|必须|以后/iu;

export const symptom =
  /\b(?:always|never) (?:fail|crash|happen|return|show|give|work|arrive|finish|fire|end|come|get|see|saw|had|been|was|is|appear)s?\b|\b(?:fails?|crash(?:es|ed)?|broken|error|exception)\b.*\b(?:since|after|when|with|on)\b/i;

export const statedCause =
  /\b(?:because|root cause|the (?:issue|problem|bug|cause) was|turn(?:s|ed) out)\b|原因|때문|weil\b|porque|parce que|потому что|因为/i;

export const edit =
  /^(?:`?[\w./-]+\.\w{1,5}`?(?::\d+)?\s*(?:\([^)]*\))?\s*[—–:-]\s*)?(?:i(?:'ve| have)? )?(?:successfully |now |also |both )?(?:added|adds|adding|updated|updates|removed|removes|created|creates|renamed|moved|deleted|modified|replaced|replaces|extracted|changed|converted|completed|simplified|refactored|split|inlined|used|uses|imported|passed|addressed|cleaned)\b/i;

/** A row of the list of edited files. */
export const fileList =
  /^`?[\w./@-]+\.\w{1,5}`?(?::\d+(?:[-–]\d+)?)?\s*(?:\([^)]*\))?\s*(?:[—–:-]\s*)?(?:\(?(?:new|modified|updated|created|deleted)\)?)?$/i;

/** Words that make a change worth knowing: a reason, a condition, a contrast, a consequence. */
export const behaviour =
  /\b(?:because|so that|so it|when|whenever|only if|only when|unless|otherwise|no longer|never|always|avoid|prevent|fall(?:s|ing)? back|by default|even (?:when|if|though)|without|must|silently|skip|reject|fail|require|backward|race|leak)/i;

export const testing =
  /\b(?:tests?|test cases?|coverage|assert(?:s|ion)?|fixtures?|mock(?:s|ed)?|golden|lint(?:er)?|nolint|doc comment|comment(?:s|ed)?|typo)\b|\bTest[A-Z]\w+|_test\.|\.(?:test|spec)\./i;

export const trap =
  /\b(?:flak[ey]|never|must|don'?t|needs? to|requires?|hangs?|race|silently|unless|CI\b|pre-commit|strips?)/i;

/** A subject that cannot be understood outside its turn. */
export const dangling =
  /^(?:(?:so|and|but|now|then|also|however|instead|previously|before|after that|otherwise|here|there|yes|no|in short)[\s,:—–-]+)*(?:this|that|it|these|those|they|both|he|she|its|their|i (?:was|am|had|think|see)|line \d+|the (?:same|former|latter|above|following|fix|change|original|other|second|first|new|old|current|existing|issue|problem|code|correct|remaining|bug|gap|trade-?offs?|downside|immediate|(?:\w+ )?failure)\b(?! root)|(?:main |key )?trade-?offs?:)/i;

export const vague =
  /\b(?:these|those) (?:values?|files?|fields?|functions?|changes?|tests?|cases?|lines?|calls?|sessions?|settings?)\b|\b(?:as|see|shown) above\b|\bline \d+\b|\bthe same (?:thing|way|reason|place)\b|\bthat (?:specific|particular|exact|very) \w+|^regarding\b|\bthe user['’]s (?:request|question)\b|\bmy (?:own )?(?:`?[0-9a-f]{7,}`? )?(?:fix|fixes|change|commit)\b|\b(?:we|i) just (?:added|made|fixed|changed|removed)\b|^the agents? (?:found|reported|says?)\b|^i(?:['’]ve| have)? (?:also )?(?:verified|double-checked|re-?ran|ran|tested)\b/i;

export const half =
  /^(?:now|previously|before|after|old|new|was|today|currently|primary|fallback|option \w|step \d+|phase \d+|task \w+|issue \d+|fix \d+)\s*[:—–-]/i;

export const status =
  /^(?:all (?:changes|tests|done|\d+ \w+ (?:are |have )?(?:landed|done|complete\w*|passed|finished))|the implementation|implementation|here'?s|i'?m using|let me|clean\b|plan (?:is )?(?:complete|saved|updated|written)|(?:the )?history (?:is )?rewritten|i'?ve (?:added|completed|updated)|everything|done|note that the agent|robust|cleaner)\b/i;

/** Only says that something is good, finished or checked. */
export const appraisal =
  /\b(?:works? (?:perfectly|fine|great|well|correctly|as (?:expected|intended))|(?:is|are|looks?) (?:now )?(?:all )?(?:correct|ready|complete|reasonable|valid|good|fine|clean|solid|sensible|well[- ](?:thought[- ]out|designed|structured|written)|addressed|resolved|in place|up to date|(?:the right|an? (?:good|great|solid|reasonable|clean|valid|smart|nice)(?: design)?) (?:choice|call|approach|fix|idea|change|solution|thing to do)))[.!]*$|\bcorrectly identif|\bno leftover\b|\bnothing (?:else |more )?to (?:fix|do|change)\b|^(?:the )?(?:document|doc|report|todo|review|draft|summary) (?:is|now|includes|has|was)\b|^(?:(?:plan|code|pr|design|security) )?(?:review|analysis|summary|report)(?: of\b|:|$)|^(?:reviewed|checked|analy[sz]ed|investigated) (?:pr|the|issue|#)/i;

/** The state of the work, or a possible next step: outdated by tomorrow. */
export const passing =
  /^(?:next (?:run|time)\b|(?:all )?(?:call sites|imports|references) (?:were )?updated|rendered(?: proof)?\b|resolved the (?:merge )?conflicts?|relaunched\b|restarted\b|on `?(?:main|master)`?\b|todo for|(?:new )?todo\b|todo (?:saved|added|created)|created [A-Z]+-\d|#\d+ (?:is|was)\b|re: |(?:yes, )?(?:in )?(?:option|scenario|approach|variant) [A-D1-9]\b|your current|additional(?:ly| improvement)|placeholder scan|one commit|not pushed|draft pr|pr #?\d|(?:we|you|i) (?:could|can)\b|if you (?:can|want|have)|or just|try |run `|open )|\bcommit(?:ted)?\b[^.]{0,40}`?\b[0-9a-f]{7,40}\b|: `?[0-9a-f]{7,40}`?$|\b(?:candidates|angle \w) (?:in|so far)\b|\bangle in\b/i;

/** A request of the user for one thing now, without a word that makes it a lasting rule. */
export const request =
  /^(?:ok(?:ay)?[,. ]+|yes[,. ]+|also[,. ]+|now[,. ]+|please[,. ]+|so[,. ]+|alright[,. ]+)*(?:fix|reduce|take a look|look|update|check|run|add|remove|rename|move|create|write|make|change|implement|explain|show|tell|give|try|can you|could you|would you|why|what|how|is there|are there|do we|does|should i|let me|in that case|i (?:see|think|got|have|just|tested|was|am|'m|need|wonder)|that|this|it|there|consider|the comment)\b/i;

export const firm =
  /\b(?:always|never|don'?t|do not|must(?: not)?|from now on|instead of|should (?:always|never|not|be|live|first|only)|shouldn'?t|prefer|not .+ but|no more|avoid|only)\b/i;

export const lasting =
  /\b(?:always|never|every(?:where|thing)?|any|don'?t|do not|should(?:n'?t)?|must|prefer|from now on|instead|only|rather|no more|avoid|i(?:'d| would)? (?:want|like|replace|rather)|i do (?:also )?want|we want|let'?s|keep|have in mind|requirement|use|ensure|make sure|convention|rule|policy|by default)\b|必|不要|総|항상|immer|nie\b|nicht|siempre|nunca|toujours|jamais|sempre|всегда|никогда/i;

/** A restriction that applies to this task only. */
export const taskLimit =
  /\b(?:only look|just (?:tell|show|explain|look)|read[- ]only|without changing|don'?t (?:change|touch|edit|fix|do|commit|push|worry|forget|mind|bother)(?: \w+)?(?: yet| anything| it)?[.!]?$|never ?mind)/i;

/** The user reports a fault, judges a result or says what comes next: nothing that holds for later sessions. */
export const ofTheMoment =
  /\b(?:bug|still|seems?|failing|broken|currently|just yet|not? yet|yet\b|first\b|this time|(?:don'?t|do not) forget|a pr\b|the pr\b|(?:fresh|current|this) branch|squash|rebase|clarification|debug|feel(?:s)?|looks?|sounds?|my (?:assumption|guess)|i (?:just )?(?:want|need) you|let'?s)\b|^(?:it|that|this|these|those|they)\b|\b(?:handle|leave|do|keep|change|use) (?:this|that|it|these|those|them)\b/i;

export const aside =
  /\b(?:too hard|for now|this time|right now|today|take a look|thinking aloud|i (?:don'?t|haven'?t|didn'?t|can'?t|do not) (?:see|seen|think|know|get|understand|remember)|i guess|does(?:n'?t| not) (?:sound|seem|look) right|don'?t worry|don'?t need to|we don'?t need)\b|[?？]/i;

/** Text that the host itself writes into a refusal. */
export const boilerplate =
  /\b(?:user wants to clarify|doesn'?t want to proceed|tool use was rejected|interrupted by user|i'?ll take it from here)\b/i;

export const routine =
  /\b(?:what would you like|next step|how (?:would|do) you (?:like|want) to proceed|ready to|more questions|continue|which (?:areas?|one) (?:to|should)|which (?:areas?|topics?) .{0,20}\bdiscuss|work on it now|start|approve|what next|wait for (?:the )?results?|in the background|for this session|subagent-driven|inline execution|new session|would you like me to|can i (?:remove|delete|run|proceed|commit|push|skip)|which (?:pr|prs|issues?|tickets?|tasks?|todos?)\b.{0,40}\b(?:review|work|start|look|pick)|write the plan)\b/i;
