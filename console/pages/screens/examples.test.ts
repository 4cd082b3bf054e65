import { expect, test } from 'vitest';
import { FIELDS } from '#fields/catalogue/catalogue.ts';
import { needsOf } from '#fields/rules/needs.ts';
import { parseRules } from '#fields/rules/parse-rules.ts';
import { EXAMPLES } from './examples.ts';

test.each(Object.entries(EXAMPLES))(
  'the example %s is valid, and counted while it is shown',
  (_name, rules) => {
    expect(needsOf(parseRules(rules, FIELDS)).daysBack).toBe(0);
  },
);
