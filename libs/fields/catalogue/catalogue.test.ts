import { expect, describe, test } from 'vitest';
import { LIMITS } from '../rules/rules.ts';
import { RESERVED } from '../rules/text-words.ts';
import { FIELD_GROUPS, FIELDS } from './catalogue.ts';

const ALL = FIELD_GROUPS.flatMap(({ fields }) => fields);

describe('the catalogue', () => {
  test('declares at least 80 fields, each once', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(80);
    expect(FIELDS.size).toBe(ALL.length);
    const inSnapshot = ALL.flatMap((field) => field.inSnapshot ?? []);
    expect(new Set(inSnapshot).size).toBe(inSnapshot.length);
  });

  test.each(ALL)('declares $name completely', (field) => {
    expect(field.name).toMatch(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$/);
    expect(field.name.length).toBeLessThanOrEqual(40);
    expect(RESERVED.has(field.name)).toBe(false);
    for (const words of [field.label, field.nullMeans]) {
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

  test('has labels of its own for every field', () => {
    expect(new Set(ALL.map(({ label }) => label.en)).size).toBe(ALL.length);
    expect(new Set(ALL.map(({ label }) => label.id)).size).toBe(ALL.length);
  });
});
