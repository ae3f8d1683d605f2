import type { ShapeRule } from "./shape-rule.ts";

/** Vendor-independent forms: web tokens, schemes of the Authorization header, password hashes, commands. */
export const accessRules: readonly ShapeRule[] = [
  {
    kind: "jwt",
    at: ["eyJ"],
    shape: /(?<![_-])eyJ[\w-]{8,}\.(?:eyJ[\w-]{8,}\.[\w-]*|[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})/y,
  },
  {
    kind: "bearer-token",
    at: ["Bearer ", "bearer ", "BEARER "],
    shape: /bearer[ \t]{1,4}([\w~+/.-]{16,}={0,3})/iy,
    random: true,
  },
  { kind: "basic-auth", at: ["Basic ", "basic "], shape: /basic[ \t]{1,4}([\w+/-]{10,}={1,2})/iy },
  { kind: "password-hash", at: ["$2"], shape: /\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{50,53}/y },
  {
    kind: "password-hash",
    at: ["$apr1$", "$1$", "$5$", "$6$", "$8$", "$9$", "$y$"],
    shape: /\$(?:apr1|[15689y])\$[^\s:"'`$]{1,40}\$(?:[^\s:"'`$]{1,24}\$)?[./A-Za-z0-9]{20,}/y,
  },
  { kind: "password-hash", at: ["$argon2"], shape: /\$argon2i?d?\$v=\d+\$[\w=,]+\$[\w+/=]+\$[\w+/=]{20,}/y },
  { kind: "password-hash", at: ["pbkdf2_"], shape: /pbkdf2_sha\d+\$\d+\$[^\s$"']+\$[\w+/=]{20,}/y },
  { kind: "password-hash", at: ["{SHA}", "{SSHA}"], shape: /\{S?SHA\}[\w+/]{26,}={0,2}/y },
  { kind: "password", at: ["login "], shape: /login[ \t]+\S{1,80}\s+password[ \t]+(\S{3,200})/y },
  {
    kind: "password",
    at: ["-u", "--user"],
    // Without the name of the command this could be a user and a group.
    shape:
      /(?:-u|--user)(?:=|[ \t]+)["']?[A-Za-z][\w.@+-]{0,80}:((?=[\w.-]{0,60}[!@#$%^&*+=?~]|[\w.-]{12})[^\s"'`$<{[][^\s"'`]{2,200})/y,
  },
  { kind: "password", at: ["sshpass "], shape: /sshpass[ \t]+-p[ \t]*["']?([^\s"'`$<[-][^\s"'`]{2,200})/y },
  {
    kind: "password",
    at: ["mysql", "mysqldump", "mariadb"],
    shape:
      /(?:mysql(?:dump|admin)?|mariadb(?:-dump|-admin)?)[ \t](?:[^\n|;]{0,80}?[ \t])?-p([^\s"'`$<[-][^\s"'`]{2,200})/y,
  },
  {
    kind: "password",
    at: ["jdbc:oracle:"],
    shape: /jdbc:oracle:\w+:[\w.$-]{1,80}\/([^\s"'`@$<[]{2,200})(?=@)/y,
  },
  {
    kind: "token",
    at: ["-H", "--header"],
    shape:
      /(?:-H|--header)[= \t]\s{0,20}["'][\w-]{0,40}(?:key|token|secret|auth)[\w-]{0,20}:\s{0,8}([^"'`\s$<{[][^"'`\s]{7,})/iy,
  },
  {
    kind: "session-cookie",
    at: ["_session=", "sessionid=", "PHPSESSID=", "JSESSIONID=", "connect.sid="],
    shape: /(?:_session|(?:PHP|J)?SESS(?:ION)?ID|connect\.sid)=([\w%.-]{20,})/iy,
    inside: true,
    random: true,
  },
  { kind: "jwt", at: ["ZXlK"], shape: /ZXlK[\w+/\\-]{40,}={0,2}/y },
  {
    kind: "password",
    at: ["assword is ", "ASSWORD is "],
    shape:
      /assword is:?[ \t]{1,4}["'`“”]?((?<=["'`“”])[^\s"'`“”]{4,64}|(?=[^\s"'`“”]{0,63}\d)[^\s"'`“”,;]{3,63}[^\s"'`“”,;.:])/iy,
    inside: true,
  },
  {
    kind: "password",
    at: ["assword for "],
    shape: /assword for [^\n"']{0,30}["'][^"'\n]{1,40}["'] is ["']([^"'\n]{3,60})/y,
    inside: true,
  },
  {
    kind: "password",
    at: ["-u"],
    shape: /-u[ \t]{1,4}\S{1,60}[ \t]{1,4}-p[ \t]{0,4}["']?([^\s"'`$%<[-][^\s"'`]{2,200})/y,
  },
  {
    kind: "password",
    at: ["NetworkCredential", "HTTPBasicAuth", "BasicAuth"],
    shape:
      /(?:NetworkCredential|(?:HTTP)?BasicAuth)\s{0,80}\(\s{0,80}["'][^"'\n]{1,80}["']\s{0,80},\s{0,80}["']([^"'\n$<{[][^"'\n]{2,100})(?=["'])/y,
  },
  {
    kind: "password",
    at: ["DirectoryEntry"],
    shape:
      /DirectoryEntry\s{0,8}\((?:\s{0,80}["'][^"'\n]{1,100}["']\s{0,80},){2}\s{0,80}["']([^"'\n$<{[][^"'\n]{2,100})(?=["'])/y,
  },
  { kind: "azure-sas", at: ["sig="], shape: /sig=([A-Za-z0-9%+/]{40,}(?:%3[dD]|=){0,2})/y },
  { kind: "signature", at: ["Signature="], shape: /(?<=[?&-])Signature=([\w~%-]{40,})/y },
  { kind: "password", at: ["WIFI:"], shape: /WIFI:(?:[A-OQ-Z]:[^;\n]{0,64};){1,4}P:([^;\n]{4,64})(?=;)/y },
];
