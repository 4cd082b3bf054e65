import type { Explanation } from '#fields/evaluation/explain.ts';
import type { ExplainedRule, MemberChange } from '#proto/saring/market_data/v1/fields.ts';
import type { ComparedStock } from './field-worker.ts';

/** Every condition of an explanation in the order of the rules, each before its parts. */
export function listed(explanation: Explanation | undefined, depth = 0): ExplainedRule[] {
  if (!explanation) return [];
  const { rule, met, parts = [], value = null, threshold = null, margin } = explanation;
  return [
    { rule, passed: met === true, value, threshold, margin: margin ?? undefined, depth },
    ...parts.flatMap((part) => listed(part, depth + 1)),
  ];
}

/** A stock that entered or left, with the single conditions that it passes on one of the two days only. */
export function changeOf({ ticker, before, after }: ComparedStock): MemberChange {
  const [then, now] = [listed(before), listed(after)];
  const decided_by = now.filter(
    (rule, at) => !isCombined(rule, now[at + 1]) && rule.passed !== then[at]?.passed,
  );
  return { ticker, decided_by };
}

function isCombined({ depth }: ExplainedRule, next: ExplainedRule | undefined): boolean {
  return next !== undefined && next.depth > depth;
}
