import { expect, describe, test } from 'vitest';
import { LIMITS } from '../rules/rules.ts';
import { RESERVED } from '../rules/text-words.ts';
import { FIELD_GROUPS, FIELDS } from './catalogue.ts';

const ALL = FIELD_GROUPS.flatMap(({ fields }) => fields);

describe('the catalogue', () => {
  test('declares at least 80 fields, each once', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(80);
    expect(FIELDS.size).toBe(ALL.length);
  });

  test.each(ALL)('declares $name completely', (field) => {
    expect(field.name).toMatch(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$/);
    expect(field.name.length).toBeLessThanOrEqual(40);
    expect(RESERVED.has(field.name)).toBe(false);
    for (const words of [field.label, field.nullMeans, field.note ?? field.label]) {
      expect(words.id.length).toBeGreaterThan(2);
      expect(words.en.length).toBeGreaterThan(2);
    }
    expect(field.formula.length).toBeGreaterThan(2);
    expect(field.source.length).toBeGreaterThan(5);
    expect(field.readsDays ?? Infinity).toBeGreaterThanOrEqual(field.daysNeeded);
    for (const word of field.values ?? []) expect(word.length).toBeLessThanOrEqual(LIMITS.wordLength);
    if (field.type === 'text') expect(field.values === undefined).toBe(field.textOf !== undefined);
    if (field.type !== 'number') expect([field.unit, field.restatedAs]).toEqual(['none', undefined]);
    expect(field.restatedAs).toBe(
      field.unit === 'idr_per_share' ? 'price' : field.unit === 'shares' ? 'shares' : undefined,
    );
  });

  test('says of each field what its formula leaves open', () => {
    const noteOf = (name: string) => FIELDS.get(name)!.note?.en;
    for (const name of ['rsi_14', 'rsi_5', 'stoch_k', 'stoch_d'])
      expect(noteOf(name), name).toMatch(/^50 for/);
    for (const name of ['atr_14', 'atr_14_pct']) expect(noteOf(name), name).toMatch(/first range/);
    for (const name of ['volatility_20d_pct', 'volatility_60d_pct'])
      expect(noteOf(name), name).toMatch(/252.*242/);
    for (const name of ['top5_buyer_share_5d_pct', 'accum_score_5d', 'hhi_gap_5d', 'broker_churn_5d_pct'])
      expect(noteOf(name), name).toMatch(/figure of each day/);
  });

  test('has labels of its own for every field', () => {
    expect(new Set(ALL.map(({ label }) => label.en)).size).toBe(ALL.length);
    expect(new Set(ALL.map(({ label }) => label.id)).size).toBe(ALL.length);
  });
});
