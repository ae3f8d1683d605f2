/** A machine among those that talk through one homeserver. */
export interface Machine {
  /** Unique; people see the name. */
  id: string;
  name: string;
}

/** An agent's name with the machine it runs on: `api-jay@laptop`. */
export interface QualifiedName {
  agent: string;
  machine: string;
}

const pattern = /^([a-z0-9][a-z0-9._=/-]{0,99})@([a-z0-9][a-z0-9_-]{0,31})$/i;

/** Undefined for a bare name, a user id or a mail address. */
export function parseQualifiedName(text: string): QualifiedName | undefined {
  const [, agent, machine] = pattern.exec(text) ?? [];
  return agent === undefined || machine === undefined ? undefined : { agent, machine };
}

/** Whether a machine is called this, by id or by name. */
export function isMachine({ id, name }: Machine, text: string): boolean {
  return text === id || text.toLowerCase() === name;
}

/** The agent's name without its machine if that machine is this one; otherwise unchanged. */
export function toLocalName(here: Machine, name: string): string {
  const qualified = parseQualifiedName(name);
  return qualified && isMachine(here, qualified.machine) ? qualified.agent : name;
}
