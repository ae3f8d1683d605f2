import type { Answer } from "../../domain/ask/question.ts";
import type { AuditView } from "../../protocol/reach.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";

export interface AuditEntry {
  action: "answer" | "pair" | "revoke" | "offer-pairing" | "change-setting" | "drop-message" | "restore";
  result: "accepted" | "duplicate" | "late" | "refused" | "unclear" | "void";
  /** slack, viewer, cli … */
  place: string;
  /** A known name, or the sender's id with its team. */
  who: string;
  questionId?: string | null;
  /** The kind of answer or the reason for a refusal; never the text of a question or an answer. */
  detail: string;
}

/** Append-only log of decisions and attempts, and their results. */
export interface Audit {
  record(entry: AuditEntry): void;
  /** Newest first. */
  list(limit: number): AuditView[];
}

export function openAudit(store: Store, log: Log, clock: Clock): Audit {
  return {
    record(entry) {
      store.access.addAudit({ ...entry, at: clock(), questionId: entry.questionId ?? null });
      log.info("decision", { ...entry });
    },
    list: (limit) => store.access.listAudit(limit),
  };
}

/** Names the button, never a typed text. */
export function describeAnswer(answer: Answer): string {
  if (answer.type === "allow") return answer.scope === "once" ? "allow once" : "allow for session";
  return answer.type === "deny" ? "deny" : "an answer";
}
