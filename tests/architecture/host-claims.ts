import type { HostClaims } from "../../src/hosts/host.ts";

type Proof = readonly [file: string, title: string];

const once = "every event of a session is stored once, also if the daemon is killed in the middle";
const imported = "its transcripts are imported with the turns and calls that they record";

/** The test, with the host's real command line, that proves each claim of a host. */
export const proofs: Record<string, Partial<Record<keyof HostClaims, Proof>>> = {
  "claude-code": {
    capture: [
      "headless",
      "has every event stored once, with its session, agent and turn, and leaves no process",
    ],
    context: ["memory", "a second session has the first one's notes in its first request"],
    permissions: ["ask", "a permission, once"],
    questions: ["ask", "several questions, several choices and free text"],
    waking: ["interactive", "is woken once when idle, and the request that follows contains the message"],
    identity: ["mail", "write to each other: the idle one wakes and acts"],
    reconciliation: [
      "reconcile",
      "is complete after the next turn: missed events come from the transcript, once",
    ],
    import: ["../integration/import", "stores sessions, turns, prompts and notes with their own times"],
  },
  codex: {
    capture: [
      "codex-session",
      "every event of a session is stored once, with its failures, edits and identity",
    ],
    context: [
      "codex-session",
      "every event of a session is stored once, with its failures, edits and identity",
    ],
    permissions: [
      "codex-dialogs",
      "a permission is answered from elsewhere while its dialog is open, and the dialog closes",
    ],
    questions: ["codex-dialogs", "a question is answered from elsewhere, also after the daemon was killed"],
    waking: ["codex-terminal", "and a message wakes the session"],
    identity: [
      "codex-session",
      "every event of a session is stored once, with its failures, edits and identity",
    ],
    reconciliation: [
      "codex-session",
      "every event of a session is stored once, with its failures, edits and identity",
    ],
    import: ["codex-session", "its rollouts are imported with the turns that they record, archived or not"],
  },
  opencode: {
    capture: ["opencode", once],
    context: ["opencode", once],
    permissions: [
      "opencode-terminal",
      "a permission is answered from elsewhere while its dialog is open, and the dialog closes",
    ],
    questions: ["opencode-terminal", "a question is answered from elsewhere, and one in the terminal"],
    waking: ["opencode-terminal", "a message from an agent of another host wakes the idle session"],
    identity: ["opencode", once],
    import: ["opencode", "its database is imported with the turns and calls that it records, and only once"],
  },
  copilot: {
    capture: ["copilot-session", once],
    context: ["copilot-session", once],
    permissions: [
      "copilot-terminal",
      "a permission is answered from elsewhere while its dialog is open, and the dialog closes",
    ],
    questions: [
      "copilot-terminal",
      "a question is answered from elsewhere, also after the daemon was killed",
    ],
    waking: ["copilot-terminal", "a message from an agent of another host wakes the idle session"],
    identity: ["copilot-session", once],
    reconciliation: ["copilot-session", once],
    import: ["copilot-session", imported],
  },
  qwen: {
    capture: ["qwen", once],
    context: ["qwen", once],
    permissions: ["qwen-terminal", "a permission is answered from elsewhere while you are away"],
    identity: ["qwen", once],
    import: ["qwen", imported],
  },
  gemini: {
    capture: ["gemini", once],
    context: ["gemini", once],
    identity: ["gemini", once],
    import: ["gemini", imported],
  },
};
