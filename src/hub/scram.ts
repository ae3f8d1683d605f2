import { createHmac, hash, pbkdf2Sync, randomBytes } from "node:crypto";

const iterations = 4096;

/** A new password: 192 random bits. */
export function makePassword(): string {
  return randomBytes(24).toString("base64url");
}

/** The form in which PostgreSQL stores a password: the password itself never reaches the server. */
export function makeVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const sign = (key: string): Buffer => createHmac("sha256", salted).update(key).digest();
  const storedKey = hash("sha256", sign("Client Key"), "base64");
  const serverKey = sign("Server Key").toString("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
