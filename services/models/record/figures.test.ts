import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PICK_STATES, type PickState } from '#quant/labels/picks-outcome.ts';
import type { RecordedRun } from '../store/record-store.ts';
import type { OutcomeBody, RunBody } from '../store/record-chain.ts';
import { forwardEvidence, recordPart } from './figures.ts';

const RULES = {
  dataset_version: 'synthetic-1',
  dataset_kind: 'synthetic',
  last_date: '2026-09-30',
  target_gain: 0.1,
  stop_loss: 0.05,
  horizon_days: 20,
  min_price: 100,
  min_daily_val: 1e9,
};
const LEVELS = { close: 1_000, entry_low: 990, entry_high: 1_010, stop: 950, target: 1_100 };

interface Made {
  as_of?: string;
  regime?: RunBody['regime'];
  counts?: boolean;
  picks: [ticker: string, state: PickState, net?: number][];
  /** Results over all names, once every position must have been sold. */
  names?: OutcomeBody['names'];
}

let seq = 0;
function run({
  as_of = '2026-09-30',
  regime = 'BULL',
  counts = true,
  picks,
  names = null,
}: Made): RecordedRun {
  seq++;
  return {
    seq,
    job_id: `job_${seq}`,
    model_id: 'm',
    api_key_id: 'key_a',
    body: {
      ...RULES,
      as_of,
      regime,
      counts,
      picks: picks.map(([ticker]) => ({ ticker, ...LEVELS })),
    },
    outcome: {
      dataset_version: 'synthetic-2',
      names,
      picks: picks.map(([ticker, state, net_return = null]) => ({
        ticker,
        state,
        net_return,
        exit_date: null,
      })),
    },
  };
}
const NAMES = { names: 100, win_rate: 0.25, net_return: -0.01 };
const NO_FIGURE = { value: undefined, low: undefined, high: undefined };

describe('the figures of a record', () => {
  test('compare wins with the base rate of blind picks on the same days', () => {
    const runs = [
      run({
        picks: [
          ['AAAA', 'won', 0.09],
          ['BBBB', 'lost', -0.06],
          ['CCCC', 'unfilled'],
        ],
        names: NAMES,
      }),
      run({ as_of: '2026-10-01', picks: [['AAAA', 'won', 0.06]], names: { ...NAMES, win_rate: 0.5 } }),
    ];
    const { figures } = recordPart(runs);
    expect(figures).toMatchObject({ runs: 2, n: 4, open: 0, unfilled: 1, filled: 3, wins: 2 });
    expect(figures).toMatchObject({ win_rate_pct: 66.67, base_rate_pct: 33.33 });
    expect(figures!.lift!.value).toBeCloseTo(2, 3);
    expect(figures!.net_return_pct!.value).toBeCloseTo(3, 2);
  });

  test('count a pick that nobody could sell, which has no return', () => {
    const sold: Parameters<typeof run>[0]['picks'] = [
      ['AAAA', 'won', 0.09],
      ['BBBB', 'lost', -0.06],
    ];
    const { figures } = recordPart([run({ picks: [...sold, ['CCCC', 'expired']], names: NAMES })]);
    expect(figures).toMatchObject({ filled: 3, unsold: 1, wins: 1, win_rate_pct: 33.33 });
    expect(figures!.net_return_pct!.value).toBeCloseTo(1.5, 2);
  });

  test('exclude every pick of a run until five trading days after its horizon, even closed ones', () => {
    const runs = [
      run({
        picks: [
          ['AAAA', 'won', 0.09],
          ['BBBB', 'bought'],
        ],
      }),
    ];
    expect(recordPart(runs).figures).toMatchObject({
      n: 2,
      open: 2,
      filled: 0,
      wins: 0,
      win_rate_pct: undefined,
      base_rate_pct: undefined,
      lift: NO_FIGURE,
      net_return_pct: NO_FIGURE,
    });
  });

  test('exclude history and report how many picks it has', () => {
    const runs = [run({ counts: false, picks: [['AAAA', 'won', 0.09]], names: NAMES })];
    expect(recordPart(runs)).toMatchObject({
      history: 1,
      by_month: [],
      by_regime: [],
      figures: { runs: 0, n: 0, wins: 0 },
    });
  });

  test('count a stock with the same day and levels once, however many runs picked it', () => {
    const once = run({ picks: [['AAAA', 'won', 0.09]], names: NAMES });
    const again = [1, 2, 3].map(() => run({ picks: [['AAAA', 'won', 0.09]], names: NAMES }));
    const alone = recordPart([once]).figures!;
    expect(recordPart([once, ...again]).figures).toEqual({ ...alone, runs: 4 });
    const otherLevels = run({ picks: [['AAAA', 'won', 0.09]], names: NAMES });
    otherLevels.body.target_gain = 0.2;
    expect(recordPart([once, otherLevels]).figures).toMatchObject({ n: 2, wins: 2 });
  });

  test('by month and by regime each add up to the total', () => {
    const made = fc.record({
      as_of: fc.constantFrom('2026-08-31', '2026-09-01', '2026-09-30', '2026-10-01'),
      regime: fc.constantFrom<RunBody['regime']>('BULL', 'SIDEWAYS', 'BEAR'),
      counts: fc.boolean(),
      names: fc.constantFrom(null, NAMES),
      picks: fc.uniqueArray(
        fc.tuple(
          fc.constantFrom('AAAA', 'BBBB', 'CCCC', 'DDDD'),
          fc.constantFrom(...PICK_STATES),
          fc.double({ min: -0.2, max: 0.2, noNaN: true }),
        ),
        { selector: ([ticker]) => ticker },
      ),
    });
    // All runs of a day have the same regime.
    const oneRegimeADay = fc
      .array(made, { maxLength: 12 })
      .map((list) =>
        list.map((one) => ({ ...one, regime: list.find(({ as_of }) => as_of === one.as_of)!.regime })),
      );
    fc.assert(
      fc.property(oneRegimeADay, (list) => {
        const { figures, by_month, by_regime, history } = recordPart(list.map((one) => run(one as Made)));
        const { n, open, unfilled, filled, wins, runs, win_rate_pct } = figures!;
        expect(n).toBe(open + unfilled + filled);
        expect(runs).toBe(list.filter(({ counts }) => counts).length);
        expect(history).toBe(list.reduce((sum, { counts, picks }) => sum + (counts ? 0 : picks.length), 0));
        if (filled > 0) expect(win_rate_pct).toBeCloseTo((100 * wins) / filled, 1);
        else expect(win_rate_pct).toBeUndefined();
        for (const parts of [by_month, by_regime])
          for (const name of ['runs', 'n', 'open', 'unfilled', 'filled', 'wins'] as const)
            expect(parts.reduce((sum, part) => sum + part.figures![name], 0)).toBe(figures![name]);
      }),
    );
  });

  test('have an interval that contains the value once enough days are over', () => {
    const days = Array.from({ length: 200 }, (_, i) =>
      new Date(Date.UTC(2025, 0, 1 + i)).toISOString().slice(0, 10),
    );
    const runs = days.map((as_of, i) =>
      run({
        as_of,
        picks: [['AAAA', i % 3 === 0 ? 'won' : 'lost', i % 3 === 0 ? 0.09 : -0.05]],
        names: NAMES,
      }),
    );
    const { value, low, high } = recordPart(runs).figures!.lift!;
    expect(low).toBeLessThanOrEqual(value!);
    expect(high).toBeGreaterThanOrEqual(value!);
    expect(recordPart(runs.slice(0, 100)).figures!.lift).toMatchObject({ low: undefined, high: undefined });
  });
});

