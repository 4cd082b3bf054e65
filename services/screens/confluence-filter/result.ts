import Type, { type Static, type TObject } from 'typebox';
import { oneOf } from '#shared/schema.ts';
import {
  DAILY_VAL,
  emptyBlock,
  final,
  fullView,
  LAST_CLOSE,
  liquid,
  number,
  RSI,
  scanned,
  SIGNAL_DETAIL,
  SIGNALS,
  step,
  text,
  ticker,
} from '../results.ts';
import { confluenceFilter } from './model.ts';

const funnel = {
  total_scanned: scanned,
  total_liquid: liquid,
  total_hits: step('Those with enough signals.'),
  after_signals: step('The same as `total_hits`, by the name that it has in other models.'),
  after_seller_filter: step('Those that sellers do not dominate.'),
  final,
};

const row = Type.Object({
  Ticker: ticker,
  Signals: SIGNALS,
  'Signal Detail': SIGNAL_DETAIL,
  'Stoch %K': number('Stochastic %K (14, 3), 0 to 100.'),
  'MACD Hist': text('MACD histogram (12, 26, 9) against the close, signed percent.', '+0.59%'),
  'MA Spread': text('Average of 5 bars against that of 20, signed percent.', '-1.30%'),
  'Vol Ratio': text('Volume against its mean of 20 bars.', '2.3x'),
  'Last Close': LAST_CLOSE,
  'Daily Val': DAILY_VAL,
  RSI,
  'BB Width': number('Width of the Bollinger bands (20, 2), percent of the middle one.'),
});
export type ConfluenceRow = Static<typeof row>;
export type ConfluenceFunnel = Static<TObject<typeof funnel>>;

const ConfluenceFilterResult = fullView('ConfluenceFilterResult', {
  modelId: confluenceFilter.id,
  members: emptyBlock(funnel),
  row,
  diag: {
    ...funnel,
    seller_rule: oneOf(['brokers', 'foreign', 'mixed', 'none'], {
      description:
        'What sellers were judged by: broker rows, trades of foreign investors, both, or not at all.',
    }),
  },
});

export const results = { full: ConfluenceFilterResult };
