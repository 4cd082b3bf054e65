import type { Random } from '#quant/random.ts';
import type { Row } from './true-market.ts';

/** What is told of a day. */
interface Told {
  rows: Row[];
  /** By another source, before or after. */
  other?: { rows: Row[]; isFirst: boolean };
  /** By the same source after all days. */
  mistake?: Row[];
}

/** A way in which the data that people have differs from what was. */
interface Lie {
  /** What is told of a day, from its true rows. `before` has those of the day before, `older` those of one long before. */
  tell: (rows: Row[], random: Random, days: { before: Row[]; older: Row[]; closed: string }) => Told;
  /**
   * What the truth needs to come out: nothing, the rows again, or a source that may restate the day, because nobody else can know
   * that it is wrong.
   */
  needs: 'nothing' | 'the rows' | 'a restatement';
}

const OF_PRICES = ['date', 'ticker', 'open_price', 'high', 'low', 'close', 'volume', 'value'];
const onlyPrices = (row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, OF_PRICES.includes(column) ? value : '']),
  ) as Row;
const dated = (rows: Row[], date: string) => rows.map((row) => ({ ...row, date }));
const wrong = (row: Row): Row => {
  const [volume, value] = [2 * Number(row.volume), 2 * Number(row.value)];
  return { ...row, close: row.high || row.close, volume, value };
};

export const LIES: Record<string, Lie> = {
  'left out': { needs: 'the rows', tell: () => ({ rows: [] }) },
  partial: {
    needs: 'the rows',
    tell: (rows, random) => {
      const count = rows.length * random.between(0.2, 0.7);
      return { rows: [...random.permutation(rows.length)].slice(0, count).map((i) => rows[i]!) };
    },
  },
  'the day before again': {
    needs: 'the rows',
    tell: (rows, _, { before }) => ({ rows: dated(before, rows[0]!.date) }),
  },
  'told again under a holiday': {
    needs: 'nothing',
    tell: (rows, _, { closed }) => ({ rows, mistake: dated(rows, closed) }),
  },
  'overwritten by an older day': {
    needs: 'nothing',
    tell: (rows, _, { older }) => ({ rows, mistake: dated(older, rows[0]!.date) }),
  },
  'told twice': { needs: 'nothing', tell: (rows) => ({ rows, mistake: rows }) },
  'wrong at first': {
    needs: 'a restatement',
    tell: (rows, random) => ({ rows: rows.map((row) => (random.chance(0.3) ? wrong(row) : row)) }),
  },
  'split over two sources': {
    needs: 'nothing',
    tell: (rows, random) => {
      // Each half has enough of what traded: who had much less would take it for a test of the exchange's systems.
      const byVolume = rows.toSorted((a, b) => Number(b.volume) - Number(a.volume));
      const [half, other] = [0, 1].map((rest) => byVolume.filter((_, i) => i % 2 === rest));
      return { rows: half!, other: { rows: other!, isFirst: random.chance(0.5) } };
    },
  },
  'told by a poorer source too': {
    needs: 'nothing',
    tell: (rows, random) => ({ rows, other: { rows: rows.map(onlyPrices), isFirst: random.chance(0.5) } }),
  },
  'told wrongly by a poorer source': {
    needs: 'nothing',
    tell: (rows, random) => {
      return { rows, other: { rows: rows.map(wrong).map(onlyPrices), isFirst: random.chance(0.5) } };
    },
  },
};