describe('the evidence of a record', () => {
  /** Runs of so many days with four picks each, of which `winners` return 9 % and the others lose 6 %. */
  const record = (days: number, winners: number) =>
    Array.from({ length: days }, (_, i) =>
      run({
        as_of: new Date(Date.UTC(2025, 0, 1 + i)).toISOString().slice(0, 10),
        picks: ['AAAA', 'BBBB', 'CCCC', 'DDDD'].map((ticker, at) =>
          at < winners ? [ticker, 'won', 0.09] : [ticker, 'lost', -0.06],
        ),
        names: NAMES,
      }),
    );

  test('is there from 200 picks on whose positions are over, if their days are enough for an interval', () => {
    expect(forwardEvidence(record(49, 2))).toBeUndefined();
    expect(forwardEvidence(record(50, 2))).toBeUndefined();
    const days = record(130, 2);
    expect(forwardEvidence(days)).toMatchObject({
      source: 'forward_record',
      market: 'real',
      statistic: 'excess_net_return_pct',
      value: 2.5,
      from: '2025-01-01',
      to: '2025-05-10',
      exits: 'waits_for_bids',
      net_return_pct: 1.5,
    });
    const open = days.map((each) => ({ ...each, outcome: undefined }));
    expect(forwardEvidence([...days.slice(0, 49), ...open.slice(49)])).toBeUndefined();
    expect(
      forwardEvidence(days.map((each) => ({ ...each, body: { ...each.body, counts: false } }))),
    ).toBeUndefined();
  });

  test('has the verdicts of the one rule', () => {
    expect(forwardEvidence(record(130, 4))).toMatchObject({
      verdict: 'better_than_chance',
      net_return_verdict: 'gain',
    });
    expect(forwardEvidence(record(130, 0))).toMatchObject({ verdict: 'worse', net_return_verdict: 'loss' });
  });
});
