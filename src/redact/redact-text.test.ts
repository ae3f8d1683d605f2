import { describe, expect, test } from "vitest";
import { fenceDeliveries } from "../domain/delivery/fence.ts";
import { redactText } from "./redact-text.ts";

/** Joins parts at run time, so that secret scanners do not flag this file. */
const join = (...parts: string[]) => parts.join("");
const random = (length: number) =>
  "q7Rz2LmX9vKp4TbW8nYc3HdJ6sFgQa1e5Ut0iOkVxZwNrPfMyBjGhDlSuEoCI2R4".repeat(5).slice(0, length);

describe("a secret is replaced by a placeholder that says its kind", () => {
  const rows: [string, string, string][] = [
    ["an AWS key", join("AK", "IAQ7RZ2LMX9VKP4TBW"), "aws-access-key"],
    ["a GitHub token", join("gh", "p_", random(36)), "github-token"],
    ["a fine-grained GitHub token", join("github", "_pat_", random(22), "_", random(59)), "github-token"],
    ["a GitLab token", join("gl", "pat-", random(20)), "gitlab-token"],
    ["an Anthropic key", join("sk-", "ant-api03-", random(90), "AA"), "anthropic-key"],
    ["an OpenAI key", join("sk-", "proj-", random(60)), "openai-key"],
    ["a Slack token", join("xo", "xb-123456789012-123456789012-", random(24)), "slack-token"],
    ["a Stripe key", join("sk_", "live_", random(24)), "stripe-key"],
    ["a Google key", join("AI", "za", random(35)), "google-api-key"],
    ["an npm token", join("npm", "_", random(36)), "npm-token"],
    ["a web token", join("ey", "J", random(30), ".ey", "J", random(40), ".", random(43)), "jwt"],
    ["a password hash", join("$2", "b$12$", random(53)), "password-hash"],
    ["a Telegram token", join("4839574813", ":AA", random(33)), "telegram-token"],
  ];
  test.each(rows)("%s, alone, in quotes, after an escaped line end and in colour", (_, secret, kind) => {
    for (const [before, after] of [
      ["", ""],
      ["use '", "' here"],
      ["a\\n", "\\nb"],
      ["\u001b[32m", "\u001b[0m"],
    ]) {
      expect(redactText(`${before}${secret}${after}`)).toEqual({
        text: `${before}[secret:${kind}]${after}`,
        hidden: 1,
        kinds: [kind],
      });
    }
  });

  test("a placeholder reveals neither the length nor any part of the secret", () => {
    const short = redactText(join("sk-", "ant-", random(30)));
    expect(redactText(join("sk-", "ant-", random(200)))).toEqual(short);
  });
});

