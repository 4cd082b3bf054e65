import { expect, test } from 'vitest';
import { validatedParams } from './run-validation.ts';

const validate = (model_id: string, params?: Record<string, unknown>, view = 'full') =>
  validatedParams({ model_id, params, view });

test('what is left out of a run has the defaults of its model', () => {
  expect(validate('confluence_filter', { lookback: 9 })).toMatchObject({ lookback: 9, min_signals: 2 });
});

test.each([
  ['an unknown model', () => validate('none'), 'model_not_found'],
  ['a parameter out of bounds', () => validate('confluence_filter', { lookback: 0 }), 'invalid_request'],
  ['a view that the model lacks', () => validate('confluence_filter', {}, 'compact'), 'invalid_request'],
])('%s is refused', (_, attempt, code) => {
  expect(attempt).toThrow(expect.objectContaining({ code }) as Error);
});
