/**
 * Software vocabulary and common words in Korean, Japanese and Chinese with their English meaning, for `lexicon.ts`. An
 * entry is one or more English words and the words that mean it; entries are separated by commas. Stems of verbs and
 * adjectives stand for all their forms.
 */
export const lexiconEntries = `
account 계정 アカウント 口座 账号 账户 帐号, accept 수락 승낙 받아들 受け入れ 受諾 受理 接受 采纳, access 접근 액세스 접속 アクセス 接触 访问, accessibility 접근성
アクセシビリティ 无障碍, accident incident 사고 장애 事故 インシデント 障害 故障, accuracy 정확도 정밀도 精度 正確 准确 精确, action 동작 행동 작업 動作 行動 アクション 操作
动作, active 활성 활동 有効 アクティブ 活跃 激活, actual real 실제 진짜 실물 実際 本物 現物 真实 实际, add 추가 더하 덧붙 追加 足す 足し 添え 加え 添加 新增 增加 加上,
address 주소 アドレス 住所 宛先 地址, administrator 관리자 어드민 운영자 管理者 アドミン 管理員 管理员 后台, advertisement 광고 広告 广告, agent 에이전트 대리
エージェント 代理 智能体, agree consent 동의 합의 同意 合意 承諾 承认, alert alarm 경고 알람 경보 警告 アラート 警報 アラーム 告警 报警 警报, algorithm 알고리즘 アルゴリズム
算法, allow permit 허용 허가 허락 許可 許す 認め 許容 允许 放行 准许, alone 단독 혼자 単独 单独 独自, already 이미 벌써 既に すでに 已经, analysis 분석 해석 分析 解析
剖析, animation 애니메이션 アニメーション 动画, announce notice 공지 안내 고지 告知 案内 お知らせ 知らせ 公告 通告, answer response reply 응답 답변 대답 답장 회신
応答 回答 返答 返信 返事 答え 响应 答复 回复 应答, application app 앱 어플 애플리케이션 응용 アプリ 应用 程序, apply 적용 신청 適用 申請 申し込 应用 适用 申请, approve 승인
허가 결재 承認 認可 审批 批准 通过, architecture 아키텍처 구조 アーキテクチャ 架构, archive 보관 아카이브 アーカイブ 保管 归档 存档, argument parameter 인자 인수 매개변수
파라미터 引数 パラメータ 参数 入参, array 배열 配列 数组, asset 에셋 자산 リソース アセット 资产 素材, assign 할당 배정 割り当 担当 分配 指派, async asynchronous 비동기
非同期 异步, attach attachment 첨부 붙이 添付 付ける 附件 附加, attack 공격 攻撃 攻击, attribute property 속성 프로퍼티 属性 プロパティ, audio sound
voice 소리 음성 오디오 音声 声 录音 録音 声音 语音 音频, audit 감사 監査 审计 巡检, authentication login 인증 로그인 로긴 認証 ログイン サインイン 登录 登陆 认证 登入,
logout 로그아웃 ログアウト サインアウト 登出 退出登录 注销 踢人 下线, automatic auto 자동 自動 オート 自动, autocomplete 자동완성 オートコンプリート 补全 自动完成, average
평균 平均 平均值, avoid prevent 피하 방지 예방 防止 避け 防ぐ 防ぎ 回避 避免 防范 规避 杜绝, background 백그라운드 배경 バックグラウンド 背景 裏側 后台, backup 백업
バックアップ 備份 备份, balance 잔액 균형 残高 バランス 余额 平衡, band bandwidth 대역폭 帯域 带宽, base basic 기본 기초 기반 基本 基礎 ベース 基础, batch 배치 일괄
バッチ まとめ 一括 批处理 批量 批次, battery 배터리 バッテリー 電池 电池 耗电, begin start 시작 개시 開始 始め 始ま スタート 开始 起始, behaviour 동작 행위 행동 挙動 振る舞
行为, benchmark 벤치마크 성능시험 ベンチマーク 基准测试 压测, bill billing invoice 청구 계산서 송장 請求 インボイス 账单 发票, binary 바이너리 이진 バイナリ 二进制,
blank white 공백 하얗 空白 真っ白 白く 白い 白屏, block deny 차단 거부 거절 ブロック 遮断 拒否 拒絶 却下 阻止 拦截 屏蔽 拒绝 挡住, book reservation 예약 予約 预约
预订, boolean flag 플래그 フラグ 标志 标记, border edge boundary 경계 테두리 가장자리 境界 边界 边框, bot 봇 로봇 ボット ロボット 机器人, boundary limit 한계
경계 限界 界限, branch 브랜치 가지 분기 ブランチ 分岐 分支, break broken 깨지 깨진 깨져 부서 망가 壊れ 壊し 崩れ 破損 損傷 损坏 破坏 坏了 损毁, bridge 브리지 다리 ブリッジ
桥接, browser 브라우저 ブラウザ 浏览器, bucket 버킷 バケット 存储桶, buffer 버퍼 バッファ 缓冲, bug defect 버그 결함 오류 バグ 不具合 欠陥 缺陷 漏洞, build compile
빌드 컴파일 ビルド コンパイル 构建 编译 打包, bundle 번들 묶음 バンドル 打包 捆绑 分包, business 업무 사업 비즈니스 業務 事業 营业 業者 业务 商业, button 버튼 단추 ボタン 按钮
按键, buy purchase 구매 구입 購入 買い 购买 采购 下单, cache 캐시 캐싱 キャッシュ 缓存, calculate compute 계산 연산 산출 計算 算出 演算 计算 运算, calendar
date 달력 날짜 일자 일시 日付 カレンダー 日時 日期 日历, call invoke 호출 부르 부름 呼び出 呼ぶ 叩く 叩け 调用 呼叫, callback 콜백 コールバック 回调, camera photo
picture 카메라 사진 촬영 カメラ 写真 撮影 相机 照片 拍摄 拍照, cancel 취소 철회 キャンセル 取り消 取消 解約 撤销, capacity size 용량 크기 사이즈 容量 サイズ 大きさ 大小 体积
尺寸, card 카드 カード 卡片 银行卡, cart 장바구니 カート 購物 购物车, category 카테고리 분류 범주 カテゴリ 分類 类别 分类 类目, cause reason 원인 이유 까닭 때문 原因 理由
わけ なぜ せい 缘故 因为 由于 为什么 为何, certificate tls ssl 인증서 証明書 证书, change modify 변경 수정 바꾸 바뀌 바꿔 바꿨 변하 変更 変え 変わ 修正 直す 替え 修改 更改
改动 变更 改成 改为 换成 变化, channel 채널 チャンネル 频道 渠道 通道, character letter 글자 문자 자모 文字 字符 字母 汉字 漢字 한글, charge fee cost 요금 비용 수수료
과금 料金 費用 手数料 コスト 课金 課金 费用 收费 成本 手续费, chart graph 차트 그래프 도표 図表 グラフ チャート 图表 曲线, chat conversation 채팅 대화 チャット 会話 対話 聊天
对话 会话, cheap price 가격 값싼 저렴 価格 値段 安い 安く 低価格 便宜 价格 单价, check verify 확인 점검 체크 검사 確認 チェック 点検 検査 检查 核对 确认 校验 核实, child
자식 하위 子供 子级 子系统 下级, choose select 선택 고르 고른 골라 選択 選ぶ 選ん 选择 选取 挑选 选用, circular cycle 순환 循環 循环, class 클래스 등급 クラス 级别,
clean cleanup 정리 청소 깨끗 掃除 整理 片付 清理 清除 清扫, clear obvious 분명 명확 明確 明らか 清楚 明确, client 클라이언트 고객 クライアント 客户端, clipboard
클립보드 クリップボード 剪贴板, clock time 시계 시각 시간 時計 時刻 時間 时钟 时间 时刻, close shut 닫기 폐쇄 閉じ 閉め クローズ 关闭 关掉, cloud 클라우드 クラウド 云端 云服务,
cluster 클러스터 クラスタ 集群, code 코드 소스 コード 代码 编码, collaborate together 협업 함께 같이 協力 一緒 共同 协作 一起, collect gather 수집 모으 모아 収集
集め 集約 采集 收集 汇总, collision conflict 충돌 衝突 競合 ぶつか 冲突 碰撞, colour 색 색상 색깔 컬러 色 カラー 颜色 色彩, column field 컬럼 필드 항목 カラム 項目
フィールド 字段, command 명령 명령어 커맨드 コマンド 命令 指令, comment 댓글 주석 코멘트 コメント 注釈 评论 注释 批注, commit 커밋 コミット 提交, common shared 공통 공유
共通 共有 公用 共享 公共 通用, company vendor 회사 업체 업자 会社 業者 企業 公司 企业 厂商 供应商, compare 비교 대조 比較 比べ 対比 比较 对比 相比, compatible 호환 互換
兼容, compress 압축 圧縮 压缩, component part 부품 컴포넌트 구성요소 部品 コンポーネント 组件 部件, concurrent parallel simultaneous 동시 병렬 병행 同時 並列
並行 并发 并行 同时, condition 조건 条件, config settings 설정 구성 환경설정 設定 構成 コンフィグ 配置 设置 设定, confirm 확정 확인 確定 確かめ 确认, connect
connection 연결 접속 커넥션 接続 繋が つなが 繋ぎ つなぐ つなぎ コネクション 连接 联网 连上 连不上, disconnect 끊기 끊겨 끊어 切断 切れ 途切れ 断开 断线 掉线 中断, constant
상수 定数 常量, constraint 제약 제한 制約 约束, consume consumer 소비 소비자 컨슈머 消費 コンシューマ 消费, contact 연락 문의 連絡 問い合わせ 联系 咨询 反馈,
container docker 컨테이너 도커 コンテナ 容器 镜像, content 내용 콘텐츠 본문 内容 コンテンツ 中身 正文 文案, context 맥락 문맥 컨텍스트 文脈 コンテキスト 上下文, contract
agreement 계약 약관 契約 規約 契约 合同 协议, control 제어 통제 조작 制御 操作 コントロール 控制, convention rule 규칙 규약 관례 원칙 規則 ルール 決まり 原則 规则 规范 约定
规定, convert 변환 전환 바꾸 変換 転換 转换 转化, cookie 쿠키 クッキー, copy duplicate 복사 중복 복제 コピー 複製 重複 二重 複写 重な 复制 重复 拷贝 副本, corrupt 손상
변조 破損 壊 損壞 损坏, cost expense 비용 費用 経費 成本 开销, count number 개수 숫자 횟수 건수 번호 件数 回数 番号 個数 数量 个数 次数 编号 数字 条数, coupon
discount 쿠폰 할인 クーポン 割引 値引 优惠券 折扣 打折 优惠, coverage 커버리지 カバレッジ 覆盖率, crash die 죽은 죽어 크래시 다운 터지 クラッシュ 落ち 死ぬ 死ん ダウン 崩溃 闪退
挂掉 打挂 宕机 被杀, create make generate 생성 작성 만들 만든 만드 作成 生成 作る 作り 作っ 创建 新建 建立 制作, credential secret 비밀 자격 시크릿 秘密 機密
シークレット 机密 密钥, critical important 중요 긴급 심각 重要 緊急 大事 紧急 严重 关键, currency money 금액 통화 원화 お金 金額 通貨 钱 金额 货币, current
present now 현재 지금 오늘 現在 今日 当前 目前 现在 今天, cursor 커서 カーソル 光标 游标, custom 사용자정의 맞춤 커스텀 カスタム 独自 自定义 定制, customer client 고객
손님 顧客 お客 客户 顾客, daily day 매일 하루 일별 毎日 日次 一日 每天 每日, damage loss 손실 손해 피해 損失 被害 损失 丢失, dashboard 대시보드 ダッシュボード 看板 大屏
仪表盘, data 데이터 자료 データ 資料 数据 资料, database db 데이터베이스 디비 データベース 数据库 库表, deadlock 교착 데드락 デッドロック 死锁 互いに待, debug 디버그 디버깅
デバッグ 调试, decide decision 결정 결론 정하 정했 判断 決定 決め 決まり 决定 决策 确定, decimal float 소수 소수점 부동소수 실수 小数 浮動小数 浮点, decrease reduce
shrink 감소 줄이 줄어 줄었 줄인 축소 낮추 減少 減ら 減り 減る 縮小 短縮 削減 下げ 减少 缩短 降低 降到 缩小 减 扣减 扣, increase grow 증가 늘리 늘어 늘렸 증대 올리 높이 増加 増え
増や 増大 上げ 増し 增加 增大 提高 提升 增长 升高 加大, default 기본값 디폴트 기본 既定 デフォルト 初期値 默认 缺省, delay slow late 지연 느리 느린 느려 오래 버벅 遅延 遅い 遅く
遅れ 重い 重く 延迟 缓慢 卡顿 很慢 变慢 太慢 更慢 越慢 慢 耗时, delete remove erase 삭제 제거 지우 지운 지워 없애 없어 날아 파기 탈퇴 削除 除去 消去 消す 消し 消え 取り除 退会 破棄
删除 移除 清除 抹掉 删掉 注销 去掉, deliver shipping delivery 배송 배달 전달 출고 配送 配達 発送 出荷 届け 届く 届き 送达 到达 发货 快递 投递, demand request 요청
요구 부탁 신청 リクエスト 要求 依頼 要望 请求 需求 申请, dependency 의존 의존성 依存 依赖, deploy release rollout 배포 출시 릴리스 릴리즈 デプロイ リリース 公開 配布 展開
本番反映 发布 部署 上线 发版 投产, describe explain 설명 서술 説明 解説 说明 解释 描述, design 설계 디자인 設計 デザイン 设计, detail 상세 세부 詳細 细节 详情, detect
discover 감지 탐지 발견 検知 検出 発見 見つけ 检测 发现 侦测 探测 探活, develop developer 개발 개발자 開発 开发, device terminal phone 기기 단말 장치 디바이스 폰
휴대폰 스마트폰 핸드폰 휴대전화 端末 機器 装置 デバイス スマホ 携帯 電話 设备 终端 手机 电话, dialog modal popup 대화상자 팝업 모달 ダイアログ ポップアップ モーダル 弹窗 对话框,
dictionary 사전 辞書 词典 字典, difference diff 차이 다른 달라 다르 違い 差分 相違 違う ずれ 异なる 差异 区别 不同 不一致, digit decimal 자리 숫자 数字 位数,
directory folder 디렉터리 폴더 フォルダ ディレクトリ 目录 文件夹, disable off 비활성 끈다 무효 無効 切る オフ 止め 禁用 关闭 停用 下线, disk drive 디스크 하드 ディスク
磁盘 硬盘, display show 표시 보이 보여 노출 띄우 표출 表示 見せ 見え 出す 映す 显示 展示 看到 呈现, distribute distributed 분산 분배 分散 配分 分布式 分发, divide
split 나누 나눠 나눈 분할 분리 쪼개 分割 分け 分離 切り分 拆分 分离 拆成 拆, document docs 문서 도큐먼트 서류 ドキュメント 文書 書類 文档 文件, domain 도메인 ドメイン 域名,
download 다운로드 내려받 ダウンロード 下载, draft 초안 임시저장 下書き 書きかけ 草稿, drop discard 버리 버림 폐기 捨て 破棄 廃棄 丢弃 废弃 抛弃, duplicate twice 두번
중복 이중 二重 重複 ダブり 重复 两次 两个 两笔, early before 먼저 이전 미리 앞서 先に 事前 以前 提前 事先 之前, edit editor 편집 에디터 編集 エディタ 编辑, email mail
이메일 메일 メール 邮件 邮箱, emergency 긴급 비상 응급 緊急 非常 紧急, emoji 이모지 이모티콘 絵文字 表情, empty blank 비어 공백 空 空っぽ 空白 空的 为空, enable on
활성화 有効 オン つけ 启用 开启 打开, encode encoding 인코딩 부호화 エンコード 符号化 文字コード 编码, encrypt 암호화 暗号 暗号化 加密, end finish complete 끝나 완료
마치 종료 完了 終わ 終了 済み 完成 结束 完毕 跑完, endpoint api 엔드포인트 주소 エンドポイント 接口 端点, engineer 엔지니어 기술자 エンジニア 技術者 工程师, english 영어 영문
英語 英文 英语, enough sufficient 충분 足り 十分 足够, environment 환경 環境 环境, equal same 동일 똑같 일치 同じ 等しい 一致 同一 一緒 相同 一样 同样 相等,
error exception failure 오류 에러 예외 실패 잘못 エラー 例外 失敗 誤り 間違 错误 报错 异常 失败 出错 有误, escape 이스케이프 エスケープ 转义, estimate
approximate 추정 대략 예상 推定 概算 見積 估计 估算 预估, evaluate 평가 評価 评估 评测 评价, event 이벤트 행사 イベント 事件 活动, every all 모두 모든 전부 전체 전원
すべて 全て 全部 全員 全体 所有 一律 全量, exact precise 정확 엄밀 正確 ちょうど 准确 精确, example sample 예시 예제 샘플 표본 サンプル 見本 例子 示例 样例 样本, except
exclude 제외 빼고 除外 除い 以外 除く 排除 例外, execute run 실행 돌리 돌아 구동 実行 走らせ 流す 動か 稼働 运行 执行, exist 존재 있다 存在 ある 在り, expect 예상 기대
期待 予想 预期 期望, expensive cost 비싸 비싼 값비싼 高い 高価 昂贵 太贵 贵, experiment trial 실험 시도 実験 試す 試し 实验 试验 尝试, expire expiry ttl 만료
유효기간 기한 期限 失効 有効期限 期限切れ 切れる 过期 失效 有效期 到期, export 내보내 추출 エクスポート 書き出 出力 导出, import load 가져오 불러오 임포트 インポート 取り込 読み込 导入
加载 载入, expose leak 노출 유출 누출 누수 漏れ 漏洩 流出 露出 暴露 泄露 泄漏 外泄, extension plugin 확장 플러그인 拡張 プラグイン 扩展 插件, external outside
thirdparty 외부 바깥 외주 外部 外注 外から 第三方, face front frontend 프론트 화면단 フロント 前端, factory 공장 출하 工場 出荷 出厂 工厂, fail failure 실패
안되 失敗 だめ 通らな 失败 不通过 不成功, fake mock dummy 가짜 모의 더미 위조 偽 ダミー モック 偽物 假 伪造 模拟 虚假, fall drop decline 떨어지 떨어 하락 落ち 低下 下が
下降 下跌, fallback 대체 폴백 代替 フォールバック 降级 兜底 备用, family 가족 家族 家庭, fast quick speed performance 빠르 빠른 빨리 속도 성능 신속 速い 速く 早く
速度 高速 性能 早い 快 快速 更快 加快 提速, favourite bookmark 즐겨찾기 북마크 お気に入り 收藏 书签, feature function 기능 機能 功能 特性, feel 느낌 感じ 感觉,
file 파일 ファイル 文件, fill 채우 채워 埋め 満た 填充 填写 补充, filter 필터 거르 걸러 フィルタ 絞り 絞る 過濾 过滤 筛选, final last 마지막 최종 최후 最後 最終 最后 最终,
find search lookup 검색 탐색 조회 検索 探す 探し 見つか 搜索 查找 检索 查询 寻找 查不到 查看, finger print receipt 영수증 프린터 인쇄 출력 印刷 領収 プリンタ 帳票 打印
收据, firmware 펌웨어 ファーム ファームウェア 固件, first initial 처음 최초 초기 最初 初め 初回 初期 首次 第一 初始 首屏 首页, fix solve repair 고치 고쳐 고친 수정 해결
수리 修正 直し 直す 直った 解決 対処 修復 解消 修复 解决 处理好 补救, fixed constant 고정 일정 固定 一定, flaky unstable intermittent 불안정 가끔 간헐 때때로 不安定
ときどき たまに 時々 偶发 不稳定 有时 偶尔 间歇, flash flicker 깜빡 번쩍 깜박 ちらつ 点滅 闪烁 闪, flow process 흐름 절차 과정 流れ 手順 フロー 過程 流程 步骤 过程, focus
포커스 집중 フォーカス 集中 焦点, follow 따르 따라 従う 従い フォロー 遵循 跟随, font typeface 글꼴 폰트 서체 フォント 書体 字体, force mandatory required 강제 필수
반드시 強制 必須 必ず 必要 强制 必须 必需 一定要, foreign overseas 해외 외국 海外 外国 国外, forget 까먹 忘れ 忘记 忘了, form input 양식 입력 입력란 フォーム 入力 記入
表单 输入 输入框, format 형식 포맷 서식 形式 フォーマット 書式 格式, forward redirect 리다이렉트 전달 이동 넘기 넘겨 リダイレクト 転送 重定向 跳转 转发, frame fps 프레임
フレーム 帧, framework 프레임워크 フレームワーク 框架, free 무료 자유 無料 自由 免费, freeze hang stuck 멈추 멈춤 멈춘 정지 止ま 固ま フリーズ 停止 卡住 卡死 冻结 停顿,
frequency 빈도 주기 頻度 周期 频率 频次, friend 친구 友達 朋友, full 가득 가득차 초과 満杯 いっぱい 満 溢れ 满 写满 打满 充满, function method 함수 메서드 関数 メソッド
函数 方法, future 미래 나중 앞으로 향후 今後 将来 未来 以后 今后, game 게임 ゲーム 游戏, garbage gc 쓰레기 가비지 ゴミ 垃圾, gateway proxy 게이트웨이 프록시 ゲートウェイ
プロキシ 网关 代理, get obtain fetch 취득 획득 取得 得る 受け取 获取 得到 拉取 收到, give provide 제공 지급 与え 提供 渡す 渡し 付与 给予 发放, global 전역 글로벌
グローバル 全体 全局 全球, glossary term 용어 용어집 用語 用語集 术语 术语表, good useful 유용 良い 便利 有用 好用, group team 그룹 팀 모둠 グループ チーム 小组 团队,
guarantee ensure 보장 확보 保証 確保 保证 确保, guide manual 안내 가이드 설명서 매뉴얼 手引 ガイド マニュアル 手順書 指南 手册, handle process 처리 다루 다룬 취급
処理 扱う 扱い 対応 处理 应对, hard difficult 어렵 힘들 어려 難し 困難 大変 困难 难以 很难, hash 해시 ハッシュ 哈希, header 헤더 머리 ヘッダ 头部 请求头, heap memory
ram 메모리 メモリ ヒープ 内存, height width length 높이 너비 길이 高さ 長さ 高度 宽度 长度, help support 도움 지원 サポート 支援 助け 手助け 帮助 支持 协助, hide 숨기
숨겨 감추 가리 가려 隠す 隠し 非表示 隐藏 遮住 遮挡 脱敏, history record log 이력 기록 내역 로그 履歴 記録 ログ 历史 记录 日志, hit match 적중 당첨 当たり ヒット 命中,
hold keep maintain preserve 유지 지키 보존 보관 남기 남겨 維持 保持 守る 残す 残し 残る 保つ 保管 保留 维持 保存 留存, holiday vacation 휴일 공휴일 휴가 명절 祝日
休日 休み 休業 假期 节假日 休息 假日, home 메인 ホーム トップ 主页 首页, hook 후크 フック 钩子, host hosting 호스트 호스팅 ホスト 主机 托管, hour minute second 시간
時間 小时 分钟 秒钟 毫秒, human person people 사람 인간 인원 人間 人手 人工 人员 人们 手工, icon 아이콘 アイコン 图标, idea proposal 아이디어 제안 의견 提案 意見 建议
想法 提议 意见, identify identifier id 식별 아이디 구분 識別 区別 标识 识别 编号, idle inactive 유휴 놀고 비활동 アイドル 空闲 闲置, idempotent 멱등 冪等 べき等
幂等, ignore 무시 無視 忽略, image 이미지 그림 사진 画像 イメージ 写真 图片 图像, immediately instant 즉시 바로 곧바로 すぐ 即座 即時 直ちに 即日 立即 马上 立刻,
implement 구현 実装 实现, impossible cannot 불가 불가능 못하 不可 できない 不能 无法 不可能, improve optimize 개선 향상 최적화 改善 向上 最適化 良く 改进 优化 提升,
include contain 포함 들어 含む 含め 含ん 包含 包括 含有, inconsistent mismatch 불일치 어긋나 어긋 안맞 食い違 不一致 ずれ 合わな 一致しな 不匹配 对不上 不符, index
색인 인덱스 索引 インデックス, infinite endless 무한 끝없 계속 無限 延々 永遠 无限 一直 死循环, inform tell 알리 알려 통보 통지 전하 知らせ 伝え 通知 告诉 告知 通报,
notify notification push 알림 푸시 통지 통보 알람 通知 プッシュ お知らせ 推送 提醒, information 정보 情報 信息 资讯, inherit 상속 継承 继承, initialize
init 초기화 초기 初期化 リセット 初始化, inject injection 주입 인젝션 注入 インジェクション, inspect investigate 조사 검토 살펴 調査 調べ 検討 调查 排查 研究 考察,
install 설치 インストール 導入 安装, integer 정수 整数, integrate integration 통합 연동 統合 連携 集成 联调 对接 整合, interface 인터페이스 화면 インターフェース
窓口 界面 接口, internal inside 내부 안쪽 사내 内部 社内 内側 内网, internet network web 인터넷 네트워크 웹 통신 사내망 インターネット ネットワーク ウェブ 通信 网络 联网
互联网 网站, interrupt 중단 끼어들 방해 割り込 中断 妨げ 打断, interval period 간격 주기 기간 間隔 期間 周期 间隔 期间, invalid 무효 잘못된 유효하지 無効 不正 无效 非法,
invalidate 무효화 無効化 作废 失效, invite 초대 招待 招く 邀请, item 항목 품목 아이템 アイテム 品目 項目 条目 项目, job task work 작업 업무 과제 ジョブ タスク 作業 仕事
任务 作业 工作, join enter 참가 가입 들어가 참여 参加 入会 加入 参与 进入, joke profanity abuse 욕설 악용 남용 悪用 暴言 滥用 辱骂 恶意, key 키 열쇠 キー 鍵 密钥 键,
keyboard 키보드 자판 キーボード 键盘, kill terminate 종료 강제종료 終了 殺す 终止 杀掉 杀死, know knowledge 지식 知る 知識 分か 知道 知识 了解, label tag 라벨
태그 꼬리표 ラベル タグ 標識 标签 标记, lag backlog pile 밀리 밀려 쌓이 쌓여 적체 溜ま 溜め 積もる 滞り 堆积 积压 积累, language 언어 한국어 일본어 言語 日本語 中国語 语言 中文,
large big huge 대용량 거대 大きい 大きく 大容量 大量 巨大 过大 太大 大表, latest recent new 최신 최근 신규 最新 最近 新しい 新規 近い 新的 新增, launch boot
startup 기동 부팅 구동 켜지 실행 起動 立ち上 ブート 启动 开机 冷启动, law legal 법무 법률 법정 법적 法務 法律 法令 規則 法务 合规, layer 계층 레이어 階層 レイヤー 层级 分层,
layout 레이아웃 배치 レイアウト 配置 布局 排版, lazy deferred later 나중 미루 지연로딩 후순위 後から 後回し 遅延 あとで 延迟加载 稍后 懒加载 之后, lead cause 초래 일으 招く
引き起こ 导致 造成 引起 引发, learn training 학습 배우 훈련 学習 訓練 学ぶ 训练 学习, leave quit 나가 떠나 그만 이탈 離れ 辞め 抜け 離脱 离开 退出, level grade rank
등급 수준 레벨 단계 等級 レベル 段階 ランク 级别 等级 分级 层次, library 라이브러리 ライブラリ 类库 依赖库, license 라이선스 ライセンス 许可 许可证 协议 开源协议, life lifetime
수명 생명 寿命 生存 生命周期, light bright dark 어둡 다크 라이트 明る 暗い ダーク 明暗 暗色, limit restrict cap 제한 한도 상한 최대 限制 制限 上限 最大 限り 限流 最多
阈值 频率限制, line row 줄 라인 ライン 行数, link url 링크 연결주소 リンク 链接 网址 地址栏, list 목록 명단 리스트 일람 一覧 リスト 名簿 列表 清单 名单, listen receive
수신 受信 受け 聞く 接收 收到 监听, live realtime 실시간 라이브 생방송 リアルタイム 生放送 即時 实时 直播, load 부하 로드 적재 負荷 ロード 负载 加载 压力, local 로컬 지역 내컴퓨터
ローカル 手元 地元 本地 本机, location position gps 위치 장소 좌표 위치정보 位置 場所 座標 位置情報 定位 坐标 地点 同城, lock 잠금 잠그 잠기 잠겼 ロック 施錠 鍵 排他 锁 锁定
加锁 锁住, logic 로직 논리 ロジック 論理 逻辑, long 오래 장기 長い 長く 長期 长时间 长期, loop repeat 반복 루프 되풀이 繰り返 ループ 反復 循环 反复 轮询, lose lost
missing disappear vanish 분실 유실 사라지 사라진 없어지 빠지 누락 失う 消え なくな 紛失 欠落 失わ 抜け 漏れ 丢失 消失 没了 丢了 缺失 遗漏 不见, low 낮은 적은 저사양 低い 低く
少ない 低価格 偏低 较少, machine computer 기계 컴퓨터 장비 機械 コンピュータ マシン 机器 电脑 计算机 机房, main primary master 메인 주요 メイン 主要 マスター 主库 主干
主从, maintain operate operation 운영 유지보수 관리 運用 運営 保守 管理 维护 运维 运营, map 지도 地図 マップ 地图, mark 표시 표식 마크 マーク 目印 标记 标识, market
store shop 시장 가게 상점 매장 스토어 쇼핑 店 店舗 ショップ 市場 お店 商店 店铺 市场 门店 商城, mask anonymize redact 가리 익명 마스킹 비식별 マスク 匿名 伏せ 脱敏 打码,
match pair 매칭 대응 マッチ 対応 匹配 对应, maximum peak 최대 최고 최댓값 最大 最高 ピーク 峰值, mean meaning 의미 意味 含义 意思, measure metric 측정 지표
계측 計測 測定 指標 测量 指标 度量 埋点 统计, median 중앙값 中央値 中位数, meeting 회의 미팅 会議 打ち合 会议, member membership 회원 멤버 구성원 会員 メンバー 利用者 会员
成员, menu 메뉴 メニュー 菜单, merge combine unify 병합 합치 합쳐 합침 통합 통일 マージ 結合 統合 併合 統一 合并 统一 整合 汇总, message 메시지 문자 메세지 メッセージ 伝言
電文 消息 短信 信息, method way 방법 방식 수단 요령 方法 方式 やり方 手段 仕方 办法 方案, middle 중간 가운데 中間 途中 真ん中 中间 中途, migrate migration move 이전
이관 마이그레이션 옮기 옮긴 옮겨 이사 갈아타 移行 移す 移した 引っ越 乗り換え マイグレーション 迁移 转移 搬迁 切换到 换回, minimum 최소 최저 最小 最低 至少, mistake 실수 착오 ミス 間違い
誤操作 失误 误操作 误删, mobile 모바일 휴대 モバイル スマホ 携帯 移动端 手机, mode 모드 モード 模式, model 모델 모형 モデル 模型, moderate report 신고 제보 通報 報告 举报
上报, module package 모듈 패키지 モジュール パッケージ 模块, monitor monitoring 모니터링 감시 관찰 監視 モニタリング 見張 监控 观察 巡检, month week year 주간 분기
四半期 週間 月份 季度 每周 每月 年度 周报, morning dawn night midnight 아침 새벽 자정 야간 오전 저녁 오후 朝 夜中 夜間 深夜 夜 夕方 午前 午後 正午 凌晨 夜里 早上 晚上 零点
下午, mouse click 마우스 클릭 누르 눌러 눌렀 マウス クリック 押す 押し 点击 鼠标 连点 按下, multi several many 여러 다수 복수 複数 多い 多く いくつ 多数 多个 多台 许多 好几
大量, name naming 이름 명칭 명명 성명 名前 名称 命名 氏名 名字 姓名, near nearby 근처 가까 부근 近く 付近 近い 附近 靠近, necessary need 필요 필수 必要 要る 需要,
never forbid prohibit 금지 절대 안된 禁止 決して 使わない ダメ 不许 不准 绝不 严禁 不允许 不要, node 노드 ノード 节点, noise 잡음 노이즈 ノイズ 雑音 噪音 干扰, normal
usual 정상 보통 평상 일반 通常 正常 普通 普段 一般 平时, null none nothing 없음 なし 無い ない 没有 空值, object 객체 오브젝트 オブジェクト 对象 物体, offline 오프라인
オフライン 圏外 离线 断网 脱机, online 온라인 접속중 オンライン 在线 联网 线上, once only 한번 단일 유일 一度 一回 唯一 だけ 一次 仅一次, open 열리 열린 열림 개방 開く 開い 開け
オープン 打开 开启 打不开 开放, operate 조작 작동 操作 作動 运作, option 옵션 선택지 オプション 選択肢 选项 可选, order sequence 순서 차례 순번 正序 順番 順序 前後 顺序 次序
先后 排序 乱序, order purchase 주문 발주 注文 発注 受注 订单 下单 单子 订货, organize group 조직 정돈 整理 組織 组织, original source 원본 원래 원문 근원 原本
原文 元々 原来 来源 源头, output print 출력 내보내 出力 出す 输出 打印, overflow exceed 초과 넘치 넘침 넘어 넘긴 オーバー 超過 溢れ 超え 溢出 超过 超出, overwrite
덮어쓰 덮어 上書き 覆盖, own owner 소유 자체 본인 소유자 所有 自前 本人 自社 自有 归属 自己 自建, package dependency 패키지 パッケージ 依存 软件包, page pagination
페이지 화면 ページ 画面 ページ送り 页面 分页 翻页 页码 翻到, paint draw render 그리 그린 렌더 그려 描画 描く レンダリング 渲染 绘制, panel window 창 패널 윈도우 ウィンドウ
パネル 窓 窗口 面板, partition 파티션 구획 パーティション 区画 分区, password 비밀번호 암호 패스워드 비번 パスワード 暗証 密码 口令, path route 경로 라우트 パス 経路 ルート 路径
路由, pause 일시정지 중지 멈춤 一時停止 休止 暂停, pay payment 결제 지불 납부 지급 払 支払 決済 支払い 入金 支付 付款 缴费 收款 付钱, payout settlement 정산 지급 精算
清算 结算 对账, penetrate through wall collision 통과 지나가 すり抜け 突き抜け 壁 通り抜け 穿透 穿墙 穿过, percent ratio share 비율 퍼센트 비중 割合 比率 比例
百分之 占比, performance 성능 퍼포먼스 性能 パフォーマンス 效率, permission authority 권한 퍼미션 権限 パーミッション 权限 授权 越权, personal private privacy
개인 개인정보 사생활 프라이버시 個人 個人情報 プライバシー 个人 隐私 个人信息 私有, phone call 전화 통화 電話 通話 着信 电话 打电话 来电, physical position 실물 물리 物理 实物,
pipeline ci 파이프라인 지속통합 パイプライン 流水线 管道 持续集成, place put 배치 置く 置い 設置 放置 放在 安置, plan schedule 계획 일정 예정 기획 計画 予定 日程 スケジュール
计划 安排 排期, platform 플랫폼 プラットフォーム 基盤 平台, play player 플레이 플레이어 재생 プレイヤー プレイ 再生 試合 玩家 播放 对局, point reward mileage 포인트 적립
적립금 ポイント 積分 特典 积分 奖励, policy 정책 방침 ポリシー 方針 政策 策略 方针, pool プール 池 连接池, popular 인기 人気 热门 流行 热点, port 포트 ポート 端口, power
electricity 전원 전력 정전 電源 電力 停電 电源 断电 电力, practice drill 연습 훈련 演習 練習 演练 练习, predict inference 예측 추론 予測 推論 预测 推理 推断,
prefer 선호 好み 優先 偏好 优先 更喜欢, prefix suffix 접두 접미 머리말 接頭 接尾 前缀 后缀, prepare setup 준비 마련 세팅 準備 支度 用意 准备 搭建 新人, preview
미리보기 プレビュー 预览, previous old legacy past 이전 예전 과거 구버전 지난 기존 以前 過去 古い 旧 前回 従来 旧版 过去 之前 上周 上次, print pdf 인쇄 프린트 印刷 打印,
priority 우선 우선순위 優先 優先順位 优先级 优先, private 비공개 사설 非公開 プライベート 私有, probability odds 확률 가챠 뽑기 確率 抽選 概率 抽奖, problem issue
trouble 문제 이슈 고장 問題 トラブル 課題 现象 現象 问题 毛病 故障 情况, procedure step 절차 단계 순서 手順 ステップ 手続 步骤 流程 手续, process program 프로세스
프로그램 プロセス プログラム 进程 程序, produce producer 생산 만들어 生産 作り出 生产, product goods 상품 제품 물건 품목 물품 商品 製品 品物 产品 货物, production
live 운영 실서버 프로덕션 본서버 本番 プロダクション 生产 线上 正式环境, profile 프로필 프로파일 プロフィール 个人资料 画像, profit sales revenue 매출 수익 売上 収益 売り上げ
销售 营收 收入 营业额, project 프로젝트 プロジェクト 案件 项目 工程, promise guarantee 약속 約束 承诺, prompt 프롬프트 지시문 プロンプト 指示 提示词 提示, proof
evidence 증거 근거 証拠 根拠 出典 依据 证据 引用 出处, protect 보호 방어 守る 保護 防護 保护 防护, protocol 프로토콜 規約 プロトコル 协议, public publish 공개 게시
発行 公開 公布 公开 发表, pull request review 리뷰 검토 코드리뷰 プルリクエスト レビュー 審査 评审 审查 代码审查 审核, push 푸시 プッシュ 推送, quality 품질 品質 质量,
query 쿼리 질의 조회 クエリ 問い合わせ 查询 语句, question ask 질문 물어 질의 質問 聞く 尋ね 問い 提问 问题 询问 疑问, queue 큐 대기열 줄 キュー 待ち行列 队列, quit exit
종료 나가 終了 抜ける 退出, quota 할당량 쿼터 한도 割当 クォータ 配额, random 무작위 랜덤 임의 난수 乱数 無作為 ランダム 随机 随机数, range scope 범위 영역 範囲 領域 スコープ 范围
区域 作用域, ranking leaderboard 순위 랭킹 ランキング 順位 排行 排名 榜, rate 비율 속도 レート 割合 速率, raw 원시 그대로 生の そのまま 原始, read 읽기 열람 読む 読み 読ん
閲覧 読取 读取 阅读 读, ready 준비 대기 準備 就绪 准备好, reason 이유 근거 사유 理由 根拠 缘由, receive 수신 접수 受け取 受信 受付 收到 接收 领取, recent 최근 요즘 最近 近頃
近期, recipe config 레시피 レシピ 配方, recognize 인식 식별 認識 识别, recommend 추천 권장 推薦 おすすめ 推奨 推荐 建议, reconnect 재접속 재연결 再接続 重连,
record 기록 레코드 남기 記録 レコード 记录 录制, recover restore 복구 복원 되살 되돌 復旧 復元 回復 戻す 恢复 还原 复原, recurrence prevention 재발 재발방지 再発
再発防止 复发 再次发生, refactor 리팩터 리팩토링 リファクタリング 重构, reference citation 참조 참고 인용 출처 参照 参考 出典 引用, refresh reload 새로고침 갱신 리프레시
更新 再読み込 リロード 刷新 重新加载, refund return 환불 반품 반환 返金 払い戻 返品 返却 戻す 戻した 退款 退货 返还 退回, refuse reject 거부 거절 반려 拒否 却下 拒む 拒绝 驳回,
register signup 등록 가입 회원가입 登録 加入 サインアップ 注册 登记 报名, regular periodic cron 정기 주기 정기적 크론 定期 定時 周期 バッチ 定时 周期性, related 관련
연관 関連 関係 相关 关联, release free 해제 반납 解放 解除 释放, rely trust 신뢰 의존 信頼 頼る 当てに 依赖 信任 可靠, remain leftover 남은 남아 잔여 残る 残り 残って
剩余 残留 剩下 仍然, remember 기억 記憶 覚え 记住 记忆, remote 원격 리모트 遠隔 リモート 遠隔地 远程, remove 제거 없애 取り除 外す 除去 移除 去除, rename 이름변경 개명 改名
名称変更 リネーム 重命名, repeat again 다시 반복 再び 再度 もう一度 繰り返 再次 重新 重复, replace substitute swap 교체 대체 바꾸 갈아 대신 置き換 差し替 交換 代わり 入れ替
替换 更换 代替 取代 换, replica replication 복제 레플리카 複製 レプリカ レプリケーション 副本 从库 主从 复制, report 보고 리포트 신고 보고서 報告 レポート 報告書 报告 汇报 上报,
repository 저장소 리포지토리 레포 リポジトリ 仓库 代码库, request 요청 신청 의뢰 リクエスト 要求 請求 申請 请求 申请, require 요구 필요 要求 必要 求め 需要, reset
initialize 초기화 재설정 리셋 リセット 再設定 初期化 重置 清零 重设, resolution 해상도 解像度 分辨率, resource 리소스 자원 リソース 資源 资源, responsible owner
duty 담당 책임 당직 担当 責任 当番 责任 负责 主管 值班, restart 재시작 再起動 リスタート 重启 再次启动, result 결과 結果 成果 结果 效果, resume continue 재개 이어 계속
再開 続け 続行 继续 恢复 接着, retention keep 보관 보존 보유 保持 保管 保存 保留 留存, retry 재시도 再試行 リトライ やり直 重试 重投 再试, return 반환 돌려 리턴 返す 返却 返り
返回 归还, reuse 재사용 再利用 复用 重用, revert rollback undo 되돌리 롤백 원복 취소 ロールバック 戻す 巻き戻 差し戻 回滚 撤回 还原 恢复 回退, rewrite 재작성 書き直 書き換
重写 改写, right correct 올바 正しい 正しく 合って 正确 对的, ring phone 울리 鳴る 响铃, risk danger 위험 리스크 危険 リスク 风险 危险, room channel 部屋 ルーム
房间 直播间, root 루트 뿌리 근본 ルート 根本 根目录, rotate 회전 교체 回転 ローテーション 轮换 旋转 轮转, round truncate 반올림 버림 절사 올림 四捨五入 丸め 切り捨て 端数 四舍五入
取整 舍入, safe safety security 안전 보안 安全 セキュリティ 保安 漏洞, sample sampling 표본 샘플링 サンプリング 標本 采样 抽样, save store persist 저장 보관
보존 세이브 保存 保管 格納 セーブ 存储 储存 存放 存, scale expand extend 확장 늘리 스케일 拡張 広げ スケール 扩展 扩容 扩大, scan 스캔 전수 スキャン 走査 扫描, schema
structure 스키마 구조 スキーマ 構造 结构 模式 表结构, screen view 화면 스크린 画面 スクリーン 屏幕 界面 视图, script 스크립트 スクリプト 脚本, scroll 스크롤 スクロール 滚动,
season 시즌 계절 シーズン 季節 赛季 季节, section area 구역 섹션 부분 区画 セクション 部分 区域 章节, secure 보안 안전 安全 セキュア, seed fixture testdata 시드
초기데이터 初期データ シード テストデータ 种子数据 测试数据 造数据 测试订单, send 보내 발송 전송 송신 送信 送る 送り 発送 送付 发送 寄出 下发 发出, sensor 센서 センサー 传感器, sentence
text 문장 문구 텍스트 文章 文面 文言 テキスト 文本 文案 句子 文字, separate 분리 따로 별도 分離 別々 分ける 分离 单独 另外 分开, serial 직렬 시리얼 直列 串行 顺次, server 서버
サーバ サーバー 服务器 服务端 后端 后台, service 서비스 サービス 服务, session 세션 セッション 会话 登录态, settle agreement 합의 정산 合意 结算, share 공유 나눠 シェア
共有 分享 共享, short brief 짧은 단기 간단 短い 短く 簡単 短期 简短, sign signature 서명 사인 署名 サイン 签名 验签, signal 신호 시그널 信号 合図, similar alike
비슷 유사 似た 類似 同様 类似 相似 同类, simple easy 간단 단순 쉬운 簡単 単純 易しい 容易 简单 单纯, site website 사이트 홈페이지 웹사이트 サイト ホームページ 网站 站点, skip
omit 건너뛰 생략 스킵 省略 飛ばす スキップ 跳过 略过, sleep wait 대기 기다리 기다려 待機 待つ 待ち 待た 等待 等候, small little 작은 소규모 조그 小さい 小さく 小規模 少し 较小
少量, smooth 부드럽 매끄 滑らか スムーズ 流畅 平滑, snapshot 스냅샷 スナップショット 快照, social sns kakao wechat google apple 소셜 카카오 네이버 구글 애플
ソーシャル グーグル アップル 社交 微信 苹果 谷歌, soft 소프트 논리 論理 ソフト, software 소프트웨어 ソフトウェア ソフト 软件, sort 정렬 소트 並べ替え ソート 整列 並び 排序 排列,
source code 소스 출처 ソース 源码 来源, space room 공간 여유 빈공간 空間 余裕 空き スペース 空间 余地, spam junk 스팸 정크 스팸함 迷惑メール スパム 垃圾邮件 垃圾,
special 특별 특수 特別 特殊 特别, specify specification 지정 사양 명세 스펙 指定 仕様 规格 规范 说明, spell typo 철자 오타 맞춤법 綴り 誤字 拼写 错别字 拼音 ローマ字,
split partition 분할 쪼개 分割 拆分, stable 안정 안정적 安定 稳定, stage staging 스테이징 검증계 ステージング 検証環境 预发 测试环境 预发布, standard 표준 기준 標準
基準 标准 基准, state status 상태 스테이트 状態 ステータス 状况 状态, static 정적 静的 静态, statistic aggregate 통계 집계 합계 統計 集計 合計 统计 聚合 汇总 合计,
stay remain 머물 残る 留まる 停留, steal hijack 탈취 훔치 도난 盗む 盗難 乗っ取 盗用 窃取 被盗, step 단계 스텝 걸음 段階 ステップ 步骤 阶段, still yet 아직 여전 まだ
未だ 仍然 还是 尚未, stock inventory 재고 품절 수량 在庫 品切 欠品 库存 缺货 存货 超卖, stop halt 중지 중단 멈추 멈춰 정지 그만 停止 中止 止める 止ま やめ 停下 停,
storage disk 저장소 스토리지 저장공간 ストレージ 記憶域 存储 对象存储, store keep 보관 저장 保管 保存 存放, strategy 전략 방침 戦略 策略, stream streaming 스트림
스트리밍 흐름 ストリーム ストリーミング 流式 数据流, string text 문자열 스트링 文字列 字符串, strong strict 강한 엄격 강력 強い 厳格 厳しい 严格, style css 스타일 양식
スタイル 様式 样式 风格, subject title 제목 주제 題名 タイトル 件名 主題 标题 主题, submit 제출 전송 提出 送信 提交, subscribe subscription 구독 購読 サブスク 订阅,
success 성공 성공적 成功 うまく, suggest 제안 권유 提案 勧め 建议, summary summarize 요약 정리 개요 要約 まとめ 概要 総括 总结 摘要 汇总 复盘, postmortem
retrospective 회고 사후 振り返 反省 障害報告 复盘 回顾, supply provide 공급 제공 供給 提供 供应, support 지원 대응 対応 サポート 支持, surprise unexpected
예상밖 뜻밖 갑자기 突然 急に 想定外 意外, suspect doubt 의심 의문 疑い 怪しい 怀疑 疑问, switch toggle 전환 스위치 바꿔 토글 切り替え 切替 スイッチ 切换 开关 切到, symbol
icon 심볼 기호 記号 シンボル 符号, sync synchronize 동기화 맞추 同期 シンク 同步, synonym 동의어 유의어 同義語 表記ゆれ 同义词 近义, system 시스템 체계 システム 体系 系统,
table 테이블 표 テーブル 表格 数据表, take bring 가져 취하 持つ 取る, target goal 목표 대상 타겟 目標 対象 ターゲット 目标 对象, tax vat 세금 부가세 세무 소비세 税 消費税
税金 税率 税费 发票, team 팀 부서 チーム 部署 团队 部门, technology technical 기술 技術 テクノロジー 技术, template 템플릿 서식 テンプレート 雛形 模板, temporary
임시 일시 一時 臨時 临时 暂时, term condition 약관 조항 規約 条項 条款 协议, test 테스트 시험 검증 テスト 試験 検証 测试 用例 检验 测验, text 글자 텍스트 テキスト 文字 文本,
theme 테마 주제 テーマ 主题, think consider 생각 고려 考え 検討 思う 考虑 认为 思考, thread 스레드 쓰레드 スレッド 线程, threshold 임계 임곗값 기준 閾値 基準 しきい値
阈值 门槛, throttle ratelimit 속도제한 횟수제한 스로틀 制限 回数制限 レート制限 限流 限速 频控, ticket 티켓 작업표 チケット 工单 任务单, time 시간 시점 시각 時間 タイミング 時点
时间 时候 时机 时间段, timeout 시간초과 타임아웃 タイムアウト 時間切れ 超时, timer schedule 타이머 예약 タイマー 定时器, timezone utc 시간대 타임존 표준시 タイムゾーン 時差
時間帯 时区 时差, title 제목 타이틀 タイトル 見出し 标题, today yesterday tomorrow 오늘 어제 내일 전날 今日 昨日 明日 前日 翌日 今天 昨天 明天 前一天, token 토큰 トークン
令牌, tool 도구 道具 ツール 工具, top upper 상단 맨위 上部 先頭 一番上 顶部 上面 最上, total sum 합계 전체 合計 総計 总计 总共 总额, touch finger 터치 손가락 タッチ
触摸 手指, track trace 추적 트레이스 追跡 トレース 追う 追踪 跟踪 链路, trade exchange 교환 거래 交換 取引 交易 交换, traffic 트래픽 통행 トラフィック 通信量 流量,
transaction 트랜잭션 거래 トランザクション 取引 事务 交易, transfer 전송 이체 이전 転送 振込 移転 传输 转账 转移, translate translation i18n 번역 다국어 현지화 翻訳
多言語 訳 翻译 国际化 多语言, transmit 송신 전송 送信 伝送 传输 发送, tree 트리 나무 ツリー 木構造, trigger 트리거 유발 방아쇠 きっかけ トリガー 触发 引发, trust 신뢰 믿음 信頼
信用 信任, try attempt 시도 시험 試み 試す 挑戦 尝试 试图, type kind 타입 유형 종류 種類 タイプ 类型 种类 型号, understand 이해 알아 理解 分かる 明白 看不懂, unique
고유 유일 중복없 一意 固有 ユニーク 唯一 独有, unit 단위 유닛 単位 ユニット 单位 单元, unlock release 해제 解除 解錠 解锁, unnecessary unused 불필요 안쓰 不要 使わない
使われない 无用 不必要 多余 没用, update 갱신 업데이트 최신화 更新 アップデート 升级 同步, upgrade 업그레이드 올리 승급 アップグレード 格上げ 上げる 升级 升到 提级, upload 업로드 올리
올려 アップロード 上げ 上传, urgent hotfix 긴급 급한 핫픽스 緊急 急ぎ ホットフィックス 紧急 热修复, use usage 사용 이용 쓴다 활용 使用 利用 使う 使い 使っ 活用 采用, user
visitor 사용자 유저 이용자 방문자 회원 ユーザー ユーザ 利用者 使用者 用户 访客, guest anonymous 비회원 비로그인 익명 게스트 ゲスト 匿名 未登录 游客, valid validate
validation 유효 검증 유효성 有効 検証 妥当 有效 校验 验证, value 값 가치 値 価値 数值 价值 值, variable 변수 変数 变量, vector embedding 벡터 임베딩 ベクトル
埋め込み 向量 嵌入, version 버전 バージョン 版本, video 동영상 비디오 영상 動画 ビデオ 映像 视频 录像, virtual 가상 仮想 バーチャル 虚拟, virus malware 바이러스 악성
ウイルス マルウェア 病毒 恶意软件, visible view 보이 눈에 가시 見える 可視 可见 可视, wait 기다리 대기 待つ 待ち 等待, wake 깨우 起こす 目覚め 唤醒, wall barrier
obstacle 장벽 장애물 壁 障壁 障害物 墙 障碍, warehouse 창고 웨어하우스 倉庫 仓库 数仓, warn warning 경고 주의 警告 注意 ワーニング 提醒, waste 낭비 無駄 浪費 浪费,
watch observe 감시 관찰 지켜 見る 観察 監視 观察 监视, weak 약한 취약 弱い 脆弱, vulnerability 취약점 脆弱性 漏洞 高危, web 웹 ウェブ 网页 网站, webhook 웹훅
ウェブフック 网络钩子 回调通知, websocket 웹소켓 소켓 ウェブソケット ソケット 长连接 套接字, week 주간 일주일 週間 毎週 星期 每周, weight 무게 가중치 重さ 重み 重量 权重, wide 広い
広く, word 단어 낱말 単語 言葉 单词 词语 分词 新词, work operate 작동 동작 動く 動作 動か 働く 工作 运转 生效, worker 작업자 워커 ワーカー 作業者 工作线程, write 기록 작성
書く 書き 書い 記入 写 写入 书写 填写, wrong incorrect 잘못 틀린 틀리 엉뚱 間違 誤り 誤っ 错误 不对 不正确, year annual 연간 年間 毎年 每年 年度, zero 제로 ゼロ 归零,
shuffle mixed jumbled 뒤죽박죽 뒤섞 混ざ 混在 ごちゃ 混乱 乱了 错乱 混淆, burst spike surge 급증 폭증 폭탄 몰리 쏠리 急増 殺到 集中 激增 暴涨 突增 雪崩 涌入,
stampede simultaneous expire 한꺼번에 일제히 一斉 同時に 同一时刻 一起 同时失效, tofu garbled mojibake 네모 글자깨짐 깨져보 문자깨짐 文字化け 化け 崩れ 方框 方块
乱码, sold purchase 판매 販売 売る 销售 卖出, restrict narrow 제한 絞る 狭い 限定 缩小 限制, escape loophole 우회 회피 迂回 抜け道 绕过, approval sign
off 승인자 결재자 承認者 审批人, subsidiary tenant 테넌트 입주 テナント 租户 租戶, shadow 그림자 影 シャドウ 影子, sprite character avatar 캐릭터 아바타
キャラクター アバター 角色 头像, obstacle 방해 걸림 妨害 障害 阻碍, collision detection 충돌검사 当たり判定 衝突判定 碰撞检测, rebuild regenerate 재생성 재구축 作り直
再構築 再生成 重建 重新生成, reindex 재색인 再索引 インデックス再構築 重建索引, scalable shard sharding 샤딩 분산 シャーディング 分库 分表 分片, leader follower 리더
팔로워 リーダー 主节点 从节点, slave readonly 읽기전용 読み取り専用 只读 从库, incremental 증분 増分 差分 增量, snowflake sequence autoincrement 일련번호
순번 연번 連番 採番 自增 递增 序号 雪花 发号, quarantine 격리 隔離 隔离, isolate isolation 격리 분리 隔離 分離 隔离, sidecar 사이드카 サイドカー 边车, gray
canary rollout 점진 카나리 단계적 カナリア 段階 灰度 金丝雀 逐步, bluegreen 블루그린 ブルーグリーン 蓝绿, feature flag toggle 기능플래그 機能フラグ 切り替えスイッチ
功能开关 特性开关, trunk mainline 트렁크 본류 主干 トランク, pull merge request 풀리퀘스트 병합요청 プルリク マージリクエスト 合并请求, lint formatter 린트 포맷터
リント 整形 代码检查 格式化, coverage metric 커버리지 網羅率 覆盖率, assertion expect 단언 断言 アサーション, mock stub 스텁 モック スタブ 模拟 打桩, regression
회귀 リグレッション 退行 デグレ 回归, concurrency race 경쟁 동시성 競合状態 レース 竞态 并发, thundering herd 쏠림 一斉アクセス 惊群, healthcheck liveness
헬스체크 상태확인 ヘルスチェック 死活監視 健康检查 探活, load balancer 로드밸런서 부하분산 ロードバランサ 負荷分散 负载均衡, reverse proxy 리버스프록시 リバースプロキシ 反向代理,
circuit breaker 서킷브레이커 차단기 サーキットブレーカー 熔断, deadletter 데드레터 デッドレター 死信, subquery join 조인 결합 結合 ジョイン 联表 连表, slow query
explain 遅いクエリ 慢查询, implicit cast 형변환 암묵적 変換 暗黙 类型转换 隐式, primary key 기본키 주키 主キー 主键, foreign key 외래키 外部キー 外键, soft
delete 논리삭제 論理削除 软删除, bloom filter 블룸 ブルーム 布隆, onboarding newcomer 신입 온보딩 新人 オンボーディング 新同事 新员工 入职, outsource 외주 外注 委託
外包, compliance audit 규정 감사 準拠 コンプライアンス 合规, identity resident 주민번호 신분증 身分証 マイナンバー 身份证, shift holiday calendar 근무 교대
勤務 シフト 排班, commission 수수료 커미션 手数料 佣金, gift 선물 기프트 贈り物 ギフト 礼物, search 찾기 探索, file 档案, server 伺服, slow 늦은, cache 緩存,
version 판본 版数, move 옮김 移動 移动, history 歴史, after 이후 以後 事後 之后, new 새로 新し 全新, old 既存 以往, correct 正し, problem 难题, event
사건 事象, read 読込, write 쓰기 쓰는 書込 编写, download 내려받기, build 구축 構築, manual 수동 직접 手動 手作 手动, missing 없는 不足 缺少, repeat 재차,
complete 완성, progress 진행 경과 進行 進捗 进度 进行, replace 치환 置換, apply 반영 反映, disable 끄기, enable 켜기, call 呼出, pass 합격 合格 通過,
flaky 不稳, budget 예산 予算 预算, team colleague 동료 팀원 同僚 同事
`;
