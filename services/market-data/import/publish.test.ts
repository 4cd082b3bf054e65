import { expect, test } from 'vitest';
import { nextVersion } from './publish.ts';

test('a version is named by kind, last day and the next free number of both', () => {
  const published = ['real-20240628-1', 'real-20240628-10', 'real-20240627-40', 'synthetic-20240628-90'].map(
    (version) => ({ version }),
  );
  expect(nextVersion('real', '2024-06-28', published)).toBe('real-20240628-11');
  expect(nextVersion('real', '2024-07-01', published)).toBe('real-20240701-1');
});
