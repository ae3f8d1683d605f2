import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseQuery } from "../domain/memory/query.ts";
import { embedRows } from "./embed-rows.ts";
import { openEmbedder } from "./embedder.ts";
import { type MemorySearch, openMemorySearch } from "./memory-search.ts";
import { openStore } from "./open-store.ts";

/** Eight notes in each language on the same eight topics, and questions that use other forms of the words. */
const notes = ["pool", "deploy", "secret", "test", "cache", "colour", "upload", "login"] as const;
type Texts = Record<(typeof notes)[number], readonly [note: string, question: string]>;

const languages: Record<string, Texts> = {
  english: {
    pool: [
      "The connection pool ran dry because workers never returned connections.",
      "why did we run out of pooled connections?",
    ],
    deploy: [
      "We deploy only from tags, never from a branch.",
      "are we deploying from a branch or from tags?",
    ],
    secret: ["API keys are stored in the vault, not in the environment.", "where do we store the API key?"],
    test: [
      "The browser tests are flaky on slow machines.",
      "which tests are flaky when the machine is slow?",
    ],
    cache: [
      "Expired cache entries are removed every night.",
      "when are expired entries of the cache deleted?",
    ],
    colour: ["The theme takes its colours from the palette file.", "in which file are the theme's colours?"],
    upload: ["Uploads above 100 MB are refused by the proxy.", "who refuses large uploads?"],
    login: ["The login page hangs when the cookie is missing.", "login hangs without a cookie"],
  },
  german: {
    pool: [
      "Der Verbindungspool war leer, weil Arbeiter ihre Verbindungen nie zurückgaben.",
      "warum war keine Verbindung mehr im Verbindungspool?",
    ],
    deploy: ["Ausgeliefert wird nur von Tags, niemals von einem Branch.", "wovon wird bei uns ausgeliefert?"],
    secret: [
      "Schlüssel der Schnittstelle liegen im Tresor und nicht in der Umgebung.",
      "wo liegt der Schlüssel für die Schnittstelle?",
    ],
    test: [
      "Die Browsertests schlagen auf langsamen Rechnern manchmal fehl.",
      "welche Tests sind auf einem langsamen Rechner unzuverlässig?",
    ],
    cache: [
      "Abgelaufene Einträge im Zwischenspeicher werden jede Nacht gelöscht.",
      "wann löschen wir einen abgelaufenen Eintrag?",
    ],
    colour: [
      "Das Thema nimmt seine Farben aus der Palettendatei.",
      "aus welcher Datei kommt die Farbe des Themas?",
    ],
    upload: [
      "Hochgeladene Dateien über 100 MB lehnt der Proxy ab.",
      "wer lehnt das Hochladen großer Dateien ab?",
    ],
    login: ["Die Anmeldeseite hängt, wenn das Cookie fehlt.", "Anmeldung hängt ohne Cookie"],
  },
  spanish: {
    pool: [
      "El grupo de conexiones se agotó porque los procesos nunca devolvían su conexión.",
      "¿por qué se agotaron las conexiones?",
    ],
    deploy: [
      "Desplegamos solo desde etiquetas, nunca desde una rama.",
      "¿desde dónde hacemos el despliegue?, ¿etiqueta o rama?",
    ],
    secret: [
      "Las claves de la interfaz se guardan en la bóveda y no en el entorno.",
      "¿dónde se guarda la clave de la interfaz?",
    ],
    test: ["Las pruebas del navegador fallan en máquinas lentas.", "¿qué prueba falla en una máquina lenta?"],
    cache: [
      "Las entradas caducadas de la caché se borran cada noche.",
      "¿cuándo se borra una entrada caducada?",
    ],
    colour: [
      "El tema toma sus colores del archivo de la paleta.",
      "¿de qué archivo salen los colores del tema?",
    ],
    upload: ["El proxy rechaza subidas de más de 100 MB.", "¿quién rechaza una subida grande?"],
    login: [
      "La página de acceso se cuelga si falta la galleta de sesión.",
      "el acceso se cuelga sin galleta",
    ],
  },
  french: {
    pool: [
      "La réserve de connexions était vide car les processus ne rendaient jamais leur connexion.",
      "pourquoi n'y avait-il plus de connexion dans la réserve ?",
    ],
    deploy: [
      "On déploie seulement depuis des étiquettes, jamais depuis une branche.",
      "depuis quelle étiquette ou branche fait-on le déploiement ?",
    ],
    secret: [
      "Les clés de l'interface sont dans le coffre et pas dans l'environnement.",
      "où est la clé de l'interface ?",
    ],
    test: [
      "Les tests du navigateur échouent sur les machines lentes.",
      "quel test échoue sur une machine lente ?",
    ],
    cache: [
      "Les entrées expirées du cache sont supprimées chaque nuit.",
      "quand supprime-t-on une entrée expirée ?",
    ],
    colour: [
      "Le thème prend ses couleurs dans le fichier de palette.",
      "dans quel fichier est la couleur du thème ?",
    ],
    upload: ["Le mandataire refuse les envois de plus de 100 Mo.", "qui refuse un gros envoi ?"],
    login: ["La page de connexion se fige quand le témoin manque.", "la page se fige sans témoin"],
  },
  portuguese: {
    pool: [
      "O conjunto de conexões esgotou porque os processos nunca devolviam a conexão.",
      "por que as conexões se esgotaram?",
    ],
    deploy: [
      "Publicamos somente a partir de etiquetas, nunca de um ramo.",
      "a publicação sai de uma etiqueta ou de um ramo?",
    ],
    secret: ["As chaves da interface ficam no cofre e não no ambiente.", "onde fica a chave da interface?"],
    test: ["Os testes do navegador falham em máquinas lentas.", "qual teste falha em uma máquina lenta?"],
    cache: [
      "As entradas vencidas do cache são apagadas toda noite.",
      "quando uma entrada vencida é apagada?",
    ],
    colour: ["O tema pega suas cores do arquivo da paleta.", "de qual arquivo vem a cor do tema?"],
    upload: ["O intermediário recusa envios acima de 100 MB.", "quem recusa um envio grande?"],
    login: ["A página de entrada trava quando falta o biscoito.", "entrada trava sem biscoito"],
  },
  russian: {
    pool: [
      "Пул соединений опустел, потому что процессы не возвращали соединения.",
      "почему в пуле закончилось соединение?",
    ],
    deploy: ["Мы выкатываем только с тегов и никогда с ветки.", "с какого тега или ветки идёт выкатка?"],
    secret: ["Ключи интерфейса хранятся в сейфе, а не в окружении.", "где хранится ключ от интерфейса?"],
    test: [
      "Браузерные тесты падают на медленных машинах.",
      "какой браузерный тест падает на медленной машине?",
    ],
    cache: ["Устаревшие записи кэша удаляются каждую ночь.", "когда удаляется устаревшая запись?"],
    colour: ["Тема берёт цвета из файла палитры.", "в каком файле цвет темы?"],
    upload: ["Прокси отклоняет загрузки больше 100 МБ.", "кто отклоняет большую загрузку?"],
    login: ["Страница входа зависает, если нет куки.", "зависает страница при входе"],
  },
  chinese: {
    pool: ["连接池耗尽是因为工作进程从不归还连接。", "为什么连接池会耗尽？"],
    deploy: ["我们只从标签部署，从不从分支部署。", "部署用标签还是分支？"],
    secret: ["接口密钥保存在保险库里，而不是环境变量里。", "接口的密钥保存在哪里？"],
    test: ["浏览器测试在慢的机器上不稳定。", "哪些测试不稳定？"],
    cache: ["过期的缓存条目每天夜里删除。", "什么时候删除过期缓存？"],
    colour: ["主题的颜色来自调色板文件。", "主题颜色在哪个文件？"],
    upload: ["代理拒绝超过一百兆的上传。", "谁会拒绝大文件上传？"],
    login: ["缺少饼干时登录页面会卡住。", "登录页面卡住了"],
  },
  japanese: {
    pool: ["ワーカーが接続を返さないため、接続プールが枯渇した。", "接続プールはなぜ枯渇したのですか"],
    deploy: ["デプロイはタグからのみ行い、ブランチからは行わない。", "ブランチからデプロイできますか"],
    secret: ["APIキーは環境変数ではなく保管庫に保存する。", "ＡＰＩｷｰはどこに保存しますか"],
    test: ["ブラウザのテストは遅いマシンで不安定になる。", "不安定なテストはどれですか"],
    cache: ["期限切れのキャッシュは毎晩削除される。", "キャッシュの期限切れはいつ削除？"],
    colour: ["テーマの色はパレットのファイルから読み込む。", "テーマの色はどのファイルにありますか"],
    upload: ["百メガバイトを超えるアップロードはプロキシが拒否する。", "アップロードを拒否するのは何ですか"],
    login: ["クッキーがないとログイン画面が固まる。", "ログイン画面で固まります"],
  },
  korean: {
    pool: ["작업자가 연결을 반환하지 않아서 연결 풀이 고갈되었다.", "연결 풀은 왜 고갈되었나요?"],
    deploy: ["배포는 태그에서만 하고 브랜치에서는 하지 않는다.", "브랜치로 배포할 수 있나요?"],
    secret: ["API키는 환경 변수가 아니라 금고에 저장한다.", "API 키를 어디에 저장하나요?"],
    test: ["브라우저 테스트는 느린 컴퓨터에서 불안정하다.", "불안정한 테스트가 무엇인가요?"],
    cache: ["만료된 캐시 항목은 매일 밤 삭제된다.", "만료된 캐시는 언제 삭제하나요?"],
    colour: ["테마의 색상은 팔레트 파일에서 가져온다.", "테마 색상은 어느 파일에 있나요?"],
    upload: ["백 메가바이트가 넘는 업로드는 프록시가 거부한다.", "업로드를 거부하는 것은 무엇인가요?"],
    login: ["쿠키가 없으면 로그인 화면이 멈춘다.", "로그인 화면에서 멈춥니다"],
  },
};

