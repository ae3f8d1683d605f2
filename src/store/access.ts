import type { AuditView, PersonView } from "../protocol/reach.ts";
import type { Database } from "../sqlite/sqlite.ts";

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
  const pairingColumns =
    "id, channel, name, code_hash AS codeHash, wrong, created_at AS createdAt, expires_at AS expiresAt";
  return {
    listPeople: () =>
      db.all<PersonView>(
        "SELECT id, channel, sender, team, name, paired_at AS pairedAt FROM people ORDER BY paired_at",
      ),
    addPerson(p) {
      db.run(
        "DELETE FROM people WHERE channel = ? AND sender = ? AND team IS ?",
        p.channel,
        p.sender,
        p.team,
      );
      db.run(
        "INSERT INTO people (id, channel, sender, team, name, paired_at, origin) VALUES (?, ?, ?, ?, ?, ?, ?)",
        p.id,
        p.channel,
        p.sender,
        p.team,
        p.name,
        p.pairedAt,
        origin,
      );
    },
    removePerson: (id) => db.run("DELETE FROM people WHERE id = ?", id).changes === 1,
    listPendingPairings(nowMs) {
      db.run("DELETE FROM pairings WHERE expires_at <= ?", nowMs);
      return db.all<PairingRow>(`SELECT ${pairingColumns} FROM pairings ORDER BY created_at`);
    },
    addPairing(p) {
      db.run(
        "INSERT INTO pairings (id, channel, name, code_hash, wrong, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        p.id,
        p.channel,
        p.name,
        p.codeHash,
        p.wrong,
        p.createdAt,
        p.expiresAt,
      );
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
    addAudit(e) {
      db.run(
        "INSERT INTO audit (at, action, result, place, who, question_id, detail, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        e.at,
        e.action,
        e.result,
        e.place,
        e.who,
        e.questionId,
        e.detail,
        origin,
      );
    },
    listAudit: (limit) =>
      db.all<AuditView>(
        "SELECT seq, at, action, result, place, who, question_id AS questionId, detail FROM audit ORDER BY seq DESC LIMIT ?",
        limit,
      ),
  };
}
