import type { TObject } from 'typebox';
import { expect, test } from 'vitest';
import { routes } from '../routes/index.ts';
import { isMarketData } from '../declarations/route.ts';
import { responseKey } from './dataset-responses.ts';

const kept = routes.filter(isMarketData);
const quotes = kept.find(({ operationId }) => operationId === 'getQuotes')!;
const stock = kept.find(({ operationId }) => operationId === 'getStock')!;
const keyOf = (query: object) => responseKey(quotes, { params: {}, query, body: undefined });

/** Every text or list of texts among a route's inputs, and whether its description says that it takes any case. */
const texts = kept.flatMap((route) =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    Object.entries((route[part] as TObject | undefined)?.properties ?? {})
      .map(([name, schema]) => ({ name, ...(schema as { type?: string; description?: string }) }))
      .filter(({ type }) => type === 'string' || type === 'array')
      .map(({ name, type, description }) => {
        const inAnyCase = /in any case/i.test(description ?? '');
        return [`${route.operationId} ${part} ${name}`, { route, part, name, type, inAnyCase }] as const;
      }),
  ),
);

test.each(texts)('%s is case-sensitive in the key unless its description accepts any case', (_what, text) => {
  const { route, part, name, type, inAnyCase } = text;
  const keyWith = (value: string) => {
    const input = { params: {}, query: {}, body: undefined };
    return responseKey(route, { ...input, [part]: { [name]: type === 'array' ? [value] : value } });
  };
  expect(keyWith('abc') === keyWith('ABC')).toBe(inAnyCase);
  expect(keyWith('abc')).not.toBe(keyWith('abd'));
});

test('the key ignores the order of parameter names, but not the order within a list', () => {
  expect(keyOf({ a: 1, b: 2 })).toBe(keyOf({ b: 2, a: 1 }));
  expect(keyOf({ tickers: 'AAAA,BBBB' })).not.toBe(keyOf({ tickers: 'BBBB,AAAA' }));
});

test('inputs that differ in route, part, name, type or value never share a key', () => {
  const inputs = [
    responseKey(stock, { params: {}, query: { days: 1 }, body: undefined }),
    responseKey(quotes, { params: {}, query: { days: 1 }, body: undefined }),
    responseKey(quotes, { params: { days: 1 }, query: {}, body: undefined }),
    responseKey(quotes, { params: {}, query: {}, body: { days: 1 } }),
    ...[{ days: '1' }, { day: 's1' }, { days: [1] }, { days: 11 }, { days: 1, more: 1 }].map(keyOf),
  ];
  expect(new Set(inputs).size).toBe(inputs.length);
});
