import { expect, test } from 'vitest';
import { MODEL_TO_TRY, paramsToTry } from './try-run.ts';

const signal = new AbortController().signal;
const answering = (answer: unknown) => ({ post: async () => answer as never });

test('what gives picks is tried: the defaults, or else the changes that the empty result names', async () => {
  expect(MODEL_TO_TRY).toBe('model_f_combined');
  expect(await paramsToTry(answering({ result: { pick_count: 3 } }), signal)).toEqual({});
  const changes = { min_probability: 58, min_daily_val: 5e9 };
  expect(await paramsToTry(answering({ result: { pick_count: 0, empty: { changes } } }), signal)).toEqual(
    changes,
  );
});

test('a fleet that cannot run anything is still shown how to', async () => {
  const post = () => Promise.reject(new Error('503'));
  expect(await paramsToTry({ post }, signal)).toEqual({});
});
