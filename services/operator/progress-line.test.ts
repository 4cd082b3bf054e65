import { expect, test } from 'vitest';
import { clock } from './progress-line.ts';

test('a line counts from the start of the import', () => {
  expect(clock(3_790, {}, 1_009_000)).toBe('3.8 s');
});

test('a line counts from the start of the fleet where that runs the command, as the lines around it do', () => {
  expect(clock(3_790, { SARING_FLEET_STARTED_AT_MS: '1000000' }, 1_009_000)).toBe('9.0 s');
});
