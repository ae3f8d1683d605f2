/**
 * How much a name says about its value.
 * password: whatever is assigned is secret; credential: secret unless it reads like a word; token: the same, and
 * a long number as well; opaque: secret only if random; address: a place that may carry a password inside.
 */
type NameStrength = "password" | "credential" | "token" | "random" | "opaque" | "address";

export interface SecretName {
  strength: NameStrength;
  kind: string;
}

const suffix =
  "(?:value|plain|plaintext|prod|production|dev|test|staging|stage|live|old|new|b64|base64|v?\\d{1,2})?$";
const passwordName = new RegExp(
  `(?:passwords?|passwd|passphrase|passcode|userpass|dbpass|rootpass|adminpass|mysqlpass|smtppass|mailpass|ftppass|(?:^|[a-z])pwd|^pass|^pw)${suffix}`,
);
const credentialName = new RegExp(
  "(?:secrets?|secretkeybase|secretaccesskey|clientsecret|credentials?|creds|" +
    "(?:api|access|secret|private|preshared|account|shared|sharedaccess|primary|secondary|subscription|encryption|encrypt|signing|signature|master|auth|app|application|" +
    "consumer|license|deploy|service|admin|root|hmac|jwt|crypt|cipher|session|storage|ingest|ingestion|integration|webhook|bot|personal)keys?|" +
    `bearer|crumb|sonarlogin|reporterid|mnemonic|seedphrase|authorization|xapikey)${suffix}`,
);
const tokenName = new RegExp(`tokens?${suffix}`);
const opaqueName = new RegExp(`(?:keys?|auth|pat|sid)${suffix}`);
const addressName =
  /(?:databaseurl|dburl|dsn|connectionstring|connstr|connectionuri|mongouri|mongodburi|redisurl|jdbcurl|postgresurl|mysqlurl)$/;
/** Names that end like a secret and are none. */
const harmlessName =
  /(?:public|primary|foreign|sort|partition|hash|cache|object|row|route|react|list|index|lookup|translation|i18n|locale|message|idempotency|dedup|group|query|map|sorting|shortcut|hot|arrow|any|on|storage|json|config|settings|data|field|column|prop|property|event|state|selection|registry|page|nextpage|next|continuation|continue|cursor|sync|csrf|xsrf|cancellation|cancel|cancelation|abort|max|min|total|input|output|prompt|completion|syntax|lexer|parser|current|last|prev|previous|first|start|end|open|close|monkey|turkey|donkey|hockey|jockey|whiskey|known|session|content|integrity|commit|git|file|asset|chunk|module|build|source|body|password|etag|checksum|md5|sha\d*|block|tx|transaction)(?:keys?|tokens?|hash|sid)$|(?:bypass|compass|trespass|oauth|unauth|noauth|monkey)$/;

/** Every name above holds one of these; most names hold none. */
const quickName =
  /pass|pwd|pw|secret|token|key|auth|cred|bearer|sid|pat|sign|dsn|ur[li]|conn|mnemonic|seed|crumb|login|reporter/i;

/** What the name of a variable, field, flag or header says, or undefined if it says nothing. */
export function judgeName(name: string): SecretName | undefined {
  if (name.length < 2 || name.length > 120 || !quickName.test(name)) return undefined;
  const flat = flatten(name);
  if (passwordName.test(flat) || /[_.-]pass$/i.test(name)) return { strength: "password", kind: "password" };
  if (addressName.test(flat)) return { strength: "address", kind: "connection-string" };
  if (harmlessName.test(flat)) return undefined;
  if (credentialName.test(flat)) return { strength: "credential", kind: credentialKind(flat) };
  if (tokenName.test(flat)) return { strength: "token", kind: "token" };
  if (opaqueName.test(flat)) return { strength: "opaque", kind: credentialKind(flat) };
  return undefined;
}

function flatten(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

function credentialKind(flat: string): string {
  if (flat.includes("token") || flat.includes("bearer") || flat.includes("auth")) return "token";
  return flat.includes("key") ? "api-key" : "credential";
}
