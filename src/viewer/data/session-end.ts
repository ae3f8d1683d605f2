/** Reasons in words: of ours and of the hosts. */
const words: Record<string, string> = {
  clear: "you cleared the conversation",
  exit: "you exited",
  gone: "its process ended",
  import: "imported",
  logout: "you signed out",
  prompt_input_exit: "you exited",
  replaced: "another session took its place",
  resume: "you resumed another session",
};

/** "ended: you exited"; a reason that says nothing ("other") is left out. */
export function describeSessionEnd(reason: string | null): string {
  if (reason === null || reason === "other") return "ended";
  return `ended: ${words[reason] ?? reason.replaceAll("_", " ")}`;
}
