import Type, { type Static, type TObject } from 'typebox';
import { oneOf } from '#foundation/schema.ts';
import {
  DAILY_VAL,
  emptyBlock,
  final,
  fullView,
  LAST_CLOSE,
  liquid,
  number,
  rank,
  RSI,
  scanned,
  SIGNAL_DETAIL,
  SIGNALS,
  step,
  text,
  ticker,
} from '../results/results.ts';
import { ID } from './params.ts';

const funnel = {
  total_scanned: scanned,
  total_liquid: liquid,
  total_hits: step('Number of these stocks with enough signals.'),
  after_signals: step('Equal to `total_hits`, under the name that other models use.'),
  after_seller_filter: step('Number of these stocks that are not dominated by sellers.'),
  final,
};

const row = Type.Object({
  Ticker: ticker,
  Rank: rank,
  Signals: SIGNALS,
  'Signal Detail': SIGNAL_DETAIL,
  'Stoch %K': number('Stochastic %K (14, 3), 0 to 100.'),
  'MACD Hist': text('MACD histogram (12, 26, 9) relative to the close, signed percent.', '+0.59%'),
  'MA Spread': text('5-bar average relative to the 20-bar average, signed percent.', '-1.30%'),
  'Vol Ratio': text(
    'Volume relative to its 20-bar average; `-` while it is not known how many shares there are.',
    '2.3x',
  ),
  'Signal Vol Ratio': text(
    'Volume relative to its 20-bar average on the day of the volume signal, or on the analysed day without ' +
      'one. Of stocks with equally many signals, the one with the larger ratio comes first.',
    '3.1x',
  ),
  'Last Close': LAST_CLOSE,
  'Daily Val': DAILY_VAL,
  RSI,
  'BB Width': number('Width of the Bollinger bands (20, 2) relative to their middle, percent.'),
});
export type ConfluenceRow = Static<typeof row>;
export type ConfluenceFunnel = Static<TObject<typeof funnel>>;

const ConfluenceFilterResult = fullView('ConfluenceFilterResult', {
  modelId: ID,
  members: emptyBlock(funnel),
  row,
  diag: {
    ...funnel,
    seller_rule: oneOf(['brokers', 'foreign', 'mixed', 'none'], {
      description:
        'Data by which sellers were judged: broker rows, trades of foreign investors, both, or none.',
    }),
  },
});

export const results = { full: ConfluenceFilterResult };
