/**
 * How much a name says about its value.
 * password: any value is secret; pass: the same, but the word has other meanings; credential: secret unless it reads
 * like a word; token: the same, and also a long number; random: secret if random; opaque: secret if random and not a
 * digest; address: may contain a password.
 */
type NameStrength = "password" | "pass" | "credential" | "token" | "random" | "opaque" | "address";

export interface SecretName {
  strength: NameStrength;
  kind: string;
}

const set = (words: string) => new Set(words.split(" "));

/** Words that may follow the noun: `API_KEY_PROD`, `password_new`, `SECRET_KEY_BASE`. */
const trailing = set(
  "value plain plaintext raw prod production dev test staging stage live old new b b64 base64 base v default string",
);
/** Before `key`: a credential, even if the value is not random. */
const secretKeys = set(
  "api access secret private preshared account shared sharedaccess subscription encryption encrypt decryption " +
    "signing sign signature master auth app application consumer license deploy service admin root hmac jwt crypt " +
    "cipher session storage ingest ingestion integration webhook bot personal ssh gpg client server wallet vault unseal recovery",
);
/** Before `key`: the key of a table, a cache or a file. */
const plainKeys = set(
  "public pub primary foreign sort partition range cache row route react list index lookup translation i18n locale " +
    "label title message idempotency dedup deduplication query map sorting shortcut hot arrow any on unique composite " +
    "json field column prop property event selection nextpage merge compare order hash file asset chunk module commit " +
    "block request trace object bucket s3 etag digest image resource entity record doc document config settings known " +
    "content last first next prev previous current registry input output state source page group cursor item node " +
    "tag meta context metric sub short press down up",
);
/** Before `token`: a position, a count, a signal or a piece of syntax. */
const plainTokens = set(
  "next page nextpage continuation continue cursor sync csrf xsrf cancellation cancel cancelation abort max min total " +
    "input output prompt completion syntax lexer parser current last prev previous first start end open close cached " +
    "reasoning known key string number comment keyword operator design per used",
);
/** Before `password`: a switch, a page or a question about one. */
const plainPasswords = set(
  "forgot forgotten reset show hide has is no change requires require use needs toggle with without ask",
);
/** Before `pass`: an iteration over something. */
const plainPasses = set(
  "first second third last next render shadow single double multi one two low high band all tests test final compiler " +
    "optimization opt by season board",
);

const passwordWord = /(?:passwords?|passwd|passphrase|passcode|passwort|kennwort|wachtwoord|contrasena)$/;
const gluedPass = /^(?!(?:by|com|tres|sur|encom|over|under|im|out|multi)pass$)[a-z]{2,}pass$/;
const gluedKey = /(?:api|access|secret|private|auth|encryption|signing|master|account|license|session|app)$/;
const gluedWord = /^([a-z]{2,})(keys?|tokens?|secrets?)$/;
const credentialName =
  /(?:credentials?|creds|bearer|crumb|sonarlogin|reporterid|mnemonic|seedphrase|recoveryphrase|authorization)$/;
const addressName =
  /(?:databaseurl|dburl|dsn|connectionstring|connstr|connectionuri|mongouri|mongodburi|redisurl|jdbcurl|postgresurl|mysqlurl)$/;

/** Every relevant name contains one of these; most names contain none. */
const quickName =
  /pass|pwd|pw|secret|token|key|auth|cred|bearer|sid|pat|dsn|ur[li]|conn|mnemonic|phrase|crumb|login|reporter|wort|woord|contrasena|psk|seed/i;

const cacheSize = 4096;
const cache = new Map<string, SecretName | undefined>();

/** Judges a value by the name of its variable, field, flag or header; undefined if the name says nothing. */
export function judgeName(name: string): SecretName | undefined {
  if (name.length < 2 || name.length > 120 || !quickName.test(name)) return undefined;
  if (cache.has(name)) return cache.get(name);
  const judged = judgeWords(name);
  if (cache.size >= cacheSize) cache.clear();
  cache.set(name, judged);
  return judged;
}

function judgeWords(name: string): SecretName | undefined {
  const words = splitWords(name);
  while (words.length > 1 && trailing.has(words.at(-1) ?? "")) words.pop();
  const flat = words.join("");
  let last = words.at(-1) ?? "";
  let before = words.at(-2) ?? "";
  if (isPasswordName(name, last, before)) return { strength: "password", kind: "password" };
  if (last === "pass") {
    if (before === "") return { strength: "pass", kind: "password" };
    return plainPasses.has(before) ? undefined : { strength: "password", kind: "password" };
  }
  if (addressName.test(flat)) return { strength: "address", kind: "connection-string" };
  const glued = gluedWord.exec(last);
  if (glued !== null) [, before = "", last = ""] = glued;
  const kind = credentialKind(flat);
  switch (last.replace(/s$/, "")) {
    case "secret":
      return { strength: "credential", kind };
    case "token":
      return plainTokens.has(before) ? undefined : { strength: "token", kind: "token" };
    case "key":
      return judgeKey(before, glued !== null, kind);
    case "auth":
    case "pat":
    case "sid":
      if (before === "o" || before === "un" || before === "no") return undefined;
      return { strength: last === "pat" && before !== "" ? "random" : "opaque", kind };
    case "id":
      if (before === "reporter") return { strength: "credential", kind };
      return before === "secret" ? { strength: "random", kind } : undefined;
    case "seed":
      return before === "" ? undefined : { strength: "random", kind };
    default:
      return credentialName.test(flat) ? { strength: "credential", kind } : undefined;
  }
}

function isPasswordName(name: string, last: string, before: string): boolean {
  if (passwordWord.test(last)) return !plainPasswords.has(before);
  // PWD and OLDPWD are the shell's working directories.
  if (last === "pwd" || last === "pw" || last === "psw" || last === "psk") return name !== "PWD";
  return gluedPass.test(last) || /^(?!old)[a-z]{2,}pwd$/.test(last);
}

function judgeKey(before: string, glued: boolean, kind: string): SecretName | undefined {
  if (secretKeys.has(before) || (glued && gluedKey.test(before))) return { strength: "credential", kind };
  if (before === "") return { strength: "opaque", kind };
  return glued || plainKeys.has(before) ? undefined : { strength: "random", kind };
}

/** `AWSSecretKey`, `aws_secret_key`, `aws-secret.key2` are the same three words. */
function splitWords(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|i18n|s3/g)?.map((word) => word.toLowerCase()) ?? [];
}

function credentialKind(flat: string): string {
  if (flat.includes("token") || flat.includes("bearer") || flat.includes("auth")) return "token";
  return flat.includes("key") ? "api-key" : "credential";
}
