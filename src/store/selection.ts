/** What a request to forget comes to: ids by kind of row. */
export interface Selection {
  observations: Set<string>;
  summaries: Set<string>;
  prompts: Set<string>;
  events: Set<string>;
  deliveries: Set<string>;
  /** What a person was asked, with the cards that showed it, and news for them. */
  questions: Set<string>;
  notices: Set<string>;
  /** What agents and people said to each other, and gave each other to do. */
  mail: Set<string>;
  tasks: Set<string>;
  /** `[session, kind, ref, point]` as JSON. */
  injections: Set<string>;
  /** Turns whose last message goes. */
  messages: Set<string>;
  /** Sessions whose title goes. */
  titles: Set<string>;
  /** Turns of which nothing may be read again. */
  turns: Set<string>;
  /** Turns that go altogether, and sessions if nothing is left of them. */
  turnRows: Set<string>;
  sessions: Set<string>;
}

export function makeSelection(): Selection {
  return {
    observations: new Set(),
    summaries: new Set(),
    prompts: new Set(),
    events: new Set(),
    deliveries: new Set(),
    questions: new Set(),
    notices: new Set(),
    mail: new Set(),
    tasks: new Set(),
    injections: new Set(),
    messages: new Set(),
    titles: new Set(),
    turns: new Set(),
    turnRows: new Set(),
    sessions: new Set(),
  };
}
