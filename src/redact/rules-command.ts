import type { ShapeRule } from "./shape-rule.ts";

const quote = "[\"']?";
const value = "([^\\s\"'`$<[{(-][^\\s\"'`]{3,200})";

/** `command … -x VALUE` on one line, where `-x` is that command's short flag for a password. */
function shortFlag(commands: readonly string[], flag: string): ShapeRule {
  return {
    kind: "password",
    at: commands.map((command) => `${command} `),
    shape: new RegExp(`[\\w-]+ (?:[^\\n|;&]{0,200}? )?${flag}${quote}${value}`, "y"),
  };
}

/** Passwords as arguments of command-line tools. */
export const commandRules: readonly ShapeRule[] = [
  shortFlag(["docker login", "podman login", "buildah login", "oc login", "registry login"], "-p[= ]"),
  shortFlag(["mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport"], "-p[= ]?"),
  shortFlag(["redis-cli"], "-a[= ]"),
  shortFlag(["ssh-keygen"], "-N "),
  shortFlag(
    ["sqlcmd", "mssql-cli", "bcp", "ipmitool", "mosquitto_pub", "mosquitto_sub", "unzip", "zip"],
    "-P[= ]?",
  ),
  shortFlag(["ldapsearch", "ldapmodify", "ldapadd", "ldapwhoami", "ldapdelete"], "-w[= ]"),
  shortFlag(["add-generic-password", "add-internet-password"], "-w[= ]"),
  shortFlag(["smbclient", "winexe", "rpcclient"], "-U ?[\"']?[\\w.\\\\@/-]{1,60}%"),
  shortFlag(["lftp"], "-u ?[\\w.@-]{1,60},"),
  shortFlag(["http", "https", "xh"], "(?:-a|--auth)[= ][\"']?[\\w.@-]{1,60}:"),
  shortFlag(["7z", "7za", "rar"], "-p"),
  shortFlag(["xfreerdp", "cmdkey", "wfreerdp"], "/p(?:ass)?:"),
  shortFlag(["htpasswd"], "-\\w*b\\w* \\S{1,100} \\S{1,60} "),
  shortFlag(["wpa_passphrase"], "\\S{1,60} "),
  shortFlag(["curl", "wget"], "(?:-\\w*u|--user|--proxy-user|-A)[= ]?[\"']?[^\\s\"':]{1,80}:"),
  { kind: "password", at: ["pass:"], shape: new RegExp(`(?<=-pass(?:in|out)? ["']?)pass:${value}`, "y") },
  {
    kind: "password",
    at: ["sqlplus "],
    shape: /sqlplus (?:-\w+ ){0,3}["']?[\w$]{1,60}\/([^\s"'`@$<[]{3,100})(?=@)/y,
  },
  shortFlag(["doctl auth"], "-t[= ]"),
  shortFlag(["openssl enc", "openssl aes-256-cbc"], "-k "),
  shortFlag(["useradd", "usermod"], "(?:-p|--password)[= ]"),
  shortFlag(["oathtool"], "(?:-b|--base32) "),
  shortFlag(["rabbitmqctl"], "(?:add_user|change_password) \\S{1,60} "),
  {
    kind: "credential",
    at: ["cargo login ", "vault login ", "rclone obscure ", "config pypi-token."],
    shape: new RegExp(
      `(?:cargo login|vault login|rclone obscure|config pypi-token\\.[\\w-]{1,40}) ${quote}(?!\\w{1,40}=)${value}`,
      "y",
    ),
  },
  {
    kind: "credential",
    at: ["--from-literal"],
    shape: /--from-literal[= ]["']?[\w.-]{1,253}=([^\s"'`$<[{(][^\s"'`]{2,2000})/y,
  },
  {
    // These commands read the password from a here-string.
    kind: "password",
    at: [
      "kinit ",
      "secrets create ",
      "secrets versions add ",
      "secret put ",
      "secret set ",
      "--password-stdin ",
    ],
    shape: new RegExp(`[\\w-]{1,20}(?: [^\\n|;&<]{0,200})? <<< ?${quote}${value}`, "y"),
  },
  {
    kind: "password",
    at: ["net use "],
    shape:
      /net use (?:[^\n]{0,80}?\/user:\S{1,60} |(?:[A-Z*]:? )?\\\\\S{1,80} (?=\S{4,100} \/user))([^\s"'`$<[*/][^\s"'`]{3,100})/y,
  },
  {
    kind: "password",
    at: ["ConvertTo-SecureString "],
    shape: /ConvertTo-SecureString (?:-String )?["']([^"'$\n]{4,200})(?=["'])/y,
  },
  {
    kind: "password",
    at: ["auth=("],
    shape: /auth=\(\s{0,8}["'][^"'\n]{1,80}["'],\s{0,8}["']([^"'\n]{4,200})(?=["'])/y,
  },
  {
    kind: "credential",
    at: ["jwt.sign(", "jwt.verify(", "jwt.encode(", "jwt.decode("],
    shape: /jwt\.\w{4,6}\([^,\n]{1,80},\s{0,8}["']([^"'\s]{8,200})(?=["'])/y,
  },
  {
    // The user, then the password, as arguments of a call.
    kind: "password",
    at: [
      ".login(",
      "getConnection(",
      "mysqli_connect(",
      "new PDO(",
      "WiFi.begin(",
      "basic_auth(",
      "sasl_plain(",
    ],
    shape:
      /[\w. ]{3,20}\((?:[^\s"'(),]{1,60},\s{0,8}|["'][^"'\n]{1,100}["'],\s{0,8}){1,2}["']((?=[^"'\s]{0,100}\d)[^"'\s]{5,100})(?=["'])/y,
    inside: true,
  },
  { kind: "credential", at: ["operator unseal "], shape: /operator unseal ([A-Za-z0-9+/=]{20,})/y },
  {
    kind: "password",
    at: ["IDENTIFIED ", "identified "],
    shape: /identified (?:with [\w']{1,40} )?by (?:password )?["']([^"'\n]{3,200})(?=["'])/iy,
  },
  {
    kind: "password",
    at: ["echo ", "printf "],
    shape:
      /(?:echo|printf)[ \t]+(?:-\w{1,3}[ \t]+)?["']?(?:[\w.@-]{1,60}:(?=[^\n|]{0,210}\|[ \t]{0,4}(?:sudo )?chpasswd))?([^\s"'`$<|][^\s"'`|]{3,200})(?=["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]+-S|(?:sudo )?chpasswd|(?:sudo )?passwd|gh auth login|[\w.-]{1,30} secrets? (?:put|set|create|versions add)\b|[^\n|]{0,160}(?:--password-stdin|--with-token|--passphrase-fd|--pass-stdin)))/y,
  },
  {
    kind: "cookie",
    at: ["\tTRUE\t", "\tFALSE\t"],
    shape: /\t(?:TRUE|FALSE)\t\/[^\s]{0,200}\t(?:TRUE|FALSE)\t\d{1,16}\t[^\s]{1,200}\t([^\s]{4,4096})/y,
    inside: true,
  },
  {
    kind: "cookie",
    at: ["--cookie ", "-b "],
    shape: /(?:--cookie|-b)[ \t]+["']?((?:[\w.-]{1,80}=[^\s;"'`$<[{][^\s;"'`]{5,4096}(?:;[ \t]*)?){1,20})/y,
  },
  {
    kind: "cookie",
    at: ["document.cookie"],
    shape: /document\.cookie ?\+?= ?["'`]([\w.-]{1,80}=[^\s;"'`$<[{]{6,4096})/y,
  },
  {
    // Parameter Store: the name of a secret parameter need not say that it is secret.
    kind: "credential",
    at: ["SecureString"],
    shape: /SecureString\\?",?\s{0,40}\\?"Value\\?":\s{0,8}\\?"([^"\\\n[]{3,4096})/y,
    inside: true,
  },
  {
    kind: "password",
    at: [":5432:", ":5433:", ":6432:", ":*:"],
    shape: /:(?:\d{4}|\*):[\w.*-]{1,63}:[\w.@*-]{1,63}:((?:[^\s"'`$<:\\]|\\[:\\]){3,80})(?=\s|$|\\n)/y,
    inside: true,
  },
  {
    kind: "otp-secret",
    at: ["2FA ", "MFA ", "TOTP ", "OTP "],
    shape: /[0-9A-Z]{3,4} (?:secret|seed|key)(?: is)?[:=]? {0,2}["'`]?([A-Z2-7]{16,64})(?![A-Za-z0-9])/y,
  },
  {
    kind: "password",
    at: ["\nuser "],
    shape: /(?<=<<-?["']?\w{1,12}["']?)\nuser \S{1,60} ([^\s"'`$<[]{4,100})(?=\n)/y,
    inside: true,
  },
  {
    kind: "otp-secret",
    at: ["otpauth://", "otpauth-migration://"],
    shape: /otpauth(?:-migration)?:\/\/[^\s"'`<>]{0,300}?[?&](?:secret|data)=([A-Za-z0-9%+/=]{8,2000})/y,
  },
  {
    kind: "password",
    at: [
      "og in as ",
      "og in with ",
      "ogin as ",
      "ogin with ",
      "ign in as ",
      "ign in with ",
      "redentials are ",
      "redentials: ",
      "reds: ",
      "reds are ",
      "ogin: ",
      "ugangsdaten: ",
      "redenciales: ",
      "redenciais: ",
      "dentifiants: ",
    ],
    shape:
      /[a-z ]{3,16}:? ["'`]?[\w.@+-]{2,60}["'`]? ?(?:\/|:|and|with(?: the)? password) ?["'`]?((?=[^\s"'`]{0,60}\d)(?=[^\s"'`]{0,60}[A-Za-z])[^\s"'`,;]{5,60}[^\s"'`,;.:)])/y,
    inside: true,
  },
];
