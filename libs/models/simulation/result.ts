import Type, { type Static } from 'typebox';
import { EXITS } from '#quant/simulation/order-outcomes.ts';
import { MISSES } from '#quant/simulation/journal.ts';
import { VERDICTS } from '#quant/performance/verdict.ts';
import { BrokerData, DatasetVersion, Day, named, nullable, oneOf } from '#foundation/schema.ts';
import { words } from '../reasons/schema.ts';
import { asOf, resultDataset, ticker, timings } from '../results/results.ts';
import { SIMULATION_ID } from './params.ts';

const idr = (description: string) => Type.Number({ description: `${description}, IDR.` });
const pct = (description: string) => Type.Number({ description: `${description}, percent.` });
const count = (description: string) => Type.Integer({ description });

const figures = {
  end_idr: idr('Equity at the end'),
  total_return_pct: pct('Return over the whole span'),
  annual_return_pct: pct('Return of a year at which compounding gives the same end'),
  annual_volatility_pct: pct('Standard deviation of daily returns, of a year of 242 days'),
  sharpe: nullable(
    Type.Number(),
    'Mean over standard deviation of daily returns, of a year of 242 days, against cash without interest. Null if the equity never changes.',
  ),
  sortino: nullable(Type.Number(), 'The same over the downside deviation. Null if the equity never falls.'),
  max_drawdown_pct: pct('Deepest fall of the equity from a high'),
};
export type Figures = Static<ReturnType<typeof Type.Object<typeof figures>>>;

const drawdown = Type.Object({
  from: Day('Day of the high.'),
  lowest: Day('Day of the lowest equity.'),
  recovered: nullable(Day('Day on which the high was reached again.'), 'Null if it was not.'),
  depth_pct: pct('What was lost of the high'),
});

const periodReturn = (name: string, example: string) =>
  Type.Object({
    [name]: Type.String({ description: `The ${name}.`, examples: [example] }),
    return_pct: pct('Return'),
    equal_weight_pct: pct('Return of all liquid stocks in equal parts'),
  });

const days = Type.Object(
  {
    date: Type.Array(Day('Trading day.')),
    equity_idr: Type.Array(idr('Free and unsettled money, and positions at the close')),
    exposure_pct: Type.Array(pct('Part of the equity that is in positions')),
    traded_idr: Type.Array(idr('Bought and sold together, before costs')),
    equal_weight_idr: Type.Array(idr('Equity of all liquid stocks in equal parts')),
  },
  { description: 'Day by day: lists of the same length.' },
);

const trade = Type.Object({
  ticker,
  picked_on: Day('Day at whose end it was picked.'),
  rank: count('Its place among the picks of the day, from 1: the reason of the purchase.'),
  bought_on: Day('Day of the purchase.'),
  shares: count('Shares bought.'),
  price: Type.Number({ description: 'Average price of a share, IDR.' }),
  paid_idr: idr('Paid with the fee'),
  sold_on: nullable(Day('Day of the last sale.'), 'Null before the first.'),
  received_idr: idr('Received less fees and tax'),
  exit_reason: oneOf([...EXITS, 'odd_lot', 'held'], {
    description:
      'Why it was sold. `odd_lot`: a corporate action left less than a lot of it, which was paid out. `held`: it was not yet, or not all of it.',
  }),
  return_pct: nullable(Type.Number(), 'Return after costs, percent. Null while it is held.'),
  thin_days: count('Days on which all or some of it could not be sold because too little was traded.'),
});
export type TradeRow = Static<typeof trade>;

const missedOrder = Type.Object({
  ticker,
  picked_on: Day('Day at whose end it was picked.'),
  why: oneOf(MISSES, {
    description:
      'Why less was bought than asked for. `above_limit`: the next day stayed above the limit of the order. ' +
      '`locked_at_upper_limit`: it traded at its upper limit alone. `halted`: it did not trade. `too_thin`: so much is not traded on a ' +
      'day. `no_money`: free money, or the part of a position, was not enough for a lot.',
  }),
  asked: count('Shares asked for.'),
  bought: count('Shares bought.'),
});
export type MissedRow = Static<typeof missedOrder>;

const random = Type.Object(
  {
    draws: count('Number of draws.'),
    low_pct: pct('Return over the span that 5 % of the draws stay below'),
    median_pct: pct('Return that half of the draws stay below'),
    high_pct: pct('Return that 95 % of the draws stay below'),
    better_than_random_pct: pct('Chance that the picks are better than random ones'),
  },
  {
    description:
      'The same account with random picks: as many liquid stocks on the same days. Each draw holds on to its stocks as long as the ' +
      'screen does to its own.',
  },
);

