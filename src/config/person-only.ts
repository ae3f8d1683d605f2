/**
 * Marks a setting that only a person may change (`.meta(personOnly)`): it names where something is sent, what is run, who may answer or
 * what is kept out, or it spends money. The daemon refuses such a change from an agent and writes an audit row.
 */
export const personOnly = { personOnly: true } as const;
