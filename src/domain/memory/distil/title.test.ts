import { describe, expect, it } from "vitest";
import { makeTitle, shortenTitle } from "./title.ts";

const title = (text: string, fields: { heading?: string; lead?: string; code?: string } = {}): string =>
  makeTitle({ text, heading: "", lead: "", code: "", ...fields });

describe("makeTitle", () => {
  it.each([
    ["Yes, the pool is shared by all workers.", "The pool is shared by all workers"],
    ["So the cache must be cleared first.", "The cache must be cleared first"],
    ["✅ Retries stop after the third failure.", "Retries stop after the third failure"],
    ["release.yml runs on tags only", "release.yml runs on tags only"],
    ["no breaking changes in the public API", "No breaking changes in the public API"],
    ["No, the daemon does not restart by itself.", "No, the daemon does not restart by itself"],
    ["The root cause is that `openPool` runs once per request.", "`openPool` runs once per request"],
    [
      "The fix addresses the real problem: a timer is cleared before its callback runs.",
      "A timer is cleared before its callback runs",
    ],
    ["The problem is not that the pool is small.", "The problem is not that the pool is small"],
    ["The cause: a race.", "The cause: a race"],
  ])("%j is %j", (text, expected) => {
    expect(title(text)).toBe(expected);
  });

  it.each([
    [
      "Done — `tint` works as a start colour, amended into `1a2b3c4`, all suites green.",
      "`tint` works as a start colour",
    ],
    [
      "The importer now keeps rows without a date — committed as `1a2b3c4` on `next`.",
      "The importer now keeps rows without a date",
    ],
    ["Rows are only committed when the lock is held", "Rows are only committed when the lock is held"],
    [
      "Now that the pool is shared, idle clients are closed",
      "Now that the pool is shared, idle clients are closed",
    ],
  ])("leaves out what was done with the result: %j", (text, expected) => {
    expect(title(text)).toBe(expected);
  });

  it("does not end before a condition", () => {
    const text =
      "The queue only creates the side table for a tenant when the first job of that tenant arrives during the nightly run of the scheduler on the second host";
    expect(title(text)).toMatch(/when the first job of that tenant arrives .*…$/);
  });

  it("puts the command after the sentence that introduces it", () => {
    expect(title("Run the migration by hand:", { code: "npm run migrate -- --force" })).toBe(
      "Run the migration by hand: `npm run migrate -- --force`",
    );
  });

  it.each(["Removed", "Deliberately not changed", "What I did not touch"])(
    "begins with a heading without which it would say the opposite: %s",
    (heading) => {
      expect(title("The second retry of the importer, with its timer.", { heading })).toBe(
        `${heading}: The second retry of the importer, with its timer`,
      );
    },
  );

  it("does not repeat what the statement says", () => {
    expect(title("The second retry is removed.", { heading: "Removed" })).toBe("The second retry is removed");
    expect(title("The second retry waits a minute.", { heading: "Retries" })).toBe(
      "The second retry waits a minute",
    );
  });

  it("leaves out consent before a rule", () => {
    expect(title("Yes and do not wrap lines in the release notes")).toBe(
      "Do not wrap lines in the release notes",
    );
  });

  it("begins with the line above an item that says what became of it", () => {
    const item = { text: "The importer reads every file twice", heading: "", code: "" };
    expect(makeTitle({ ...item, lead: "Filed as #31:" })).toBe(
      "Filed as #31: The importer reads every file twice",
    );
    expect(makeTitle({ ...item, lead: "Changes:" })).toBe("The importer reads every file twice");
  });

  it("names the subject that a pronoun refers to", () => {
    expect(title("It keeps one connection per thread.", { heading: "Connection pool" })).toBe(
      "Connection pool: It keeps one connection per thread",
    );
  });

  it.each([
    "The worker pool is created once at start and shared by all request handlers, so that a slow query leaves room for the health check",
    "`src/very/long/path/to/the/module/that/holds/the/config.ts:120` reads the file again on every request because the cache key has the time in it",
  ])("ends a long statement at a clause: %s", (text) => {
    const short = title(text);
    expect(short.length).toBeLessThanOrEqual(120);
    expect(short).not.toMatch(/…|[,;:]$/);
  });

  it.each([
    [
      "The importer keeps a clock of its own in the shared table — the old one isn't used by anything but the nightly report on the old host",
      "The importer keeps a clock of its own in the shared table",
    ],
    [
      "`RETRY_LIMITS` in config.ts is now `[1, 2, 4, 8]` with `2` as the default, matching what the gateway in front of all workers expects",
      "`RETRY_LIMITS` in config.ts is now `[1, 2, 4, 8]` with `2` as the default",
    ],
    [
      "The reader trims both ends of the stream, so it was never going to catch the stray byte that the exporter puts in front of each record of a batch",
      "The reader trims both ends of the stream",
    ],
  ])("ends before an explanation, also if that is negated: %s", (text, expected) => {
    expect(title(text)).toBe(expected);
  });

  it.each([
    "The nightly export did not stop because the disk was full, as the log of the first host had suggested for two days in a row",
    "Retry the upload of the archive once — not twice and never from the web handler, which holds a connection for each try it makes",
    "The cache is shared by all of the workers, and never by the scheduler, whose entries are written to the side table of its own host",
  ])("does not end before a restriction, or a reason of what did not happen: %s", (text) => {
    expect(title(text)).toMatch(/because|not twice|never/);
  });

  it.each([
    "Recommendation: keep one queue per tenant",
    "If I understand correctly: derive the key from the address",
    "Suggested fix: read the header twice",
  ])("keeps the words that make it a proposal: %s", (text) => {
    expect(title(text)).toBe(text);
  });

  it("keeps a longer statement that could only be cut within a clause", () => {
    const text =
      "When the runner starts the review command of the plugin it inherits the environment of the session that the daemon of the other host opened";
    expect(title(text)).toBe(text);
  });

  it("never ends a code span in the middle", () => {
    for (const length of [60, 75, 88, 100, 130]) {
      const short = shortenTitle(
        `Call \`${"openTheConnection".repeat(12).slice(0, length)}\` before anything else happens in this process`,
      );
      expect((short.match(/`/g) ?? []).length % 2).toBe(0);
      expect(short.length).toBeLessThanOrEqual(150);
    }
  });
});

/** Sentences whose meaning hangs on one word, in the languages people write in. */
const negated: Record<string, { negation: string; sentences: string[] }[]> = {
  en: [
    {
      negation: "no",
      sentences: [
        "no breaking changes in %",
        "there are no retries in %",
        "No, % stays as it is",
        "% has no fallback on Windows",
      ],
    },
    {
      negation: "not",
      sentences: [
        "do not restart % by hand",
        "% is not thread safe",
        "use the queue for %, not the timer",
        "% works on Linux (not on macOS)",
      ],
    },
    {
      negation: "never",
      sentences: [
        "never call % from a handler",
        "% is never flushed at exit",
        "the key of % must never be logged",
      ],
    },
    {
      negation: "n't",
      sentences: [
        "don't mock % in integration tests",
        "% doesn't retry on 429",
        "we shouldn't cache % at all",
      ],
    },
    {
      negation: "without",
      sentences: ["deploy % without downtime", "% hangs without a timeout", "run % without the proxy in CI"],
    },
    {
      negation: "except",
      sentences: [
        "% logs everything except tokens",
        "all tests of % run in parallel except the browser ones",
      ],
    },
    {
      negation: "instead of",
      sentences: ["use % instead of the global client", "% polls instead of waiting for the event"],
    },
    {
      negation: "unless",
      sentences: ["% is read-only unless a lease is held", "skip % unless the flag is set"],
    },
    { negation: "only", sentences: ["% runs only on tags", "only the owner may delete %"] },
  ],
  de: [
    { negation: "nicht", sentences: ["% darf nicht im Handler laufen", "bitte % nicht von Hand starten"] },
    { negation: "kein", sentences: ["kein Neustart von % nötig", "es gibt kein Backup für %"] },
    { negation: "nie", sentences: ["% nie direkt aufrufen", "das Passwort von % nie loggen"] },
    { negation: "ohne", sentences: ["% läuft ohne Netz", "ohne Schlüssel startet % trotzdem"] },
  ],
  es: [
    { negation: "no", sentences: ["no reinicies % a mano", "% no guarda el estado"] },
    { negation: "nunca", sentences: ["nunca llames a % desde el hilo principal", "% nunca se reintenta"] },
    { negation: "sin", sentences: ["% funciona sin red", "sin caché % tarda mucho"] },
  ],
  fr: [
    { negation: "pas", sentences: ["il ne faut pas appeler % ici", "% n'est pas sûr entre threads"] },
    { negation: "jamais", sentences: ["ne jamais modifier % à la main", "% n'est jamais vidé"] },
    { negation: "sans", sentences: ["% démarre sans réseau", "sans jeton % échoue"] },
  ],
  pt: [
    { negation: "não", sentences: ["não reinicie % à mão", "% não guarda o estado"] },
    { negation: "nunca", sentences: ["nunca chame % no teste", "% nunca tenta de novo"] },
    { negation: "sem", sentences: ["% funciona sem rede", "sem chave % não inicia"] },
  ],
  ru: [
    { negation: "не", sentences: ["не вызывайте % из обработчика", "% не сохраняет состояние"] },
    { negation: "никогда", sentences: ["никогда не меняйте % вручную", "% никогда не повторяет запрос"] },
    { negation: "без", sentences: ["% работает без сети", "без ключа % не запускается"] },
  ],
  zh: [
    { negation: "不", sentences: ["不要在测试里调用 %", "% 不会重试"] },
    { negation: "没", sentences: ["% 没有缓存", "这里没有必要重启 %"] },
  ],
  ja: [
    { negation: "ない", sentences: ["% は再試行しない", "テストで % を使わないでください"] },
    { negation: "なし", sentences: ["% はネットワークなしで動く", "キャッシュなしだと % は遅い"] },
  ],
  ko: [
    { negation: "않", sentences: ["% 는 재시도하지 않는다", "테스트에서 % 를 호출하지 않는다"] },
    { negation: "없", sentences: ["% 에는 캐시가 없다", "% 는 네트워크 없이 동작한다"] },
  ],
};
const subjects = [
  "the pool",
  "`openPool()`",
  "the sync worker",
  "`src/queue/retry.ts`",
  "session storage (the one in Redis)",
];
const prefixes = ["", "OK, ", "So "];
const tails = [
  "",
  " — this was measured on the staging cluster with twelve workers and a cold cache last week",
];

const rows = Object.entries(negated).flatMap(([language, groups]) =>
  groups.flatMap(({ negation, sentences }) =>
    sentences.flatMap((sentence) =>
      subjects.flatMap((subject, n) => {
        const text = sentence.replace("%", subject);
        const prefix = language === "en" ? (prefixes[n % prefixes.length] ?? "") : "";
        return tails.map((tail) => ({ language, negation, text: `${prefix}${text}${tail}` }));
      }),
    ),
  ),
);

describe("negation", () => {
  it(`is kept in every one of ${rows.length} sentences`, () => {
    expect(rows.length).toBeGreaterThan(300);
    const turnedRound = rows.filter(
      ({ negation, text }) => !title(text).toLowerCase().includes(negation.toLowerCase()),
    );
    expect(turnedRound.map(({ text }) => `${text} → ${title(text)}`)).toEqual([]);
  });
});
