import type { AuditView, PersonView } from "../protocol/reach.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { openRowTable } from "./row-table.ts";

interface PairingRow {
  id: string;
  channel: string;
  /** The person whose account is paired. */
  name: string;
  codeHash: string;
  wrong: number;
  createdAt: number;
  expiresAt: number;
}

export interface AccessTables {
  listPeople(): PersonView[];
  addPerson(person: PersonView): void;
  removePerson(id: string): boolean;
  /** Pairings that have not expired. */
  listPendingPairings(nowMs: number): PairingRow[];
  addPairing(pairing: PairingRow): void;
  removePairing(id: string): void;
  /** Counts a wrong code on this channel. */
  countWrong(channel: string): void;
  voidPairings(channel: string): void;
  /** The earlier reply to this action, if it was received before. */
  findReply(channel: string, id: string): string | undefined;
  storeReply(channel: string, id: string, result: string, receivedAt: number): void;
  purgeReplies(before: number): void;
  addAudit(entry: Omit<AuditView, "seq">): void;
  /** Newest first. */
  listAudit(limit: number): AuditView[];
}

export function openAccessTables(db: Database, origin: string): AccessTables {
  const people = openRowTable<PersonView>(db, "people", "id, channel, sender, team, name, paired_at");
  const pairingColumns = "id, channel, name, code_hash, wrong, created_at, expires_at";
  const pairings = openRowTable<PairingRow>(db, "pairings", pairingColumns);
  const auditColumns = "seq, at, action, result, place, who, question_id, detail";
  const audit = openRowTable<AuditView>(db, "audit", auditColumns);
  return {
    listPeople: () => db.all<PersonView>(`${people.select} ORDER BY paired_at`),
    addPerson(p) {
      db.run(
        "DELETE FROM people WHERE channel = ? AND sender = ? AND team IS ?",
        p.channel,
        p.sender,
        p.team,
      );
      people.insert(p, { origin });
    },
    removePerson: (id) => db.run("DELETE FROM people WHERE id = ?", id).changes === 1,
    listPendingPairings(nowMs) {
      db.run("DELETE FROM pairings WHERE expires_at <= ?", nowMs);
      return db.all<PairingRow>(`${pairings.select} ORDER BY created_at`);
    },
    addPairing(pairing) {
      pairings.insert(pairing);
    },
    removePairing(id) {
      db.run("DELETE FROM pairings WHERE id = ?", id);
    },
    countWrong(channel) {
      db.run("UPDATE pairings SET wrong = wrong + 1 WHERE channel = ?", channel);
    },
    voidPairings(channel) {
      db.run("DELETE FROM pairings WHERE channel = ?", channel);
    },
    findReply: (channel, id) =>
      db.get<{ result: string }>("SELECT result FROM replies WHERE channel = ? AND id = ?", channel, id)
        ?.result,
    storeReply(channel, id, result, receivedAt) {
      db.run(
        "INSERT INTO replies (channel, id, result, received_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        channel,
        id,
        result,
        receivedAt,
      );
    },
    purgeReplies(before) {
      db.run("DELETE FROM replies WHERE received_at < ?", before);
    },
    addAudit(entry) {
      audit.insert(entry, { origin });
    },
    listAudit: (limit) => db.all<AuditView>(`${audit.select} ORDER BY seq DESC LIMIT ?`, limit),
  };
}
