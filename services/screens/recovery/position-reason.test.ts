import type { Localised } from '#shared/text/localised.ts';
import { INDONESIAN } from '../read-result-fixture.ts';
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
): Localised {
  const figures = {
    ticker: 'QABO',
    pnl_pct: 0,
    current_price: 1_200,
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
      reason(outlook, 'winner'),
    ];
    expect(new Set(reasons).size).toBe(4);
    for (const text of reasons) {
      expect(text).toMatch(/^[A-Z][^\n]+[^.]\.$/);
      expect(text).not.toMatch(/undefined|NaN|\d,\d{3}/);
      expect(text).toMatch(/41,0%|37,5%/);
      expect(text).toMatch(/Rp1\.125|Rp1\.310/);
    }
  });

  test('a price at the exchange floor is said to have no support, without a warning about losing it', () => {
    for (const bucket of ['loser', 'neutral', 'winner'] as const)
      for (const average of [1_310, 1_500]) {
        const text = reason(outlook, bucket, average, NONE, {
          price: 1_200,
          change_pct: 0,
          tick_price: 1_200,
        });
        expect(text).toContain(
          'Harga sudah di batas terendah bursa Rp1.200, sehingga tidak ada support di bawahnya.',
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
      for (const support of [{}, { price: 1_200, change_pct: 0, tick_price: 1_200 }]) {
        const { id, en } = sentence(outlook, bucket, average, NONE, support).in;
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
      expect(reason(outlook, bucket, 1_111)).toBe(reason(outlook, bucket, 1_222));
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