describe("a value is hidden because of the name it is assigned to", () => {
  const rows: [string, string][] = [
    ["DB_PASSWORD=hunter", "DB_PASSWORD=[secret:password]"],
    ["export API_KEY=abcdefgh9", "export API_KEY=[secret:api-key]"],
    ["docker run -e POSTGRES_PASSWORD=postgres pg", "docker run -e POSTGRES_PASSWORD=[secret:password] pg"],
    ["      POSTGRES_PASSWORD: hunter2", "      POSTGRES_PASSWORD: [secret:password]"],
    ['{"password": "letmein"}', '{"password": "[secret:password]"}'],
    ['{\\"client_secret\\":\\"abcd1234efgh\\"}', '{\\"client_secret\\":\\"[secret:credential]\\"}'],
    ["spring.datasource.password=s3cret!", "spring.datasource.password=[secret:password]"],
    ["spring.mail.password=birnbaum", "spring.mail.password=[secret:password]"],
    ["mail_password = abcdefghijklmnop", "mail_password = [secret:password]"],
    [
      `https://b.s3.amazonaws.com/r.csv?X-Amz-Date=1&X-Amz-Signature=${"5d672d79c15b1316".repeat(4)}&n=1`,
      "https://b.s3.amazonaws.com/r.csv?X-Amz-Date=1&X-Amz-Signature=[secret:signature]&n=1",
    ],
    [
      `https://d1.cloudfront.net/v.mp4?Expires=17&Signature=${"aB3~dE6-gH9_".repeat(4)}&Key-Pair-Id=K1`,
      "https://d1.cloudfront.net/v.mp4?Expires=17&Signature=[secret:signature]&Key-Pair-Id=K1",
    ],
    ["WIFI:T:WPA;S:office;P:birnbaum2031;;", "WIFI:T:WPA;S:office;P:[secret:password];;"],
    ['password = "open9sesame"', 'password = "[secret:password]"'],
    ['const apiKey: string = "ab12cd34ef56";', 'const apiKey: string = "[secret:api-key]";'],
    ['var authToken string = "ab12cd34ef56"', 'var authToken string = "[secret:token]"'],
    ["<password>hunter2</password>", "<password>[secret:password]</password>"],
    ['"password" => "hunter2",', '"password" => "[secret:password]",'],
    ["- name: DB_PASSWORD\n  value: hunter2", "- name: DB_PASSWORD\n  value: [secret:password]"],
    ["mysql --password hunter2 -u me", "mysql --password [secret:password] -u me"],
    ["curl -u bob:hunter2 https://a.example", "curl -u bob:[secret:password] https://a.example"],
    ["Server=h;User Id=me;Password=word;", "Server=h;User Id=me;Password=[secret:password];"],
    ["machine h login me password hunter2", "machine h login me password [secret:password]"],
    ["the password is hunter2.", "the password is [secret:password]."],
    ["X-Api-Key: ab12cd34ef56gh78", "X-Api-Key: [secret:api-key]"],
    ["Authorization: Basic YTpiY2RlZg==", "Authorization: Basic [secret:authorization]"],
    ["Cookie: sid=abcdef; theme=dark", "Cookie: [secret:cookie]"],
    ["define('DB_PASSWORD', 'hunter22x');", "define('DB_PASSWORD', '[secret:password]');"],
    ['key = "q7Rz2LmX9v" +\n  "Kp4TbW8nYc"', 'key = "[secret:api-key]"'],
    ["API_TOKEN=q7Rz2LmX\\\n9vKp4TbW\nPORT=1", "API_TOKEN=[secret:token]\nPORT=1"],
    [
      'variable "db_password" {\n  default = "hunter2"',
      'variable "db_password" {\n  default = "[secret:password]"',
    ],
    [
      "<key>ApiToken</key>\n<string>q7Rz2LmX9vKp4TbW</string>",
      "<key>ApiToken</key>\n<string>[secret:token]</string>",
    ],
    [
      '"Name": "/prod/db_password", "Value": "hunter2"',
      '"Name": "/prod/db_password", "Value": "[secret:password]"',
    ],
    ["| api token | `q7Rz2LmX9vKp4TbW` |", "| api token | `[secret:token]` |"],
    [
      "user,password\nbob,hunter2\namy,tiger99",
      "user,password\nbob,[secret:password]\namy,[secret:password]",
    ],
    [
      "kind: Secret\ndata:\n  a.json: eyJhIjoxfQ==\nx: y1234",
      "kind: Secret\ndata:\n  a.json: [secret:kubernetes-secret]\nx: y1234",
    ],
  ];
  test.each(rows)("%s", (text, expected) => {
    expect(redactText(text).text).toBe(expected);
  });
});

describe("a name is split into words in any notation", () => {
  const value = "q7Rz2LmX9vKp4TbW8nYc3HdJ";
  const words = [
    ...[
      "git token",
      "admin token",
      "encryption key",
      "aws session token",
      "azure storage key",
      "session key",
    ],
    ...[
      "hub token",
      "file token",
      "config token",
      "secret key base",
      "data encryption key",
      "sync token secret",
    ],
  ].map((name) => name.split(" "));
  const pascal = (name: string[]) =>
    name.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  test.each(words.map((name) => [name]))("%s", (name) => {
    for (const text of [
      `${name.join("_").toUpperCase()}=§`,
      `${name.join("_")}: §`,
      `--${name.join("-")} §`,
      `{"${pascal(name)}":"§"}`,
      `x.${name.join(".")}=§`,
      `the ${name.join(" ")} is § now`,
    ]) {
      expect(redactText(text.replace("§", value)).text).toMatch(
        new RegExp(`^${text.replace(/[.{]/g, "\\$&").replace("§", "\\[secret:[a-z-]+\\]")}$`),
      );
    }
  });
  test.each([
    "nextPageToken",
    "sort_key",
    "PUBLIC_KEY",
    "cache-key",
    "max.tokens",
    "csrf token",
    "idempotencyKey",
  ])("%s is not the name of a secret", (name) => {
    expect(redactText(`"${name}": "${value}"`).hidden).toBe(0);
  });
});