describe.each(Object.entries(languages))("in %s", (language, texts) => {
  const folder = mkdtempSync(join(tmpdir(), "rk-language-"));
  let search: MemorySearch;

  beforeAll(() => {
    const path = join(folder, "rookery.db");
    const store = openStore(path, () => 0);
    const row = {
      path: "/p",
      name: "p",
      fingerprint: null,
      mode: "on",
      leases: "warn",
      createdAt: 0,
    } as const;
    store.projects.insert({ ...row, id: "p" });
    for (const ref of notes)
      store.index.put({
        kind: "message",
        ref,
        projectId: "p",
        sessionId: null,
        type: null,
        createdAt: 0,
        title: "",
        body: texts[ref][0],
        files: [],
      });
    const embedder = openEmbedder();
    const batch = embedRows(store.db, embedder, 100);
    if (batch) store.vectors.put(batch);
    store.close();
    search = openMemorySearch(path, embedder);
    while (search.refresh());
  });
  afterAll(() => {
    search.close();
    rmSync(folder, { recursive: true });
  });

  test.each(notes)("the question about the %s finds its note first", (ref) => {
    const found = search.find(parseQuery(texts[ref][1]), {}, 10);
    expect(found.map((hit) => hit.ref)[0], `${language}: ${texts[ref][1]}`).toBe(ref);
    expect(found[0]?.matched).not.toEqual([]);
  });
});

test("texts in a script that neither the word vectors nor the lexicon know have no vector", () => {
  const embedder = openEmbedder();
  for (const [note, question] of Object.values(languages.russian ?? {}))
    for (const text of [note, question])
      expect(embedder.embed(text.replace(/[A-Za-zＡ-Ｚ]+/g, "")), text).toBeUndefined();
  for (const language of Object.keys(languages).filter((one) => one !== "russian"))
    for (const [note] of Object.values(languages[language] ?? {}))
      expect(embedder.embed(note), note).toBeDefined();
});
