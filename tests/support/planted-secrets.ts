import { createHash } from "node:crypto";

type Random = (length: number) => string;

/** A line with one secret; joined at run time, so that no line here looks like a credential. */
const forms: Readonly<Record<string, (random: Random) => string>> = {
  "The mirror is cloned with a personal token.": (random) => ["ghp", random(36)].join("_"),
  "Releases are published from the pipeline.": (random) => ["npm", random(36)].join("_"),
  "Payments of customers are captured at night.": (random) => ["sk", "live", random(24)].join("_"),
  "The assistant summarises tickets.": (random) => `sk-ant-api03-${random(60)}`,
  "Maps of the depots are loaded lazily.": (random) => `AIza${random(35)}`,
  "Build runners register themselves.": (random) => `glpat-${random(20)}`,
  "Chat alerts come from one bot.": (random) => ["xoxb", "1234567890", random(24)].join("-"),
  "Reports read from the replica.": (random) => `postgres://reporter:${random(20)}@db.internal/orders`,
  // With digits: letters only read as an identifier, and are kept.
  "The legacy importer logs in by form.": (random) => `password: ${random(20)}42`,
  "Uploads are signed by the gateway.": (random) => `client_secret = "${random(32)}"`,
};

export interface PlantedNote {
  about: string;
  lines: string[];
  secrets: string[];
}

/** One note for each form of secret, with `perNote` different ones. */
export function makePlantedNotes(perNote: number): PlantedNote[] {
  return Object.entries(forms).map(([about, make]) => {
    const secrets: string[] = [];
    const lines = Array.from({ length: perNote }, (_, index) =>
      make((length) => {
        const bytes = createHash("sha512").update(`${about}${index}`).digest("base64");
        const secret = bytes.replace(/[^A-Za-z0-9]/g, "").slice(0, length);
        secrets.push(secret);
        return secret;
      }),
    );
    return { about, lines, secrets };
  });
}