describe("a value is hidden because of the words around it", () => {
  const rows: [string, string][] = [
    ["use hunter22 as the password", "use [secret:password] as the password"],
    ["the deploy token for staging is §.", "the deploy token for staging is [secret:token]."],
    ['set the password to "hunter22" now', 'set the password to "[secret:password]" now'],
    ["Das Passwort lautet Sommer2024! und", "Das Passwort lautet [secret:password] und"],
    ["la contraseña es Verano2024", "la contraseña es [secret:password]"],
    ["le mot de passe est ete2024x", "le mot de passe est [secret:password]"],
    ["a senha é verao2024", "a senha é [secret:password]"],
    ["пароль: Leto2024", "пароль: [secret:password]"],
    ["密码是 xiatian2024", "密码是 [secret:password]"],
    ["パスワードは natsu2024 です", "パスワードは [secret:password] です"],
    ["비밀번호는 yeoreum2024입니다", "비밀번호는 [secret:password]입니다"],
    ["das Kennwort wurde auf Sommer2024 geändert", "das Kennwort wurde auf [secret:password] geändert"],
    ["nimm Sommer2024 als Passwort", "nimm [secret:password] als Passwort"],
    ["usa Verano2024 como contraseña", "usa [secret:password] como contraseña"],
    ["le mot de passe est « Ete2024x »", "le mot de passe est « [secret:password] »"],
    ["utilise Ete2024x comme mot de passe", "utilise [secret:password] comme mot de passe"],
    ["mdp: Ete2024x", "mdp: [secret:password]"],
    ["a palavra-passe é Verao2024", "a palavra-passe é [secret:password]"],
    ["пароль от сервера Leto2024", "пароль от сервера [secret:password]"],
    ["используй Leto2024 как пароль", "используй [secret:password] как пароль"],
    ["с паролем Leto2024", "с паролем [secret:password]"],
    ["用 Xiatian2024 作为密码", "用 [secret:password] 作为密码"],
    ["口令:Xiatian2024", "口令:[secret:password]"],
    ["暗証番号は493817です", "暗証番号は[secret:password]です"],
    ["DB 비밀번호가 Yeoreum2024 이에요", "DB 비밀번호가 [secret:password] 이에요"],
    ["암호: Yeoreum2024", "암호: [secret:password]"],
    ["API 키는 § 입니다", "API 키는 [secret:token] 입니다"],
    ["the password's Tiger99x", "the password's [secret:password]"],
    ["user bob, password Tiger99x", "user bob, password [secret:password]"],
    ["I changed the password to Tiger99x", "I changed the password to [secret:password]"],
    ["credentials are bob:Tiger99x", "credentials are bob:[secret:password]"],
    ["the password is “Tiger99x”", "the password is “[secret:password]”"],
    ["Password:\n\n    Tiger99x\n", "Password:\n\n    [secret:password]\n"],
    ["Password:\n```\nTiger99x\n```", "Password:\n```\n[secret:password]\n```"],
    ["log in as admin / tiger99x", "log in as admin / [secret:password]"],
    ["db.example.com:5432:app:bob:tiger99", "db.example.com:5432:app:bob:[secret:password]"],
    ["redis-cli -h c -a tiger99 ping", "redis-cli -h c -a [secret:password] ping"],
    ["CREATE USER a IDENTIFIED BY 'tiger99';", "CREATE USER a IDENTIFIED BY '[secret:password]';"],
    [
      "echo 'tiger99' | docker login -u b --password-stdin",
      "echo '[secret:password]' | docker login -u b --password-stdin",
    ],
    [
      "otpauth://totp/A:b?secret=JBSWYDPEHPKPXPAB&issuer=A",
      "otpauth://totp/A:b?secret=[secret:otp-secret]&issuer=A",
    ],
    [
      "x.example\tTRUE\t/\tTRUE\t1799999999\tsid\tq7Rz2LmX",
      "x.example\tTRUE\t/\tTRUE\t1799999999\tsid\t[secret:cookie]",
    ],
    ["2FA secret: KRSXGZCTMVRXEZLU", "2FA secret: [secret:otp-secret]"],
    ["password - Tiger99x", "password - [secret:password]"],
    ["gh secret set API_KEY --body §", "gh secret set API_KEY --body [secret:credential]"],
    ["db_password    tiger99\nregion  eu", "db_password    [secret:password]\nregion  eu"],
  ];
  test.each(rows)("%s", (text, expected) => {
    expect(redactText(text.replace("§", random(30))).text).toBe(expected);
  });

  test("a wallet's seed phrase after a cue word", () => {
    const seed = "zone zoo zero zebra youth young yellow year yard wrong write wrist";
    const list = seed.split(" ").map((word, index) => `${index + 1}. ${word}`);
    expect(redactText(`seed phrase: ${seed}`).text).toBe("seed phrase: [secret:mnemonic]");
    expect(redactText(`Recovery phrase:\n${list.join("\n")}`).text).toBe(
      "Recovery phrase:\n[secret:mnemonic]",
    );
    for (const cue of ["wallet: ", "seed: ", "my 12 words:\n"])
      expect(redactText(`${cue}${seed}`).text).toBe(`${cue}[secret:mnemonic]`);
    expect(redactText("a mnemonic: the quick brown fox jumps over one lazy dog and runs away").hidden).toBe(
      0,
    );
  });

  test("an environment file or a private key in base64", () => {
    const encoded = btoa(`HOST=db\nDB_PASSWORD=tiger99\n`);
    expect(redactText(`FILE: ${encoded}`).text).toBe("FILE: [secret:encoded]");
    for (const content of ["export DB_PASS=tiger99\n", "postgres://a:tiger99@h/d"])
      expect(redactText(`FILE: ${btoa(content)}`).text).toBe("FILE: [secret:encoded]");
    const key = btoa(`${join("-----BEGIN ", "PRIVATE KEY-----")}\n${random(64)}\n`);
    expect(redactText(`data: ${key}`).text).toBe("data: [secret:encoded]");
    expect(redactText(`FILE: ${btoa("HOST=db\nPORT=5432\nNAME=the token service\n")}`).hidden).toBe(0);
  });
});

