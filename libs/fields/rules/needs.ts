import { otherFieldOf, testsOf, type Rules, type Test } from './rules.ts';

/** What an evaluation of rules reads. */
interface RulesNeeds {
  /** Names of fields, ascending. */
  fields: string[];
  /** Exchange days before the evaluated day of which columns are read. */
  daysBack: number;
}

/** The columns that rules in normal form read. */
export function needsOf({ where, sort = [] }: Rules): RulesNeeds {
  const tests = testsOf(where);
  const others = tests.flatMap((test) => otherFieldOf(test) ?? []);
  const names = new Set([...tests.map(({ field }) => field), ...others, ...sort.map(({ field }) => field)]);
  return { fields: [...names].sort(), daysBack: Math.max(0, ...tests.map(daysBackOf)) };
}

function daysBackOf(test: Test): number {
  return 'within_days' in test ? test.within_days : (test.days ?? 0);
}
