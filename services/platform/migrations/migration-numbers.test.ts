import { expect, test } from 'vitest';
import { missingMigrations, SchemaAheadError } from './migration-numbers.ts';

const KNOWN = ['003_initial', '004_labels', '005_age'];
const missing = (...applied: string[]) => missingMigrations('schema keys', applied, KNOWN);

test('an empty database lacks all migrations, and one that is up to date none', () => {
  expect(missing()).toEqual(KNOWN);
  expect(missing(...KNOWN)).toEqual([]);
});

test('a database that ran the migrations before they were squashed lacks only the later ones', () => {
  expect(missing('001_key', '002_hint', '003_pepper')).toEqual(['004_labels', '005_age']);
  expect(missing('001_key', '002_hint', '003_pepper', '004_labels')).toEqual(['005_age']);
});

test('a database that ran only some of the squashed migrations is refused', () => {
  expect(() => missing('001_key', '002_hint')).toThrow(/^schema keys is too old: it ends with 002_hint/);
});

test.each(['006_of_tomorrow', '004_of_others'])('a database that ran %s is refused as ahead', (unknown) => {
  expect(() => missing('003_initial', unknown)).toThrow(SchemaAheadError);
});