describe("a value is hidden because of its command or file format", () => {
  const rows = [
    "openssl enc -aes-256-cbc -k § -in a",
    "net use Z: \\\\host\\share § /user:bob",
    "rabbitmqctl add_user bob §",
    "rclone obscure §",
    "mariadb -h db -ubob -p§ shop",
    "mssql-cli -S h -U sa -P §",
    "curl --proxy-user bob:§ https://a.example",
    "ssh-keygen -t ed25519 -N '§' -f k",
    "ftp -n h <<EOF\nuser bob §\nEOF",
    'token = "".join(["§", "§"])',
    "kinit bob <<< §",
    "gcloud secrets create a --data-file=- <<< '§'",
    "echo -e '§\\n§' | passwd bob",
    "useradd -m -p § bob",
    "cargo login §",
    "vault login §",
    "poetry config pypi-token.pypi §",
    "echo § | wrangler secret put NAME",
    "kubectl create secret generic a --from-literal=name=§",
    "oathtool --totp -b §",
    "psql 'host=h user=a password=swordfish dbname=x'",
    "TF_VAR_db_password=swordfish terraform plan",
    '{"apiVersion":"v1","data":{"a":"§","b":"§"},"kind":"Secret"}',
    '{"kind":"Secret","metadata":{"name":"x"},"stringData":{"a":"§"}}',
    "kind: Secret\ndata: {a: §, b: §}\n",
    "kind: Secret\ndata:\n  # the first\n  a: §\n\n  b: §\n",
    "kind: Secret\nstringData:\n  a.conf: |\n    user = bob\n    word = §\n",
    "====== Data ======\nKey     Value\n---     -----\nname    §\nother   §\n",
    '"Name": "/prod/x",\n"Type": "SecureString",\n"Value": "§",',
    '  ~ password = "Summer2024" -> "§"',
    'document.cookie = "session=§; path=/"',
    'variable "db_password" {\n  type    = string\n  default = "swordfish"\n}',
    'variable "api_token" {\n  description = "A, b"\n  sensitive   = true\n\n  # c\n  default     = "§4T8n3H6s"\n}',
    'output "db_password" {\n  sensitive = true\n  value     = "swordfish"\n}',
    "| name | value |\n|---|---|\n| DB_PASSWORD | § |",
    "| Env | User | Pass |\n|:--|:--|:--|\n| prod | bob | § |",
    "|password|§|",
    "| `DB_PASSWORD` | § | prod |",
    "<tr><td>Password</td><td>§</td></tr>",
    "<th>password</th>\n  <td>§</td>",
    "  Password ......... §",
    "Zugangsdaten: bob / §",
    "token: |\n  §\n  §\n",
    'const key = ["§", "§"].join("")',
    'TOKEN="§""§"',
    'token = (\n  "§"\n  "§"\n)',
  ];
  test.each(rows)("%s", (text) => {
    const redacted = redactText(text.replaceAll("§", "q7Rz2LmX9vKp")).text;
    expect(redacted).not.toMatch(/q7Rz2LmX9vKp|swordfish/);
    expect(redacted).toContain("[secret:");
  });
});

