import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseQuery } from "../domain/memory/query.ts";
import { embedRows } from "./embed-rows.ts";
import { openEmbedder } from "./embedder.ts";
import { type MemorySearch, openMemorySearch } from "./memory-search.ts";
import { openStore } from "./open-store.ts";

/** Notes and questions about them in other words. The last ones ask in another language than the note. */
const questions: readonly (readonly [note: string, question: string])[] = [
  ["만료된 세션은 매일 밤 제거한다.", "오래된 대화는 언제 삭제되나요?"],
  ["결제 서버의 응답이 늦어서 주문이 실패했다.", "지연 때문에 오류가 난 곳은 어디인가요?"],
  ["관리자 권한이 없으면 보고서를 내려받을 수 없다.", "리포트를 보려면 어떤 허가가 필요한가요?"],
  ["두 작업자가 동시에 같은 행을 고치면 충돌이 난다.", "병렬로 수정할 때 무슨 문제가 있나요?"],
  ["배포는 금요일에 하지 않기로 결정했다.", "언제 출시하면 안 되나요?"],
  ["이미지 크기는 최대 5MB로 제한한다.", "사진 용량의 상한은 얼마인가요?"],
  ["로그 파일은 30일 동안만 저장한다.", "기록은 얼마나 오래 보관하나요?"],
  ["기본 설정은 환경 변수보다 우선하지 않는다.", "구성 값의 순서가 어떻게 되나요?"],
  ["スキーマの移行に失敗したら、前の状態へ戻す。", "マイグレーションの障害時はどう復元しますか"],
  ["管理画面の文言は翻訳ファイルから読み込む。", "ページの言語はどこで設定されますか"],
  ["利用者の確認が終わるまで公開しない。", "承認の前に配布してもよいですか"],
  ["重複した注文は夜間に除去される。", "複製された注文はいつ削除されますか"],
  ["検索が遅い原因は索引の欠落だった。", "探索の速度が悪い理由は何でしたか"],
  ["一時的なファイルは終了時に消去する。", "仮のファイルはいつ削除されますか"],
  ["認証の鍵は三か月ごとに交換する。", "ログインの鍵はいつ置換しますか"],
  ["警告は記録せず、通知だけ送信する。", "注意のメッセージはどこへ送りますか"],
  ["过期的缓存在凌晨清除。", "失效的缓存什么时候删除？"],
  ["连接被防火墙拒绝，需要添加规则。", "网络请求为什么被阻止？"],
  ["内存泄漏的原因是监听器没有释放。", "内存的问题出在哪里？"],
  ["合并之前必须通过全部测试。", "提交分支以前要验证什么？"],
  ["用户的密码使用加盐散列存储。", "口令是怎么保存的？"],
  ["修改配置以后要重新启动服务。", "更改设置之后需要做什么？"],
  ["部署失败时自动回滚到上一个版本。", "发布报错以后怎么恢复？"],
  ["日志级别默认为警告。", "记录的选项一开始是什么？"],
  ["The nightly deployment fails when the certificate has expired.", "배포가 밤에 실패하는 이유는?"],
  ["Duplicate invoices are merged before the export.", "중복된 청구서는 언제 병합하나요?"],
  ["Permission to delete a workspace needs a second approval.", "削除の権限には何が必要ですか"],
  ["The search index is rebuilt after every migration.", "移行の後に検索はどうなりますか"],
  ["Encrypted attachments are stored outside the database.", "加密的附件存储在哪里？"],
  ["The queue rejects requests above the limit.", "请求超过限制会怎么样？"],
];

const folder = mkdtempSync(join(tmpdir(), "rk-unspaced-"));
let search: MemorySearch;

beforeAll(() => {
  const path = join(folder, "rookery.db");
  const store = openStore(path, () => 0);
  store.projects.insert({
    id: "p",
    path: "/p",
    name: "p",
    fingerprint: null,
    mode: "on",
    leases: "warn",
    createdAt: 0,
  });
  for (const [n, [body]] of questions.entries())
    store.index.put({
      kind: "message",
      ref: String(n),
      projectId: "p",
      sessionId: null,
      type: null,
      createdAt: 0,
      title: "",
      body,
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

test("questions in Korean, Japanese and Chinese find notes that use other words", () => {
  const ranks = questions.map(([, question], n) => {
    const found = search.search(parseQuery(question), {}, 10);
    return found.findIndex(({ ref }) => ref === String(n)) + 1;
  });
  const within = (most: number): number => ranks.filter((rank) => rank > 0 && rank <= most).length;
  expect(within(10) / ranks.length).toBeGreaterThanOrEqual(0.9);
  expect(within(1) / ranks.length).toBeGreaterThanOrEqual(0.7);
});
