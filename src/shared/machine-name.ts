/**
 * The name of a machine in addresses such as `api-jay@laptop`: without dots, so that it is never taken for the domain
 * of a mail address.
 */
export const machineNamePattern = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** A host's name in this form. */
export function toMachineName(host: string): string {
  const [first = ""] = host.toLowerCase().split(".");
  const clean = first.replace(/[^a-z0-9_-]+/g, "-").replace(/^[^a-z0-9]+/, "");
  return clean.slice(0, 32) || "machine";
}
