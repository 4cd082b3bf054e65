import { LANGUAGES } from '#foundation/text/languages.ts';
import { Localised } from '#foundation/text/localised.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  above,
  below,
  emptyBlock,
  type Filter,
  priceFilter,
  probabilityFilter,
  shown,
  valueFilter,
} from './empty-block.ts';
import { followed } from '../fixtures/read-result-fixture.ts';

/** Three filters over names with three levels each. A name passes if it reaches every floor. */
interface Floors {
  a: number;
  b: number;
  c: number;
}
type Name = Floors;

const STEPS = Array.from({ length: 10 }, (_, i) => i);
const filterOf = (name: keyof Floors): Filter<Floors> => ({
  label: new Localised(name, name),
  looser: (params) => below(params[name], STEPS.toReversed()).map((value) => ({ [name]: value })),
  show: (params) => shown(() => String(params[name])),
});
const FILTERS = (['a', 'b', 'c'] as const).map(filterOf);
const passes = (name: Name, floors: Floors) => name.a >= floors.a && name.b >= floors.b && name.c >= floors.c;

const level = fc.integer({ min: 0, max: 9 });
const anyName: fc.Arbitrary<Name> = fc.record({ a: level, b: level, c: level });
const markets = fc.record({
  names: fc.array(anyName, { minLength: 1, maxLength: 6 }),
  params: fc.record({ a: fc.constant(10), b: level, c: level }),
});

const NOTHING = new Localised('Tidak ada.', 'There is none.');

function emptyOf(names: Name[], params: Floors) {
  const passing = (tried: Floors) => names.filter((name) => passes(name, tried)).length;
  return { passing, ...emptyBlock({ message: NOTHING, funnel: {}, params, filters: FILTERS, passing }) };
}

test('the changes of an empty result give picks with the fewest possible filters', () => {
  fc.assert(
    fc.property(markets, ({ names, params }) => {
      const { changes, passing } = emptyOf(names, params);
      const count = Object.keys(changes).length;
      expect(passing({ ...params, ...changes })).toBeGreaterThan(0);
      // Loosening just the filters that a name fails lets it through.
      const fewest = Math.min(
        ...names.map((name) => (['a', 'b', 'c'] as const).filter((each) => name[each] < params[each]).length),
      );
      expect(count).toBe(fewest);
    }),
  );
});

test('each of several joint changes is as mild as the others allow', () => {
  fc.assert(
    fc.property(markets, ({ names, params }) => {
      const { suggestions, changes, passing } = emptyOf(names, params);
      if (!suggestions[0]!.why.in.id.startsWith('Bersama')) return;
      expect(Object.assign({}, ...suggestions.map(followed))).toEqual(changes);
      for (const { param, value } of suggestions) {
        const name = param as keyof Floors;
        const milder = above(Number(value), STEPS).filter((step) => step < params[name]);
        for (const step of milder) expect(passing({ ...params, ...changes, [name]: step })).toBe(0);
      }
    }),
  );
});

test('when no filter helps, no change is offered and another day is suggested', () => {
  const { changes, suggestions, message } = emptyOf([], { a: 5, b: 5, c: 5 });
  expect([changes, suggestions]).toEqual([{}, []]);
  expect(message.in).toEqual({
    id: 'Tidak ada. Coba tanggal analisis yang lain.',
    en: 'There is none. Try another day of analysis.',
  });
});

test.each([
  [valueFilter, { min_daily_val: 10_000_000_001 }],
  [valueFilter, { min_daily_val: 2_500_000_001 }],
  [priceFilter({ minimum: 50 }), { min_price: 501 }],
  [probabilityFilter({ highestPct: 40 }), { min_probability: 65.004 }],
] as [Filter<object>, object][])(
  'a suggested value never reads the same as the current one',
  (filter, params) => {
    for (const change of filter.looser(params))
      for (const language of LANGUAGES)
        expect(filter.show({ ...params, ...change }).in[language]).not.toBe(filter.show(params).in[language]);
  },
);

test('the highest probability never reads the same as the threshold that it misses', () => {
  const { reason } = probabilityFilter({ highestPct: 65 });
  expect(reason!({ min_probability: 65.004 })!.in).toEqual({
    id: 'Nilai tertinggi hari ini 65,0 sehingga ambang 65,004 menyaring semua saham.',
    en: 'The highest today is 65.0, so that the threshold of 65.004 leaves out every stock.',
  });
});
