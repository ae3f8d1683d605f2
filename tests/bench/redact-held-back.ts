import {
  alnum,
  base64,
  base64Alphabet,
  camel,
  type Dice,
  digits,
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

/** Held out: look at the totals only. A rule written for one of these parts makes the measurement worthless. */
export const heldBack: Parts = {
  names: [
    { words: ["mysql", "root", "password"], holds: "password" },
    { words: ["smtp", "pass"], holds: "password" },
    { words: ["admin", "pwd"], holds: "password" },
    { words: ["keystore", "password"], holds: "password" },
    { words: ["wifi", "passphrase"], holds: "password" },
    { words: ["deploy", "token"], holds: "credential" },
    { words: ["content", "api", "key"], holds: "credential" },
    { words: ["state", "encryption", "key"], holds: "credential" },
    { words: ["registry", "token"], holds: "credential" },
    { words: ["cookie", "secret"], holds: "credential" },
    { words: ["next", "auth", "secret"], holds: "credential" },
    { words: ["cache", "storage", "key"], holds: "credential" },
    { words: ["source", "access", "token"], holds: "credential" },
    { words: ["hmac", "secret"], holds: "credential" },
    { words: ["refresh", "token"], holds: "credential" },
    { words: ["build", "signing", "key"], holds: "credential" },
  ],
  values: [
    { kind: "leet", holds: "password", make: (dice) => `P@ssw0rd${dice.text(digits, 3)}` },
    {
      kind: "word and year",
      holds: "password",
      make: (dice) => `${dice.pick(words)}20${dice.text(digits, 2)}`,
    },
    {
      kind: "three words",
      holds: "password",
      make: (dice) => `${dice.pick(words)}-${dice.pick(words)}-${dice.pick(words)}${dice.below(90)}`,
    },
    { kind: "drawn password", holds: "password", make: (dice) => `${dice.text(`${alnum}!%*_`, 14)}7b` },
    { kind: "hex 40", holds: "credential", make: (dice) => dice.text(hex, 40) },
    {
      kind: "base32",
      holds: "credential",
      make: (dice) => dice.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 32),
    },
    { kind: "alnum 24", holds: "credential", make: (dice) => dice.text(alnum, 24) },
    { kind: "lower 20", holds: "credential", make: (dice) => `${dice.text(lower + digits, 19)}4` },
    { kind: "base64 64", holds: "credential", make: (dice) => dice.text(base64Alphabet, 64) },
  ],
  places: [
    { place: "shell export", render: (name, value) => `export ${upper(name)}="${value}"\nnpm start` },
    {
      place: "build argument",
      render: (name, value) => `docker build --build-arg ${upper(name)}=${value} -t app .`,
    },
    {
      place: "Dockerfile ENV",
      render: (name, value) => `FROM node:22\nENV ${upper(name)} ${value}\nRUN npm ci`,
    },
    { place: "flag with equals", render: (name, value) => `./run --${kebab(name)}=${value} --verbose` },
    { place: "java property", render: (name, value) => `java -D${name.join(".")}=${value} -jar app.jar` },
    {
      place: "query",
      render: (name, value) => ({
        text: `GET https://api.example.com/v1/items?limit=5&${snake(name)}=${encodeURIComponent(value)}`,
        secret: encodeURIComponent(value),
      }),
    },
    {
      place: "kubernetes JSON",
      render: (name, value) => ({
        text: JSON.stringify(
          {
            apiVersion: "v1",
            kind: "Secret",
            metadata: { name: "app" },
            data: { [kebab(name)]: base64(value) },
          },
          null,
          2,
        ),
        secret: base64(value),
      }),
    },
    {
      place: "vault get",
      render: (name, value) =>
        `====== Data ======\nKey              Value\n---              -----\nregion           eu-west-1\n${snake(name)}    ${value}\n`,
    },
    {
      place: "ssm get",
      render: (name, value) =>
        JSON.stringify(
          { Parameter: { Name: `/prod/api/${snake(name)}`, Type: "SecureString", Value: value, Version: 3 } },
          null,
          4,
        ),
    },
    {
      place: "terraform plan",
      render: (name, value) =>
        `  ~ resource "app_service" "main" {\n      + ${snake(name)}     = "${value}"\n      + region = "eu"`,
    },
    {
      place: "terraform variable",
      render: (name, value) => `variable "${snake(name)}" {\n  type    = string\n  default = "${value}"\n}`,
    },
    {
      place: "TOML",
      render: (name, value) => `[service]\nurl = "https://a.example"\n${snake(name)} = '${value}'\n`,
    },
    {
      place: "XML attribute",
      render: (name, value) =>
        `<appSettings>\n  <add key="${pascal(name)}" value="${value.replaceAll("&", "")}" />`,
    },
    {
      place: "plist",
      render: (name, value) => `<dict>\n\t<key>${pascal(name)}</key>\n\t<string>${value}</string>\n</dict>`,
    },
    {
      place: "python dict",
      render: (name, value) => `config = {'host': 'db', '${snake(name)}': '${value}'}`,
    },
    { place: "ruby ENV", render: (name, value) => `ENV['${upper(name)}'] = '${value}'` },
    { place: "java call", render: (name, value) => `System.setProperty("${name.join(".")}", "${value}");` },
    { place: "powershell", render: (name, value) => `PS C:\\> $env:${upper(name)} = "${value}"` },
    { place: "setx", render: (name, value) => `setx ${upper(name)} ${value}` },
    { place: "fish", render: (name, value) => `set -gx ${upper(name)} ${value}` },
    { place: "fly secrets", render: (name, value) => `fly secrets set ${upper(name)}=${value} --app web` },
    {
      place: "table of psql",
      render: (name, value) =>
        ` id |      name      |  value\n----+----------------+---------\n  1 | ${snake(name)} | ${value}\n(1 row)`,
    },
    {
      place: "compose map",
      render: (name, value) =>
        `services:\n  api:\n    environment:\n      ${upper(name)}: ${value}\n      PORT: 80`,
    },
    {
      place: "JSON body",
      render: (name, value) =>
        `curl -X POST https://a.example/login -d '{"user":"bob","${camel(name)}":"${value}"}'`,
    },
    {
      place: "grep output",
      render: (name, value) => `deploy/prod.env:14:${upper(name)}=${value}\ndeploy/prod.env:15:PORT=80`,
    },
    {
      place: "two string parts",
      render: (name, value) => ({
        text: `${snake(name)} = ("${value.slice(0, Math.ceil(value.length / 2))}"\n    "${value.slice(Math.ceil(value.length / 2))}")`,
        secret: value.slice(Math.ceil(value.length / 2)),
      }),
    },
    {
      place: "prose, for",
      render: (name, value) =>
        `I rotated it: the new ${spaced(name)} for staging is ${value}, please update the pipeline.`,
    },
    {
      place: "prose, Spanish",
      holds: "password",
      render: (_, value) => `La contraseña del servidor es ${value} y el puerto 5432.`,
    },
    {
      place: "prose, Portuguese",
      holds: "password",
      render: (_, value) => `a senha é ${value}, pode testar agora`,
    },
    {
      place: "prose, Chinese",
      holds: "password",
      render: (_, value) => `数据库的密码是 ${value},请不要告诉别人`,
    },
    {
      place: "user slash password",
      holds: "password",
      render: (_, value) => `You can log in as admin / ${value} on staging.`,
    },
    {
      place: "redis-cli",
      holds: "password",
      render: (_, value) => `redis-cli -h cache.internal -a ${value} ping`,
    },
    {
      place: "alter role",
      holds: "password",
      render: (_, value) => `ALTER ROLE app WITH LOGIN PASSWORD '${value}';`,
    },
    { place: "my.cnf", holds: "password", render: (_, value) => `[client]\nuser=app\npassword="${value}"\n` },
    {
      place: "netrc on lines",
      holds: "password",
      render: (_, value) => `machine git.example.com\n  login bob\n  password ${value}\n`,
    },
    {
      place: "piped to login",
      render: (_, value) => `echo "${value}" | docker login ghcr.io -u bob --password-stdin`,
    },
  ],
  wholes: [
    {
      place: "set-cookie",
      make: (dice) => {
        const secret = dice.text(alnum, 32);
        return { text: `< HTTP/2 200\n< Set-Cookie: sid=${secret}; Path=/; HttpOnly`, secret };
      },
    },
    {
      place: "numbered mnemonic",
      make: (dice) => {
        const list = Array.from({ length: 24 }, () => dice.pick(bip39));
        return {
          text: `Wallet seed phrase (24 words):\n${list.map((word, index) => `${index + 1}. ${word}`).join("\n")}`,
          secret: list.map((word, index) => `${index + 1}. ${word}`).join("\n"),
        };
      },
    },
    {
      place: "key tail",
      make: (dice) => {
        const lines = Array.from({ length: 6 }, () => dice.text(base64Alphabet, 64));
        return { text: `${lines.join("\n")}\n-----END RSA ${privateKey}-----`, secret: lines[5] ?? "" };
      },
    },
    {
      place: "key by cat -n",
      make: (dice) => {
        const lines = Array.from({ length: 5 }, () => dice.text(base64Alphabet, 64));
        return {
          text: [`-----BEGIN ${privateKey}-----`, ...lines, `-----END ${privateKey}-----`]
            .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
            .join("\n"),
          secret: lines[3] ?? "",
        };
      },
    },
    {
      place: "git remote",
      make: (dice) => {
        const secret = dice.text(alnum, 30);
        return { text: `origin\thttps://${secret}@git.example.com/team/app.git (fetch)`, secret };
      },
    },
    {
      place: "decoded env",
      make: (dice) => {
        const secret = base64(
          `PORT=80\nDB_PASSWORD=${makeWordPassword(dice)}\nAPI_TOKEN=${dice.text(hex, 32)}\n`,
        );
        return { text: `echo '${secret}' | base64 -d > .env`, secret };
      },
    },
    {
      place: "authorization token",
      make: (dice) => {
        const secret = dice.text(hex, 40);
        return { text: `-H "Authorization: Token ${secret}"`, secret };
      },
    },
  ],
  innocents: [
    {
      kind: "go test",
      make: (dice) =>
        `=== RUN   Test${dice.pick(capital)}${dice.below(9)}\n--- PASS: Test${dice.pick(capital)}${dice.below(99)} (0.0${dice.below(9)}s)\nok  example.com/${dice.pick(words)}  0.31s`,
    },
    {
      kind: "reset flow",
      make: (dice) =>
        `The password reset for ${dice.pick(words)}@example.com expires in ${dice.below(90)} minutes; see docs/reset-${dice.below(99)}.md`,
    },
    {
      kind: "type",
      make: (dice) =>
        `interface ${dice.pick(capital)} {\n  password: ${dice.pick(["string", "SecureString", "string | null", "Buffer"])};\n  ${dice.pick(words)}Token?: ${dice.pick(["string", "CancellationToken", "Token"])};\n}`,
    },
    {
      kind: "call",
      make: (dice) =>
        `const ${dice.pick(words)}Token = await get${dice.pick(capital)}Token(${dice.pick(words)}.id);`,
    },
    {
      kind: "placeholder",
      make: (dice) =>
        `${upper([dice.pick(words), "token"])}=${dice.pick(["<your-token>", "${TOKEN}", "xxx", "changeme", "your_token_here", "$(cat token)", "{{ token }}", "..."])}`,
    },
    {
      kind: "sha256sum",
      make: (dice) => `${dice.text(hex, 64)}  ${dice.pick(words)}-${dice.below(9)}.tar.gz`,
    },
    { kind: "cache key", make: (dice) => `Cache restored from key: linux-node-${dice.text(hex, 40)}` },
    {
      kind: "pagination",
      make: (dice) => `{"items":[],"nextPageToken":"${dice.text(alnum, 24)}","total":${dice.below(900)}}`,
    },
    {
      kind: "validation",
      make: (dice) =>
        `{"errors":{"password":"${dice.pick(["must be at least 8 characters", "is required", "too short", "does not match"])}","${dice.pick(words)}":"ok"}}`,
    },
    {
      kind: "public key",
      make: (dice) =>
        `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${dice.text(base64Alphabet, 200)} ${dice.pick(words)}@host`,
    },
    {
      kind: "prose",
      make: (dice) =>
        `The token is ${dice.pick(["valid", "refreshed by the client", "stored in the keychain", "missing", "checked twice"])}, and the key is ${dice.pick(["the user id", "unique", "hashed", "not used"])}.`,
    },
    {
      kind: "docker pull",
      make: (dice) =>
        `Digest: sha256:${dice.text(hex, 64)}\nStatus: Downloaded newer image for ${dice.pick(words)}:${dice.below(30)}`,
    },
    {
      kind: "token use",
      make: (dice) =>
        `usage: input_tokens=${dice.below(90000)} output_tokens=${dice.below(9000)} cache_read_input_tokens: ${dice.below(90000)}`,
    },
    {
      kind: "path",
      make: (dice) =>
        `secrets/${dice.pick(words)}/token-${dice.below(99)}.json: key file not found in /etc/${dice.pick(words)}/keys/${dice.text(digits, 4)}`,
    },
    {
      kind: "keyboard",
      make: (dice) =>
        `if (event.key === "${dice.pick(["Enter", "Escape", "ArrowDown"])}" && shortcutKey: "ctrl+${dice.pick(words)}") return;`,
    },
    {
      kind: "table",
      make: (dice) =>
        `| name | type | required |\n|---|---|---|\n| api_key | string | yes |\n| password | string | ${dice.pick(["no", "yes"])} |\n| ${dice.pick(words)} | int | no |`,
    },
    {
      kind: "uuid list",
      make: (dice) =>
        `deploying ${dice.text(hex, 8)}-${dice.text(hex, 4)}-4${dice.text(hex, 3)}-a${dice.text(hex, 3)}-${dice.text(hex, 12)} by ${dice.pick(words)}`,
    },
  ],
};

const words = [
  "river",
  "sunset",
  "dragon",
  "falcon",
  "meadow",
  "copper",
  "lantern",
  "orchid",
  "winter",
  "harbor",
  "violet",
  "timber",
];
const capital = ["Login", "Session", "Parser", "Upload", "Billing", "Search"];
const bip39 =
  "abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid acoustic acquire across act action actor actress actual adapt add addict address adjust admit adult advance advice aerobic affair afford afraid again age agent agree ahead aim air airport aisle alarm album alcohol alert".split(
    " ",
  );

function makeWordPassword(dice: Dice): string {
  return `${dice.pick(words)}${dice.text(digits, 4)}`;
}