describe("an address keeps everything except its password", () => {
  test.each(["postgres", "mysql", "mongodb+srv", "redis", "amqp", "https", "jdbc:mysql"])("%s", (scheme) => {
    expect(redactText(`${scheme}://me:p@ss9@db.example:99/x?y=1`).text).toBe(
      `${scheme}://me:[secret:url-password]@db.example:99/x?y=1`,
    );
  });
});

describe("a private key is hidden completely", () => {
  const head = join("-----BEGIN RSA ", "PRIVATE KEY-----");
  const tail = join("-----END RSA ", "PRIVATE KEY-----");
  const body = [random(64), random(64), "abcd=="];
  test.each([
    ["on lines", `${head}\n${body.join("\n")}\n${tail}`, ""],
    ["in JSON", `"${head}\\n${body.join("\\n")}\\n${tail}\\n"`, '""'],
    ["cut off", `${head}\n${random(64)}\n${random(30)}`, ""],
  ])("%s", (_, text, around) => {
    const redacted = redactText(text).text.replace("\\n", "");
    expect(redacted).toBe(around === "" ? "[secret:private-key]" : '"[secret:private-key]"');
  });
  test.each([
    ["after the marks of a diff", (line: string) => `+${line}`],
    ["after line numbers", (line: string, index: number) => `  ${index + 8}→${line}`],
    ["after tabbed line numbers", (line: string, index: number) => `     ${index + 8}\t${line}`],
    ["after the name of a file", (line: string, index: number) => `a/b.pem:${index + 8}:${line}`],
  ])("%s", (_, mark) => {
    expect(redactText([head, ...body, tail].map(mark).join("\n")).text).not.toContain(random(30));
  });
  test("without its first or last line", () => {
    expect(redactText(`${random(64)}\n${random(64)}\n${tail}`).text).toBe("[secret:private-key]");
    const bare = join("MIIEvQIBADAN", "BgkqhkiG9w0BAQEFAASC", random(32));
    expect(redactText(`${bare}\n${random(64)}`).text).toBe("[secret:private-key]");
  });
  test("but the mere name of its armour is not a key", () => {
    expect(redactText(`if (line === "${head}") start();`).hidden).toBe(0);
  });
});

