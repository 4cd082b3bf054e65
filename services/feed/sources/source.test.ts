import { expect, test } from 'vitest';
import { messageNamed, rulesOf } from '#platform/wire/descriptors.ts';
import { PROBLEMS } from '../deliveries/source-failure.ts';
import { SOURCE_FORMATS } from '../formats/formats.ts';

test.each([
  ['FeedSource', 'format', SOURCE_FORMATS],
  ['Fetch', 'problem', PROBLEMS],
])('the words that the contract declares for %s.%s are those that the feed uses', (message, field, words) => {
  const declared = rulesOf(messageNamed(`saring.feed.v1.${message}`).field[field]!).words;
  expect(declared).toEqual([...words]);
});
