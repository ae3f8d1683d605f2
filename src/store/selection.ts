/** The rows to forget: ids by kind of row. */
export interface Selection {
  observations: Set<string>;
  summaries: Set<string>;
  prompts: Set<string>;
  events: Set<string>;
  deliveries: Set<string>;
  /** Questions to the person with their cards, and notices. */
  questions: Set<string>;
  notices: Set<string>;
  /** Messages and tasks of agents and people. */
  mail: Set<string>;
  tasks: Set<string>;
  /** `[session, kind, ref, point]` as JSON. */
  injections: Set<string>;
  /** Turns whose last message is deleted. */
  messages: Set<string>;
  /** Sessions whose title is deleted. */
  titles: Set<string>;
  /** Rooms whose name is deleted. */
  roomNames: Set<string>;
  /** Turns that must never be read again. */
  turns: Set<string>;
  /** Turns to delete entirely, with their sessions if those become empty. */
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
    roomNames: new Set(),
    turns: new Set(),
    turnRows: new Set(),
    sessions: new Set(),
  };
}
