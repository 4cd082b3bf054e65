import type { Localised } from '#foundation/text/localised.ts';
import { INDONESIAN } from '../fixtures/read-result-fixture.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outlook } from '#quant/recovery/trajectory.ts';
import { reasonOf, type Reservations } from './position-reason.ts';
import type { PnlBucket } from './positions.ts';

const OUTLOOKS: Outlook[] = ['BULLISH', 'NEUTRAL', 'BEARISH'];

const NONE: Reservations = { idleSince: undefined, judgedOn: undefined, isSkilled: true };

function sentence(
  outlook: Outlook,
  bucket: PnlBucket,
  averagePrice = 1_500,
  reservations = NONE,
  support = {},
  price = 1_200,
): Localised {
  const figures = {
    ticker: 'QABO',
    pnl_pct: 0,
    current_price: price,
    avg_price: averagePrice,
    outlook,
    bucket,
    restore_target: { price: 1_310, change_pct: 9.17, tick_price: 1_310 },
    support_level: { price: 1_125, change_pct: -6.25, tick_price: 1_125, ...support },
    exit_window: { day_from: 4, day_to: 12 },
    probabilities: { up: 41, down: 37.5, neutral: 21.5 },
    trajectory: { CRASH: 17.5, DECLINE: 20, SIDEWAYS: 21.5, CLIMB: 20, RALLY: 21 },
  };
  return reasonOf(figures, 20, reservations);
}

/** In Bahasa Indonesia. */
const reason = (...given: Parameters<typeof sentence>) => sentence(...given).in.id;

describe.each(OUTLOOKS)('when the outlook is %s', (outlook) => {
  test('a loser near its average, a loser far from it, a neutral position and a winner get different reasons', () => {
    const reasons = [
      reason(outlook, 'loser', 1_310),
      reason(outlook, 'loser'),
      reason(outlook, 'neutral'),
      reason(outlook, 'winner', 1_050),
    ];
    expect(new Set(reasons).size).toBe(4);
    for (const text of reasons) {
      expect(text).toMatch(/^[A-Z][^\n]+[^.]\.$/);
      expect(text).not.toMatch(/undefined|NaN|\d,\d{3}/);
      expect(text).toMatch(/41,0%|37,5%/);
      expect(text).toMatch(/Rp1\.125|Rp1\.310/);
    }
  });

  test('a price at the floor of the regular board is said to be there, without a warning about losing it', () => {
    for (const bucket of ['loser', 'neutral', 'winner'] as const)
      for (const average of [1_310, 1_500]) {
        const atFloor = { price: 50, change_pct: 0, tick_price: 50 };
        const text = reason(outlook, bucket, average, NONE, atFloor, 50);
        expect(text).toContain(
          'Harga berada di batas terendah papan reguler Rp50; di papan pemantauan khusus harga dapat turun lebih rendah.',
        );
        expect(text).not.toMatch(/menembus|bertahan di atas|batas menunggu/);
      }
  });

  test('the English sentence has the same numbers in English format', () => {
    const cases = [
      ['loser', 1_310],
      ['loser', 1_500],
      ['neutral', 1_500],
      ['winner', 1_500],
    ] as const;
    for (const [bucket, average] of cases)
      for (const price of [1_200, 50]) {
        const support = price === 50 ? { price, change_pct: 0, tick_price: price } : {};
        const { id, en } = sentence(outlook, bucket, average, NONE, support, price).in;
        const numbersOf = (text: string) => (text.match(/[\d.,]*\d/g) ?? []).toSorted();
        const swapped = numbersOf(id).map((text) =>
          text.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')),
        );
        expect(numbersOf(en)).toEqual(swapped.toSorted());
        expect(en).not.toMatch(INDONESIAN);
      }
  });

  test('the average price matters only for a loser', () => {
    expect(reason(outlook, 'loser', 1_305)).not.toBe(reason(outlook, 'loser', 1_500));
    for (const bucket of ['neutral', 'winner'] as const)
      expect(reason(outlook, bucket, 1_050)).toBe(reason(outlook, bucket, 1_100));
  });
});

describe('a reservation before or after the reason', () => {
  const plain = reason('NEUTRAL', 'winner');
  const reserved = (more: Partial<Reservations>) => reason('NEUTRAL', 'winner', 1_500, { ...NONE, ...more });

  test('names the last trade of an idle stock', () => {
    expect(reserved({ idleSince: '2026-08-27', judgedOn: '2026-08-26' })).toBe(
      `Saham ini belum diperdagangkan lagi sejak 27 Agustus 2026. ${plain}`,
    );
  });

  test('names the day whose figures replace those of the analysed day', () => {
    expect(reserved({ judgedOn: '2026-08-26' })).toBe(`Penilaian ini memakai data 26 Agustus 2026. ${plain}`);
  });

  test('says when forecasts were no better than average frequencies', () => {
    expect(reserved({ isSkilled: false })).toBe(
      `${plain} Perlu diingat, perkiraan model untuk tanggal ini tidak terbukti lebih baik daripada frekuensi rata-rata pasar.`,
    );
  });
});

const level = (price: number, current: number) => ({
  price,
  change_pct: 100 * (price / current - 1),
  tick_price: Math.round(price),
});

test('no sentence advises what its numbers exclude, for any of 2,000 positions', () => {
  const position = fc.record({
    price: fc.integer({ min: 50, max: 400 }),
    gainPct: fc.double({ min: -60, max: 60, noNaN: true }),
    fall: fc.double({ min: 0, max: 0.4, noNaN: true }),
    rise: fc.double({ min: 0, max: 0.4, noNaN: true }),
    outlook: fc.constantFrom(...OUTLOOKS),
  });
  fc.assert(
    fc.property(position, ({ price, gainPct, fall, rise, outlook }) => {
      const average = price / (1 + gainPct / 100);
      const support = Math.max(50, price * (1 - fall));
      const bucket: PnlBucket = gainPct >= 2 ? 'winner' : gainPct <= -2 ? 'loser' : 'neutral';
      const reach = price * (1 + rise);
      const figures = {
        ticker: 'QABO',
        pnl_pct: gainPct,
        current_price: price,
        avg_price: average,
        outlook,
        bucket,
        restore_target: level(bucket === 'loser' ? Math.min(average, reach) : reach, price),
        support_level: level(support, price),
        exit_window: { day_from: 4, day_to: 12 },
        probabilities: { up: 41, down: 37.5, neutral: 21.5 },
        trajectory: { CRASH: 17.5, DECLINE: 20, SIDEWAYS: 21.5, CLIMB: 20, RALLY: 21 },
      };
      const { id, en } = reasonOf(figures, 20, NONE).in;
      // Nobody can secure a profit at a price under the one paid.
      if (/mengamankan keuntungan sebelum/.test(id)) expect(support).toBeGreaterThan(average);
      if (/securing the profit before/.test(en)) expect(support).toBeGreaterThan(average);
      // The regular board does not trade below its floor, and special boards do.
      expect(id).not.toMatch(/menembus (?:support )?Rp50(?!\d)|batas terendah bursa Rp50/);
      expect(en).not.toMatch(/through (?:its support of )?Rp50(?!\d)|lowest that the exchange allows, Rp50/);
      // A support that the price has already reached is none.
      if (support >= price) expect(id).not.toMatch(/menembus|bertahan di atas support/);
    }),
    { numRuns: 2_000 },
  );
});
