import { expect, test } from 'vitest';
import { messageNamed, rulesOf } from '#shared/wire/descriptors.ts';
import { PROBLEMS, SOURCE_FORMATS } from './source.ts';

test.each([
  ['FeedSource', 'format', SOURCE_FORMATS],
  ['Fetch', 'problem', PROBLEMS],
])('the words that the contract declares for %s.%s are those that the feed uses', (message, field, words) => {
  const declared = rulesOf(messageNamed(`saring.feed.v1.${message}`).field[field]!).words;
  expect(declared).toEqual([...words]);
});
