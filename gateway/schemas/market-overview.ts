import Type from 'typebox';
import { Day, nullable, oneOf } from './common.ts';
import { named } from './named.ts';
import { DatasetVersion } from './quotes.ts';

const count = (description: string) => Type.Integer({ description });
const amount = (description: string) => Type.Number({ description });

const Mover = named(
  'Mover',
  Type.Object({
    ticker: Type.String({ description: 'In upper case.', examples: ['BBCA'] }),
    close: amount('Close as traded, IDR.'),
    change_pct: amount('Change against the reference price of the day, percent.'),
    value: amount('Traded value of the day, IDR.'),
  }),
);

const movers = (description: string) => Type.Array(Mover, { maxItems: 10, description });

const breadth = Type.Object({
  advancing: count('Traded stocks above the reference price of the day.'),
  declining: count('Traded stocks below it.'),
  unchanged: count('Traded stocks at it, or without one.'),
  above_ma20_pct: nullable(
    Type.Number(),
    'Share of liquid stocks that closed above their moving average of 20 days, percent; null without any.',
  ),
});

const averages = Type.Object({
  daily_return_pct: nullable(
    Type.Number(),
    'Mean change against the reference price of the day, percent, every liquid stock counting the same; null ' +
      'without any.',
  ),
  rsi: nullable(Type.Number(), "Mean of the liquid stocks' RSI over 14 days, 0 to 100; null without any."),
});

export const MarketOverview = named(
  'MarketOverview',
  Type.Object({
    date: Day('Trading day; the latest of the dataset.'),
    is_partial: Type.Boolean({ description: 'Whether that day may still be incomplete.' }),
    total_stocks: count('Stocks listed on the day, suspended ones included.'),
    traded_stocks: count('Those of them that traded.'),
    liquid_stocks: count(
      'Those of these whose average daily value over 20 trading days is at least 1 billion IDR.',
    ),
    regime: oneOf(['BULL', 'SIDEWAYS', 'BEAR'], {
      description: 'Condition of the market. It changes once the scores of three days in a row agree.',
    }),
    regime_score: Type.Number({
      minimum: -100,
      maximum: 100,
      description:
        'Score of the day by itself, from breadth (liquid stocks above their averages of 20 and 50 days) and from ' +
        'the trend of a capitalisation-weighted index of the liquid stocks; 25 and up speaks for BULL, -25 and down ' +
        'for BEAR.',
    }),
    breadth,
    averages,
    foreign_net_value: amount(
      'Net value bought by foreign investors, all stocks, IDR; estimated from their shares at the average price of ' +
        'the day.',
    ),
    total_value: amount('Traded value of all stocks, IDR.'),
    top_gainers: movers('Liquid stocks that rose most in percent, furthest first; at most 10.'),
    top_losers: movers('Liquid stocks that fell most in percent, furthest first; at most 10.'),
    dataset_version: DatasetVersion,
  }),
);
