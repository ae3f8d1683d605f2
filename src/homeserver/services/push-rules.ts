import { refuse } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import {
  makeDefaultRules,
  type PushRule,
  type RuleKind,
  type RuleSet,
  ruleKinds,
} from "../rules/push-defaults.ts";
import type { AccountData } from "./account-data.ts";

/** Push rules, stored as the account data `m.push_rules` so that /sync reports changes. Without an entry the defaults apply. */
export interface PushRules {
  get(userId: string): RuleSet;
  asAccountData(userId: string): JsonObject;
  changedAt(userId: string): number;
  find(userId: string, kind: RuleKind, ruleId: string): PushRule;
  put(userId: string, kind: RuleKind, rule: PushRule, place: Place): void;
  change(userId: string, kind: RuleKind, ruleId: string, change: (rule: PushRule) => PushRule): void;
  remove(userId: string, kind: RuleKind, ruleId: string): void;
}

/** Before or after another rule of the user; first if neither is given. */
interface Place {
  before: string | undefined;
  after: string | undefined;
}

const type = "m.push_rules";
/** Per user and kind, besides the predefined rules. */
const maxRules = 200;

export function openPushRules(accountData: AccountData): PushRules {
  const defaults = new Map<string, RuleSet>();

  function get(userId: string): RuleSet {
    const stored = accountData.get(userId, "", type)?.global as RuleSet | undefined;
    if (stored) return stored;
    const rules = defaults.get(userId) ?? makeDefaultRules(userId);
    defaults.set(userId, rules);
    return rules;
  }

  function save(userId: string, kind: RuleKind, rules: PushRule[]): void {
    accountData.set(userId, "", type, { global: { ...get(userId), [kind]: rules } });
  }

  function find(userId: string, kind: RuleKind, ruleId: string): PushRule {
    return (
      get(userId)[kind].find((rule) => rule.rule_id === ruleId) ??
      refuse("M_NOT_FOUND", `Unknown push rule ${ruleId}.`)
    );
  }

  return {
    get,
    find,
    asAccountData: (userId) => ({ global: get(userId) }),
    changedAt: (userId) =>
      accountData.since(userId, "", -1).find((datum) => datum.type === type)?.stream ?? 0,
    put(userId, kind, rule, { before, after }) {
      const rules = get(userId)[kind];
      const known = rules.find(({ rule_id: id }) => id === rule.rule_id);
      const others = rules.filter((other) => other !== known);
      if (others.filter((other) => !other.default).length >= maxRules)
        refuse("M_TOO_LARGE", `You cannot have more than ${maxRules} rules of a kind.`);
      const anchor = before ?? after;
      let index = 0;
      if (anchor !== undefined) {
        const at = others.findIndex((other) => other.rule_id === anchor && !other.default);
        if (at < 0) refuse("M_UNKNOWN", `You have no push rule ${anchor}.`);
        index = before === undefined ? at + 1 : at;
      } else if (others[0]?.rule_id === ".m.rule.master") index = 1; // The master rule stays first.
      // A disabled rule stays disabled when it is replaced.
      save(userId, kind, others.toSpliced(index, 0, { ...rule, enabled: known?.enabled ?? rule.enabled }));
    },
    change(userId, kind, ruleId, change) {
      find(userId, kind, ruleId);
      const rules = get(userId)[kind];
      save(
        userId,
        kind,
        rules.map((rule) => (rule.rule_id === ruleId ? change(rule) : rule)),
      );
    },
    remove(userId, kind, ruleId) {
      if (find(userId, kind, ruleId).default)
        refuse("M_UNKNOWN", "Predefined rules can be disabled, but not removed.");
      save(
        userId,
        kind,
        get(userId)[kind].filter((rule) => rule.rule_id !== ruleId),
      );
    },
  };
}

export function isRuleKind(text: string): text is RuleKind {
  return (ruleKinds as readonly string[]).includes(text);
}