describe("text that only names, fetches or represents a secret is kept", () => {
  test.each([
    "const password = getPassword();",
    "const key = process.env.API_KEY;",
    "password: string;",
    "function login(password: string, token?: string)",
    "password = os.environ['DB_PASSWORD']",
    "login(username=username, password=password)",
    "API_KEY=${SECRET}",
    "PASSWORD=$1",
    "TOKEN=<your token>",
    'password: "********"',
    "apiKey: this.apiKey,",
    'token: "Bearer"',
    'passwordLabel: "Your password"',
    'secretName: "my-app-secret-2"',
    '"pbkdf2-password": "1.2.1"',
    "https://example.com:8080/@scope/pkg",
    "https://${user}:${password}@host",
    "max_tokens: 4096",
    "sk-loading-indicator-animation-wrapper",
    "sk_X509_ATTRIBUTE_new_null_and_more(void)",
    "someone@example.com",
    "color: #a1b2c3d4; --accent-key: #ffffff",
    "IBAN DE89370400440532013000",
    "toolu_01A09q90qw90lq917835lq9a",
    '"session_id":"0b9c4d6e-1c1e-4a50-9b3e-5f0a3c8f9f11"',
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "dist/index-Bq3vK9xZ.js chunk-4f9d2a7c11e0.css",
    `"integrity": "sha512-${random(86)}=="`,
    `cacheKey: "${"0123456789abcdef".repeat(4)}"`,
    `<img src="data:image/png;base64,iVBORw0KGgo${random(300)}">`,
    "--- PASS: TestX2 (0.01s)",
    "tests pass: parser2 ok",
    "password: required",
    '{"password":"must be at least 8 characters"}',
    "the password is required; the token is valid",
    "Cache restored from key: linux-node-9fceb02d0ae598e95dc970b74767f19372d61af8",
    "docker run -p 8080:80 -u 1000:1000 app",
    "| password | string | required |",
    'type A = "password" | "iso-date2";',
    "auth.token,\nauth.key2,\nx509Transport,",
    "token = getToken2(user)",
    "TOKEN=changeme",
    "password reset",
    "password - see Handbook and Chapter12 of it",
    "ssh-keygen -N '' -f k",
    "mariadb -h db -P 3306 -p shop",
    'variable "db_password" {\n  type = string\n}\nvariable "region" {\n  default = "eu-west-2"\n}',
    "<td>Password</td><td>Required</td>",
    "|password|string2|",
    "| Test | Pass |\n|---|---|\n| TestX2 | 12 |\n| Test3 | Yes2 |",
    "Passwords ...... 12",
    'keys = ["alpha-one2", "beta-two2"].join(",")',
    "seed: one of the words that you chose for the first test of this whole new suite",
    "token: |\n  text of the token2\n  and more",
    "kind: ConfigMap\ndata: {a: q7Rz2LmX9vKp}",
    '{"kind":"ConfigMap","data":{"a":"q7Rz2LmX9vKp"}}',
    "kind: Secret\ndata:\n  # nothing yet\ntype: Opaque2",
    "cargo login --help",
    "vault login -method=userpass username=bob",
    "useradd -m -p '' bob2",
    "openssl dgst -sha256 -k2 file2",
    "grep -c needle <<< haystack2",
    "Key     Value\nname    q7Rz2LmX9vKp",
    "password Base64Encoder2 and password ResetForm2",
    "Password:\nPORT=8080",
    "an enclave: Region2024",
    "Passwort vergessen, siehe Handbuch2024",
    "密码 长度 8",
    "de clave primaria como id2",
    '"login.password": "Passwort", "reset.password": "Contraseña"',
    "this.form.password=password",
    "this.form.password=entered",
    "const Signature=defaultSignatureOfTheWholePackageAndMore_",
  ])("%s", (text) => {
    expect(redactText(text)).toEqual({ text, hidden: 0, kinds: [] });
  });
});

