import { expect, test } from 'vitest';
import { preferredOf } from './languages.ts';

test.each([
  [undefined, ['id', 'en'], undefined],
  ['', ['id', 'en'], undefined],
  ['en', ['id', 'en'], 'en'],
  ['EN', ['id', 'en'], 'en'],
  ['fr, en;q=0.8, id;q=0.9', ['id', 'en'], 'id'],
  ['en-US,en;q=0.9', ['id', 'en'], 'en'],
  ['en', ['id', 'en-GB'], 'en-GB'],
  ['en', ['en-GB', 'en'], 'en'],
  ['jv', ['id', 'en', 'jv'], 'jv'],
  ['fr, *;q=0.1', ['id', 'en'], 'id'],
  ['en;q=0', ['id', 'en'], undefined],
  ['de', ['id', 'en'], undefined],
  ['en;q=high, id', ['id', 'en'], 'id'],
  ['__proto__, \u00e9', ['id'], undefined],
  [`${'x,'.repeat(10_000)}en`, ['id', 'en'], undefined],
])('%s among %j prefers %s', (header, offered, preferred) => {
  expect(preferredOf(header, offered)).toBe(preferred);
});
