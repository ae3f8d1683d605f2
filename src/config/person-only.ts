/**
 * Marks a setting that only a person may change (`.meta(personOnly)`), because it controls where data is sent, which
 * command is run, who may answer, what is excluded from capture, how much may be spent, or whether the person is
 * notified. The daemon rejects such a change from an agent and writes an audit row.
 */
export const personOnly = { personOnly: true } as const;
