import Type from 'typebox';
import { oneOf } from '../common.ts';

/** Columns of rows of `df_result` that several models have. */

export const ticker = Type.String({ description: 'Ticker.', examples: ['BBCA'] });
export const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] });
export const number = (description: string) => Type.Number({ description });

export const REGIMES = ['BULL', 'SIDEWAYS', 'BEAR'] as const;
export const regime = oneOf(REGIMES, { description: 'Condition of the market that the run worked with.' });

export const LAST_CLOSE = text('Close of the day, thousands separated, IDR.', '1,250');
export const DAILY_VAL = text(
  'Mean traded value of 20 days, abbreviated IDR with a unit: K, M, B, T.',
  '12.4B',
);
export const RSI = number('Relative strength index of 14 bars, 0 to 100.');

/** Columns of every learning screen's rows. */
export const pickColumns = {
  Ticker: ticker,
  Regime: regime,
  Probability: text(
    'Relative probability of the target, percent: 50 is as likely as the average name; `-` without a model.',
    '63.2%',
  ),
  Score: number('What the picks are ranked by, 0 to 100.'),
  'Last Close': LAST_CLOSE,
  'Daily Val': DAILY_VAL,
  RSI,
  'Ret 20D': text('Return over 20 bars, signed percent.', '+4.10%'),
  'Foreign Net 5D': text('What foreign investors bought, net, over 5 days, abbreviated IDR.', '-3.2B'),
  Entry: number('Close of the day, IDR.'),
  Stop: number('Close × (1 − stop_loss), IDR, not rounded.'),
  Target: number('Close × (1 + target_gain), IDR, not rounded.'),
};

export const SIGNALS = Type.Integer({ description: 'How many of the four signals fired, 0 to 4.' });
export const SIGNAL_DETAIL = Type.String({ description: 'Which ones, for display, in Bahasa Indonesia.' });