describe("private spans", () => {
  test.each([
    ["a <private>x</private> b", "a [private] b", 1],
    ["a <PRIVATE why='no'>x</Private > b", "a [private] b", 1],
    ["a <private>x<private>y</private>z</private> b", "a [private] b", 1],
    ["a <private>x</private><private>y</private>", "a [private][private]", 2],
    ["a <private>never closed", "a [private]", 1],
    ["a \\u003cprivate\\u003ex\\u003c/private\\u003e b", "a [private] b", 1],
    ["a </private> b <privateer> c", "a </private> b <privateer> c", 0],
  ])("%s", (text, expected, hidden) => {
    expect(redactText(text)).toEqual({ text: expected, hidden, kinds: hidden > 0 ? ["private"] : [] });
  });
});

describe("text that Rookery injected", () => {
  const delivery = { id: "d1", kind: "note", sender: "a", source: "mcp", body: "hello <b>", createdAt: 0 };
  test("is removed without a placeholder and does not count as hidden", () => {
    const { text } = fenceDeliveries([delivery, { ...delivery, id: "d2" }], 4000);
    expect(redactText(`before\n${text}\nafter`).text.replace(/\n+/g, "|")).toBe("before|after");
    expect(redactText(text).hidden).toBe(0);
  });
  test("is removed to the end if it was cut off, but a tag mentioned in a sentence removes nothing", () => {
    expect(redactText('x\n<rookery-memory at="1">\nlong').text).toBe("x\n");
    expect(redactText("we write <rookery-context> tags").text).toBe("we write <rookery-context> tags");
  });

  test.each([
    ["whole", 'mine\n<rookery-context file="yours" glue="n">\nOURS\n</rookery-context>\nmine'],
    [
      "with line numbers",
      '1→mine\n2→<rookery-context file="yours" glue="n">\n3→OURS\n4→</rookery-context>\n',
    ],
    ["to its middle", '     1\tmine\n     2\t<rookery-context file="yours" glue="n">\n     3\tOURS\n'],
    ["from its middle on", "     3\tOURS\n     4\t</rookery-context>\n     5\tmine\n"],
    ["in JSON", JSON.stringify({ content: '1→mine\n2→<rookery-context file="ours" glue="">\n3→OURS\n' })],
  ])("removes a section of a folder's CLAUDE.md, read %s", (_name, text) => {
    const redacted = redactText(text).text;
    expect(redacted).not.toContain("OURS");
    expect(redacted).toContain("mine");
  });
});

describe("a password of letters only", () => {
  test.each([
    ["password: swordfish", "password: [secret:password]"],
    ["  password: qwertyuiop\n", "  password: [secret:password]\n"],
    ["PASSWORD: sunshine", "PASSWORD: [secret:password]"],
    ["passwd: dragonfly", "passwd: [secret:password]"],
    ["pwd = monkeybusiness", "pwd = [secret:password]"],
    ["password=letmein", "password=[secret:password]"],
    ["Passphrase: opensesame", "Passphrase: [secret:password]"],
    ["Kennwort: sonnenschein", "Kennwort: [secret:password]"],
    ["the DB password: rosebud", "the DB password: [secret:password]"],
    ["user=bob password=swordfish sslmode=require", "user=bob password=[secret:password] sslmode=require"],
    ["createuser --password swordfish", "createuser --password [secret:password]"],
    ["mysql -pswordfish", "mysql -p[secret:password]"],
  ])("%j is hidden", (text, hidden) => {
    expect(redactText(text).text).toBe(hidden);
  });

  test.each([
    "password: required",
    "tests pass: all",
    "pass: everything",
    "password: incorrect",
    "Password: must be at least 8 characters",
    "password: hashed",
    "password: expired",
    "password: rotated yesterday",
    "password: varchar",
    "password: nullable",
    "password: authentication",
    "password: string",
    "password: PasswordHash",
    "password: newPassword",
    "password: user.password",
    "{ username, password: entered }",
    "Enter password: ",
    "use --password to log in",
    "mysqldump --password prompts",
    "the password is required",
    "bypass: enabled",
    "First pass: lexing",
  ])("%j is not a password", (text) => {
    expect(redactText(text).text).toBe(text);
  });
});
