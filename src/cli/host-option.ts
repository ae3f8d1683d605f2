import { hostRows } from "../hosts/marks.ts";

/** The values of `--host` where it filters a list. */
export const hostNames = hostRows.map(({ name }) => name);

export const hostHelp = `only of sessions in one coding agent: ${hostNames.join(", ")}`;