const capacity = Type.Object({
  capital_idr: idr('Money at the beginning'),
  total_return_pct: figures.total_return_pct,
  annual_return_pct: figures.annual_return_pct,
  exposure_pct: pct('Part of the equity that is in positions on average'),
  thin_orders: count('Orders that bought less than they asked for because so much is not traded on a day.'),
});

const trials = Type.Object(
  {
    count: count('Distinct trials of the end user on overlapping days, this one included.'),
    sharpe: nullable(
      Type.Number(),
      'Sharpe ratio of the excess over all liquid stocks, of a year. Null if it never varies.',
    ),
    expected_best_sharpe: Type.Number({
      description: 'Best Sharpe ratio to expect of so many trials that are worth nothing.',
    }),
    probabilistic_sharpe_pct: nullable(
      Type.Number(),
      'Probability that the true Sharpe ratio is above 0, if this had been the only trial, percent.',
    ),
    deflated_sharpe_pct: nullable(Type.Number(), 'The same for the best of all trials, percent.'),
    overfitting_pct: nullable(
      Type.Number(),
      'Probability that the best of the trials is an accident, percent. Null for fewer than ten trials on these very days.',
    ),
  },
  { description: 'The result in the light of everything that the end user has tried on overlapping days.' },
);

const SimulationResult = named(
  'SimulationResult',
  Type.Object(
    {
      model_id: Type.Literal(SIMULATION_ID),
      view: Type.Literal('full'),
      as_of: asOf,
      target_date: asOf,
      from: Day('First trading day.'),
      to: Day('Last trading day.'),
      ...figures,
      exposure_pct: pct('Part of the equity that is in positions on average'),
      turnover: Type.Number({
        description: 'Half of what is bought and sold in a year, as a multiple of the average equity.',
      }),
      costs_idr: idr('Fees, tax and stamp duty'),
      verdict: oneOf(VERDICTS, {
        description:
          'Whether the span shows that the picks are worth something: never better than the worst test. `worse` if the account came out ' +
          'clearly below all liquid stocks, or below at least 95 % of random choices.',
      }),
      verdict_text: words('The verdict, with its reason.'),
      missing_text: Type.Optional(
        words(
          'Which stocks are missing from the past of the market, and whether trading days are. Absent if nothing is; a generated market lacks no stocks.',
        ),
      ),
      trials,
      comparisons: Type.Object({
        equal_weight: Type.Object(figures, {
          description:
            'All liquid stocks in equal parts, brought to equal parts again on the same days, for the same costs. Without those that closed ' +
            'at their upper limit, where nobody sells.',
        }),
        random,
        cash: Type.Object(
          { end_idr: idr('Equity at the end'), total_return_pct: pct('Return') },
          {
            description: 'Money that lies idle, without interest.',
          },
        ),
      }),
      by_year: Type.Array(periodReturn('year', '2024')),
      by_month: Type.Array(periodReturn('month', '2024-06')),
      drawdowns: Type.Array(drawdown, { description: 'The five deepest, deepest first.' }),
      days,
      trade_count: count('Positions bought.'),
      bought_at_stop_count: count(
        'Those of them that were bought at their own stop or below, and so ended at once.',
      ),
      stuck_idr: idr(
        'Value at the end, at their last closes, of positions that nobody could sell on the last day: their stocks did not trade, or ' +
          'nobody bid for them',
      ),
      stuck_pct: pct('The same as a part of the equity'),
      trades: Type.Array(trade, { description: 'In order of time; the newest 2,000.' }),
      missed_count: count('Orders that bought less than they asked for.'),
      missed: Type.Array(missedOrder, { description: 'These orders, in order of time; the newest 2,000.' }),
      if_counted: Type.Object(
        {
          end_idr: figures.end_idr,
          total_return_pct: figures.total_return_pct,
          trade_count: count('Positions bought.'),
        },
        {
          description:
            'The same if trades counted that could not have been made: of stocks that were locked at a limit or halted, and of more ' +
            'than may be traded on a day.',
        },
      ),
      capacity: Type.Array(capacity, { description: 'The same with 1, 10 and 100 times the money.' }),
      unknown_picks: count('Picks of stocks without a row on their day, which are left out.'),
      diag: Type.Object({ dataset_version: DatasetVersion, broker_data: BrokerData, timings_ms: timings }),
      dataset: resultDataset,
    },
    { description: 'What the picks of a screen or a model would have meant for somebody’s money.' },
  ),
);
export type SimulationFields = Omit<
  Static<typeof SimulationResult>,
  'model_id' | 'view' | 'as_of' | 'target_date' | 'diag' | 'dataset'
>;

export const results = { full: SimulationResult };
