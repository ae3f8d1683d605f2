import {
  alnum,
  base64,
  base64Alphabet,
  camel,
  digits,
  dotted,
  hex,
  kebab,
  lower,
  type Parts,
  pascal,
  privateKey,
  snake,
  spaced,
  upper,
} from "./redact-generator.ts";

/** The parts that the rules were written for. */
export const tuned: Parts = {
  names: [
    ...[
      "db password",
      "database pass",
      "ldap bind password",
      "redis passwd",
      "passphrase",
      "pgpassword",
      "root pwd",
      "user password",
      "password",
      "sudo password",
      "ssl key password",
      "basic auth password",
    ].map((name) => ({ words: name.split(" "), holds: "password" as const })),
    ...[
      "git token",
      "admin token",
      "encryption key",
      "aws session token",
      "aws secret access key",
      "azure storage key",
      "session key",
      "api key",
      "client secret",
      "access token",
      "auth token",
      "bot token",
      "secret key",
      "secret key base",
      "app secret",
      "master key",
      "signing secret",
      "private key",
      "hub token",
      "ci job token",
      "data encryption key",
      "service account key",
      "webhook secret",
      "stripe api key",
      "jwt secret",
      "sync token secret",
      "csrf secret",
      "github pat",
      "openai key",
      "license key",
      "file token",
      "group token",
      "page access token",
      "object storage secret",
      "message signing key",
      "tx signing key",
      "event hub key",
      "config token",
      "last fm api secret",
      "cron secret",
      "session secret",
      "api token",
    ].map((name) => ({ words: name.split(" "), holds: "credential" as const })),
  ],
  values: [
    {
      kind: "word, digits, sign",
      holds: "password",
      make: (dice) => `${dice.pick(capital)}${dice.text(digits, 4)}!`,
    },
    {
      kind: "word and digits",
      holds: "password",
      make: (dice) => `${dice.pick(words)}${dice.text(digits, 2)}`,
    },
    {
      kind: "signs between",
      holds: "password",
      make: (dice) => `${dice.pick(words)}_${dice.pick(capital)}#${dice.below(99)}`,
    },
    { kind: "drawn 12", holds: "password", make: (dice) => `${dice.text(alnum, 10)}9x` },
    { kind: "drawn with signs", holds: "password", make: (dice) => `${dice.text(`${alnum}^@-+=`, 18)}3k` },
    { kind: "hex 32", holds: "credential", make: (dice) => dice.text(hex, 32) },
    { kind: "hex 64", holds: "credential", make: (dice) => dice.text(hex, 64) },
    { kind: "base64 44", holds: "credential", make: (dice) => `${dice.text(base64Alphabet, 43)}=` },
    { kind: "alnum 40", holds: "credential", make: (dice) => dice.text(alnum, 40) },
    { kind: "base64url 32", holds: "credential", make: (dice) => `${dice.text(`${alnum}-_`, 31)}8` },
    {
      kind: "uuid",
      holds: "credential",
      make: (dice) => [8, 4, 4, 4, 12].map((length) => dice.text(hex, length)).join("-"),
    },
    {
      kind: "own prefix",
      holds: "credential",
      make: (dice) => `${dice.pick(["prod", "live", "acme", "tok"])}_${dice.text(lower + digits, 24)}`,
    },
  ],
  places: [
    { place: "env file", render: (name, value) => `PORT=3000\n${upper(name)}=${value}\nDEBUG=1` },
    { place: "quoted env file", render: (name, value) => `${upper(name)}='${value}'\n` },
    { place: "inline environment", render: (name, value) => `${upper(name)}=${value} npm run deploy` },
    {
      place: "docker -e",
      render: (name, value) => `docker run --rm -e ${upper(name)}=${value} -p 80:80 app`,
    },
    { place: "flag", render: (name, value) => `tool login --${kebab(name)} ${value} --region eu` },
    { place: "quoted flag", render: (name, value) => `tool --${kebab(name)} "${value}"` },
    {
      place: "helm --set",
      render: (name, value) => `helm upgrade app ./chart --set auth.${camel(name)}=${value} --wait`,
    },
    {
      place: "header",
      render: (name, value) =>
        `GET / HTTP/1.1\nHost: a.example\nX-${kebab(name.map((word) => pascal([word])))}: ${value}\n`,
    },
    {
      place: "curl -H",
      render: (name, value) => `curl -s -H '${kebab(name).toUpperCase()}: ${value}' https://a.example`,
    },
    {
      place: "form body",
      render: (name, value) => ({
        text: `grant_type=client&${snake(name)}=${encodeURIComponent(value)}&scope=all`,
        secret: encodeURIComponent(value),
      }),
    },
    {
      place: "kubernetes YAML",
      render: (name, value) => ({
        text: `apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\ntype: Opaque\ndata:\n  user: YWRtaW4=\n  ${kebab(name)}: ${base64(value)}\n`,
        secret: base64(value),
      }),
    },
    {
      place: "kubernetes stringData",
      render: (name, value) => `kind: Secret\nstringData:\n  ${snake(name)}: ${value}\n`,
    },
    {
      place: "kubectl literal",
      render: (name, value) => `kubectl create secret generic app --from-literal=${kebab(name)}=${value}`,
    },
    {
      place: "vault put",
      render: (name, value) => `vault kv put secret/app user=bob ${snake(name)}=${value}`,
    },
    {
      place: "ssm put",
      render: (name, value) =>
        `aws ssm put-parameter --name /prod/${snake(name)} --type SecureString --value ${value}`,
    },
    { place: "tfvars", render: (name, value) => `region = "eu"\n${snake(name).padEnd(30)} = "${value}"\n` },
    {
      place: "terraform state",
      render: (name, value) =>
        JSON.stringify(
          { type: "app", instances: [{ attributes: { id: "x", [snake(name)]: value } }] },
          null,
          2,
        ),
    },
    { place: "terraform output", render: (name, value) => `Outputs:\n\n${snake(name)} = "${value}"\n` },
    { place: "INI", render: (name, value) => `[main]\nhost = db\n${snake(name)} = ${value}\nport = 1\n` },
    { place: "properties", render: (name, value) => `app.${dotted(name)}=${value}\napp.port=1` },
    { place: "YAML", render: (name, value) => `server:\n  port: 80\n  ${snake(name)}: ${value}\n` },
    { place: "quoted YAML", render: (name, value) => `  ${camel(name)}: "${value}"` },
    {
      place: "XML element",
      render: (name, value) => `<settings><${camel(name)}>${value}</${camel(name)}></settings>`,
    },
    { place: "JSON", render: (name, value) => JSON.stringify({ host: "a", [camel(name)]: value, port: 1 }) },
    {
      place: "JSON in JSON",
      render: (name, value) => JSON.stringify({ body: JSON.stringify({ [snake(name)]: value }) }),
    },
    {
      place: "name and value",
      render: (name, value) => JSON.stringify([{ name: upper(name), value }], null, 2),
    },
    {
      place: "JavaScript object",
      render: (name, value) => `const client = connect({ host, ${camel(name)}: '${value}', port });`,
    },
    {
      place: "constant",
      render: (name, value) => `private static final String ${upper(name)} = "${value}";`,
    },
    { place: "PHP define", render: (name, value) => `define('${upper(name)}', '${value}');` },
    { place: "Go Setenv", render: (name, value) => `os.Setenv("${upper(name)}", "${value}")` },
    {
      place: "set of Windows",
      render: (name, value) => `C:\\> set ${upper(name)}=${value}\r\nC:\\> app.exe`,
    },
    { place: "systemd", render: (name, value) => `[Service]\nEnvironment="${upper(name)}=${value}"\n` },
    {
      place: "compose list",
      render: (name, value) => `    environment:\n      - ${upper(name)}=${value}\n      - PORT=80`,
    },
    {
      place: "logfmt",
      render: (name, value) => `level=info msg="connected" ${snake(name)}=${value} took=3ms`,
    },
    { place: "gh secret", render: (name, value) => `gh secret set ${upper(name)} --body ${value}` },
    { place: "heroku", render: (name, value) => `heroku config:set ${upper(name)}=${value} -a app` },
    { place: "git config", render: (name, value) => `git config --global acme.${camel(name)} ${value}` },
    {
      place: "Markdown table",
      render: (name, value) =>
        `| setting | value |\n|---|---|\n| ${spaced(name)} | \`${value}\` |\n| port | 80 |`,
    },
    {
      place: "ASCII table",
      render: (name, value) => `+------+------+\n| ${upper(name)} | ${value} |\n+------+------+`,
    },
    { place: "Markdown list", render: (name, value) => `- **${spaced(name)}**: \`${value}\`\n- port: 80` },
    {
      place: "diff",
      render: (name, value) => `@@ -1,2 +1,2 @@\n-${upper(name)}=old\n+${upper(name)}=${value}\n PORT=80`,
    },
    { place: "numbered lines", render: (name, value) => `     3\t${upper(name)}=${value}\n     4\tPORT=80` },
    {
      place: "numbered by arrow",
      render: (name, value) => `    12→${snake(name)}: ${value}\n    13→port: 80`,
    },
    {
      place: "concatenation",
      render: (name, value) => ({
        text: `const ${camel(name)} = "${value.slice(0, value.length / 2)}" +\n  "${value.slice(value.length / 2)}";`,
        secret: value.slice(value.length / 2),
      }),
    },
    {
      place: "continued line",
      render: (name, value) => ({
        text: `${upper(name)}=${value.slice(0, value.length / 2)}\\\n${value.slice(value.length / 2)}\nPORT=1`,
        secret: value.slice(value.length / 2),
      }),
    },
    {
      place: "prose, is",
      render: (name, value) => `The ${spaced(name)} is ${value} and it works on staging.`,
    },
    { place: "prose, colon", render: (name, value) => `here is the ${spaced(name)}: ${value}` },
    { place: "prose, use", render: (name, value) => `use ${value} as the ${spaced(name)} please` },
    { place: "prose, quoted", render: (name, value) => `Set the ${spaced(name)} to "${value}" and restart.` },
    {
      place: "prose, German",
      holds: "password",
      render: (_, value) => `Das Passwort lautet ${value} und der Port ist 5432.`,
    },
    {
      place: "prose, German, colon",
      holds: "password",
      render: (_, value) => `Kennwort: ${value}\nBenutzer: bob`,
    },
    {
      place: "prose, French",
      holds: "password",
      render: (_, value) => `le mot de passe est ${value} pour la base`,
    },
    {
      place: "prose, Russian",
      holds: "password",
      render: (_, value) => `пароль от базы: ${value}, логин admin`,
    },
    { place: "prose, Japanese", holds: "password", render: (_, value) => `パスワードは ${value} です` },
    { place: "prose, Chinese, colon", holds: "password", render: (_, value) => `密码:${value}` },
    {
      place: "terminal prompt",
      holds: "password",
      render: (_, value) => `Username: bob\nPassword: ${value}\nLogin ok`,
    },
    {
      place: "curl -u",
      holds: "password",
      render: (_, value) => `curl -sS -u bob:${value} https://a.example/api`,
    },
    {
      place: "mysql -p",
      holds: "password",
      render: (_, value) => `mysql -h db -u root -p${value} shop < dump.sql`,
    },
    { place: "sshpass", holds: "password", render: (_, value) => `sshpass -p '${value}' ssh root@host` },
    {
      place: "docker login",
      holds: "password",
      render: (_, value) => `docker login -u bob -p ${value} registry.example.com`,
    },
    {
      place: "userinfo",
      holds: "password",
      render: (_, value) => ({
        text: `postgres://app:${encodeURIComponent(value)}@db:5432/app`,
        secret: encodeURIComponent(value),
      }),
    },
    {
      place: "pgpass",
      holds: "password",
      render: (_, value) => `db.example.com:5432:app:bob:${value}\n`,
    },
    {
      place: "netrc",
      holds: "password",
      render: (_, value) => `machine h.example login bob password ${value}`,
    },
    {
      place: "create user",
      holds: "password",
      render: (_, value) => `CREATE USER 'app'@'%' IDENTIFIED BY '${value}';`,
    },
    { place: "npmrc", render: (_, value) => `//registry.example.com/:_authToken=${value}\n` },
    { place: "chpasswd", holds: "password", render: (_, value) => `echo "bob:${value}" | chpasswd` },
    {
      place: "connection string",
      holds: "password",
      render: (_, value) => `Server=db;Database=app;User Id=sa;Password=${value};Encrypt=true`,
    },
  ],
  wholes: [
    {
      place: "otpauth",
      make: (dice) => {
        const secret = dice.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16);
        return { text: `otpauth://totp/Acme:bob@example.com?secret=${secret}&issuer=Acme`, secret };
      },
    },
    {
      place: "mnemonic",
      make: (dice) => {
        const secret = Array.from({ length: 12 }, () => dice.pick(bip39)).join(" ");
        return { text: `my recovery phrase: ${secret}\nkeep it safe`, secret };
      },
    },
    {
      place: "quoted mnemonic",
      make: (dice) => {
        const secret = Array.from({ length: 12 }, () => dice.pick(bip39)).join(" ");
        return { text: `MNEMONIC="${secret}"`, secret };
      },
    },
    {
      place: "cookie jar",
      make: (dice) => {
        const secret = dice.text(alnum, 32);
        return {
          text: `# Netscape HTTP Cookie File\n#HttpOnly_.example.com\tTRUE\t/\tTRUE\t1799999999\tsid\t${secret}\n`,
          secret,
        };
      },
    },
    {
      place: "cookie",
      make: (dice) => {
        const secret = dice.text(alnum, 26);
        return { text: `curl --cookie "session=${secret}" https://a.example`, secret };
      },
    },
    {
      place: "key in a diff",
      make: (dice) => keyWith(dice.text(base64Alphabet, 64 * 5), (line) => `+${line}`),
    },
    {
      place: "key by arrow numbers",
      make: (dice) =>
        keyWith(
          dice.text(base64Alphabet, 64 * 5),
          (line, index) => `${String(index + 1).padStart(5)}→${line}`,
        ),
    },
    {
      place: "key by grep",
      make: (dice) =>
        keyWith(dice.text(base64Alphabet, 64 * 5), (line, index) => `certs/a.pem:${index + 1}:${line}`),
    },
    {
      place: "indented key",
      make: (dice) => keyWith(dice.text(base64Alphabet, 64 * 5), (line) => `      ${line}`),
    },
    {
      place: "key without armour",
      make: (dice) => {
        const lines =
          `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ${dice.text(base64Alphabet, 64 * 6)}`.match(
            /.{64}/g,
          ) ?? [];
        return { text: lines.join("\n"), secret: lines[3] ?? "" };
      },
    },
    {
      place: "OpenSSH key without armour",
      make: (dice) => {
        const secret = `b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAA${dice.text(base64Alphabet, 120)}`;
        return { text: `key: ${secret}`, secret };
      },
    },
    {
      place: "base64 of an env file",
      make: (dice) => {
        const secret = base64(
          `DB_HOST=db\nDB_PASSWORD=${dice.pick(words)}${dice.text(digits, 4)}\nSECRET_KEY=${dice.text(hex, 32)}\n`,
        );
        return { text: `ENV_FILE: ${secret}`, secret };
      },
    },
    {
      place: "docker auth",
      make: (dice) => {
        const secret = base64(`bob:${dice.text(alnum, 14)}`);
        return { text: JSON.stringify({ auths: { "ghcr.io": { auth: secret } } }, null, 2), secret };
      },
    },
    {
      place: "bearer",
      make: (dice) => {
        const secret = dice.text(alnum, 28);
        return { text: `Authorization: Bearer ${secret}`, secret };
      },
    },
    {
      place: "AWS credentials",
      make: (dice) => {
        const secret = dice.text(base64Alphabet, 40);
        return {
          text: `[default]\naws_access_key_id = AKIA${dice.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)}\naws_secret_access_key = ${secret}\n`,
          secret,
        };
      },
    },
  ],
  innocents: [
    {
      kind: "jest",
      make: (dice) =>
        `PASS src/${dice.pick(words)}.test.ts\nTests: ${dice.below(99)} passed, ${dice.below(99)} total\ntests pass: ${dice.pick(words)}${dice.below(99)}`,
    },
    {
      kind: "pass label",
      make: (dice) =>
        `--- PASS: Test${pascal([dice.pick(words)])}${dice.below(9)}\npass: ${dice.below(400)}\nfirst pass: ${dice.pick(words)} ok; pass=${dice.below(9)}`,
    },
    {
      kind: "password words",
      make: (dice) =>
        dice.pick([
          "password: required",
          "password reset link sent to the user",
          "Password: must contain 8 characters",
          "the password is required",
          "the password is incorrect for this user",
          "password is hashed with bcrypt12 rounds",
          "Passwort: erforderlich",
          "mot de passe oublié",
          "forgot password flow v2",
        ]),
    },
    {
      kind: "types",
      make: (dice) =>
        `function ${dice.pick(words)}(password: string, apiKey?: string | undefined, token: AuthToken2): Promise<void>`,
    },
    {
      kind: "types in Rust",
      make: (dice) =>
        `pub struct ${pascal([dice.pick(words)])} { secret_key: Option<String>, token: &'static str, key: [u8; 32] }`,
    },
    {
      kind: "placeholders",
      make: (dice) =>
        `${dice.pick(["API_KEY", "GITHUB_TOKEN", "DB_PASSWORD", "SECRET_KEY"])}=${dice.pick(["<your-token>", "${TOKEN}", "xxxxxxxx", "your-api-key", "REPLACE_ME", "<redacted>", "********", "$SECRET", "{{ .Values.token }}", "%TOKEN%", "TODO", "sk-...", "example"])}`,
    },
    {
      kind: "GitHub expression",
      make: (dice) =>
        `env:\n  ${upper([dice.pick(words), "token"])}: \${{ secrets.${upper([dice.pick(words), "token"])} }}`,
    },
    {
      kind: "code",
      make: (dice) =>
        dice.pick([
          `token = getToken()`,
          `const key = map.get(${dice.pick(words)}Key);`,
          `let secret = config.secret ?? defaultSecret;`,
          `password = req.body.password`,
          `this.apiKey = options.apiKey2;`,
          `auth_token = generate_token_v2(user)`,
          `if (token === expectedToken1) {`,
          `key: row.primaryKey1,`,
          `const sessionKey = makeKey("${dice.pick(words)}", 2);`,
        ]),
    },
    {
      kind: "commit",
      make: (dice) =>
        `commit ${dice.text(hex, 40)}\nMerge: ${dice.text(hex, 7)} ${dice.text(hex, 7)}\n    auth: refresh the token earlier`,
    },
    {
      kind: "short log",
      make: (dice) =>
        `${dice.text(hex, 7)} token: handle expiry\n${dice.text(hex, 8)} password: add a strength meter`,
    },
    {
      kind: "ids",
      make: (dice) =>
        JSON.stringify({
          session_id: [8, 4, 4, 4, 12].map((length) => dice.text(hex, length)).join("-"),
          tool_use_id: `toolu_01${dice.text(alnum, 22)}`,
          request_id: `req_${dice.text(alnum, 24)}`,
          id: `msg_${dice.text(alnum, 24)}`,
        }),
    },
    {
      kind: "lockfile",
      make: (dice) =>
        `"node_modules/${dice.pick(words)}": {\n  "resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz",\n  "integrity": "sha512-${dice.text(base64Alphabet, 86)}=="`,
    },
    {
      kind: "yarn lock",
      make: (dice) =>
        `  resolution: "${dice.pick(words)}@npm:1.2.3"\n  checksum: 10c0/${dice.text(hex, 128)}`,
    },
    {
      kind: "cargo lock",
      make: (dice) =>
        `name = "${dice.pick(words)}"\nversion = "1.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${dice.text(hex, 64)}"`,
    },
    {
      kind: "etag",
      make: (dice) =>
        `ETag: "${dice.text(hex, 32)}"\nX-Request-Id: ${dice.text(hex, 32)}\nX-Amz-Cf-Id: ${dice.text(`${alnum}-_`, 54)}==`,
    },
    {
      kind: "identifiers of data",
      make: (dice) =>
        JSON.stringify({
          idempotencyKey: dice.text(hex, 32),
          primaryKey: `id${dice.below(99)}`,
          cacheKey: dice.text(hex, 40),
          sortKey: `user#${dice.below(999)}`,
          partitionKey: dice.text(alnum, 20),
          cursor: dice.text(alnum, 30),
          syncToken: dice.text(alnum, 24),
          continuationToken: dice.text(alnum, 30),
          publicKey: dice.text(base64Alphabet, 44),
        }),
    },
    {
      kind: "translation keys",
      make: (dice) =>
        `{ key: "settings.${dice.pick(words)}.title2", labelKey: "auth.password.reset", messageKey: "E${dice.below(999)}" }`,
    },
    {
      kind: "public keys",
      make: (dice) =>
        `-----BEGIN PUBLIC KEY-----\n${dice.text(base64Alphabet, 64)}\n${dice.text(base64Alphabet, 64)}\n-----END PUBLIC KEY-----\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${dice.text(base64Alphabet, 43)} ${dice.pick(words)}@host\nSHA256:${dice.text(base64Alphabet, 43)}`,
    },
    {
      kind: "tokens counted",
      make: (dice) =>
        `max_tokens: ${dice.below(9999)}, total_tokens=${dice.below(99999)}, tokens: ${dice.below(9999)}, "prompt_tokens": ${dice.below(9999)}`,
    },
    {
      kind: "URLs",
      make: (dice) =>
        `https://example.com/reset-password?step=${dice.below(9)}&lang=en https://host:8080/a@b/${dice.text(hex, 40)} git@github.com:acme/${dice.pick(words)}.git`,
    },
    {
      kind: "paths",
      make: (dice) =>
        `/home/bob/.ssh/id_ed25519.pub ~/.config/${dice.pick(words)}/credentials.json SSH_KEY_PATH=/etc/ssl/private/${dice.pick(words)}-${dice.below(99)}.pem key_file: certs/${dice.pick(words)}2.key`,
    },
    {
      kind: "flags",
      make: (dice) =>
        `tool --password-file /run/secrets/pw${dice.below(9)} --token-ttl ${dice.below(90)}m --key-type rsa4096 --password-stdin -p ${dice.below(9999)}:80 -u root:root2group`,
    },
    {
      kind: "terminal",
      make: (dice) =>
        `$ mkdir -p build${dice.below(9)} && cp -p a.txt b.txt && ssh -p 2222 host && docker run -p 8080:80 -u 1000:1000 app && git push -u origin feature/${dice.pick(words)}-${dice.below(99)}`,
    },
    {
      kind: "prose",
      make: (dice) =>
        dice.pick([
          `We use a token bucket; the key is the user id${dice.below(9)}.`,
          `The access token is refreshed by client2 every hour.`,
          `Set the password to expire in ${dice.below(90)} days.`,
          `pass the token as the first argument: see auth.ts:${dice.below(99)}`,
          `Secret scanning: no secrets found in ${dice.below(99)} files`,
          `The session key is derived from the password with PBKDF2-SHA256.`,
          `api key: see 1Password`,
          `The API key is stored in Keychain since v2.3.1`,
          `use react-query2 as the key library`,
          `Key: value pairs; Token: a unit of text`,
          `the primary key is user_id2`,
        ]),
    },
    {
      kind: "database",
      make: (dice) =>
        ` id | name | email\n----+------+------\n ${dice.below(99)} | ${dice.pick(words)} | a${dice.below(9)}@example.com\nPRIMARY KEY (id), FOREIGN KEY (user_id2) REFERENCES users(id), KEY idx_token2 (token)`,
    },
    {
      kind: "table",
      make: (dice) =>
        `| option | default | description |\n|---|---|---|\n| token | none | the access token (v${dice.below(9)}) |\n| password | - | required when auth=basic2 |\n| key | ${dice.pick(words)} | cache key |`,
    },
    {
      kind: "data",
      make: (dice) =>
        `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${dice.text(base64Alphabet, 400)}">\n//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJz${dice.text(base64Alphabet, 300)}`,
    },
    {
      kind: "certificate",
      make: (dice) =>
        `-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIE${dice.text(base64Alphabet, 44)}\n${dice.text(base64Alphabet, 64)}\n-----END CERTIFICATE-----`,
    },
    {
      kind: "kubernetes",
      make: (dice) =>
        `kind: ConfigMap\ndata:\n  key: ${dice.pick(words)}\n---\nsecretKeyRef:\n  name: app-secret${dice.below(9)}\n  key: db-password\nsecretName: tls-cert-${dice.below(99)}\ntokenReview: true`,
    },
    {
      kind: "assembly of words",
      make: (dice) =>
        `the mnemonic for ${dice.pick(words)}: a short word that helps one to remember a longer list of things to do every single day`,
    },
    {
      kind: "timing",
      make: (dice) =>
        `12:30:${10 + dice.below(40)} login as bob / session ${dice.below(999)}; 10.0.0.${dice.below(255)}:5432:open:tcp:1`,
    },
    {
      kind: "lexer",
      make: (dice) =>
        `Token(type=IDENT, value="${dice.pick(words)}${dice.below(9)}") token: Identifier2 nextToken=${dice.pick(words)}1 keyToken: "${dice.pick(words)}"`,
    },
    {
      kind: "generic",
      make: (dice) =>
        `key=${dice.pick(words)}${dice.below(9)} auth=none sid=${dice.below(99)} pat: ${dice.pick(words)} keyboard: us`,
    },
  ],
};

function keyWith(
  body: string,
  mark: (line: string, index: number) => string,
): { text: string; secret: string } {
  const lines = body.match(/.{64}/g) ?? [];
  const armoured = [`-----BEGIN RSA ${privateKey}-----`, ...lines, `-----END RSA ${privateKey}-----`];
  return { text: `${armoured.map(mark).join("\n")}\n`, secret: lines[3] ?? "" };
}

const words = [
  "apple",
  "marble",
  "tiger",
  "galaxy",
  "pepper",
  "silver",
  "rocket",
  "forest",
  "candle",
  "puzzle",
  "bridge",
  "comet",
];
const capital = ["Summer", "Monkey", "Welcome", "Berlin", "Football", "Shadow"];
const bip39 =
  "zone zoo zero zebra youth young yellow year yard wrong write wrist wrestle wreck wrap worth worry world work word wool wood wonder woman wolf witness wise wish wire winter wine window wild width wife whisper wheat whale wet west weird weekend web weather wear weapon wealth weasel wave water wash warrior".split(
    " ",
  );
