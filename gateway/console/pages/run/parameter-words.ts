import { language } from '#console/session/preferences.ts';

/** What parameters are, in English. The API describes them in Bahasa Indonesia alone, by contract. */
const ENGLISH: Record<string, string> = {
  analysis_date:
    'Day of the analysis (YYYY-MM-DD), or today. The model uses data up to the last trading day on or before it.',
  min_price: 'Lowest closing price, in rupiah.',
  min_daily_val: 'Lowest mean daily traded value over 20 trading days, in whole rupiah.',
  min_probability:
    'Lowest probability score, in percent: the chance that twenty trades with this stock’s chance of winning have more winners than twenty average ones. 50 is as likely as the average; 65 wins about 1.2 times and 85 about 1.6 times as often.',
  target_gain: 'Target of the price’s rise, as a fraction; 0.10 is 10 percent.',
  stop_loss: 'Limit of the loss, as a fraction; 0.05 is 5 percent.',
  train_days: 'How many of the last trading days the model learns from in each run.',
  max_picks: 'How many stocks are shown at most.',
  regime:
    'The market regime to assume; with auto the model reads it from the data of the day. In a bull market stocks far below their high of 60 days are skipped; sideways, those high within their range; in a bear market the lowest probability rises by 5 points, and half as many stocks are shown.',
  horizon_days: 'Longest holding time in trading days, after which the target counts as missed.',
  pivot_window:
    'Trading days on the left and right that make a high or low a pivot. Large values leave only the major turns, which are known only so many days later.',
  cycle_tolerance: 'By how many days a cycle may be off and still be due; the closer, the higher its score.',
  price_tolerance_pct: 'How far the close may be from the nearest Square of Nine level, in percent.',
  min_cycle_score: 'Lowest cycle score (0 to 100) to pass.',
  cycles:
    'Lengths of cycles in days, counted from the last three turns in calendar days and in trading days. With none, time is not scored, and the score comes from price and confirmation alone.',
  use_ml:
    'Whether a statistical model sifts the results of the cycles. With false nothing is learnt: stocks stand in the order of their cycle score, and min_probability has no effect.',
  flow_window: 'How many of the last trading days of broker trades are looked at.',
  broker_group:
    'Whose trades are judged: all, foreign, bandar (local institutions), or all but retail brokers.',
  exclude_retail_led: 'Whether stocks are left out whose rise is mostly driven by retail buying.',
  lookback: 'How many of the last trading days a signal still counts; 1 is the day of the analysis alone.',
  min_signals:
    'How many of four technical signals: Stochastic, MACD, crossing of averages, volume. In Inverse Signal no demand: from so many on the score falls.',
  vol_ratio_min:
    'How many times its average of 20 days the volume of a rising day must be for the volume signal; 1.5 is one and a half times.',
  seller_filter: 'Whether stocks that sellers dominate at present are left out.',
  seller_lookback:
    'How many of the last trading days the seller filter looks at. Broker rows are used only where there are some of all these days.',
  seller_dominance:
    'How many times the net sales of the five largest sellers must exceed the net purchases of the five largest buyers for sellers to dominate; without broker rows, foreign sales against foreign purchases. Large values loosen the filter.',
  horizon: 'How far the forecast looks ahead, in trading days.',
  positions:
    'Stocks that are held. Each has its ticker and either pnl_input (percent won or lost, negative for a loss) or avg_price_input (average price paid).',
  prob_weight:
    'Weight of the probability against the technical signals in the order. Gated does not use it, since it orders by probability alone.',
  signal_penalty:
    'By how much the score of a stock with many signals falls. Only in Inverse Signal, also where Compare All runs it.',
  strategy:
    'How probability and signals make the order. Compare All runs the four strategies and puts first what most of them pick.',
};

/** What a parameter is, in the language of the page where there are words in it, and in which language it is. */
export function parameterWords(
  name: string,
  description: string | undefined,
): { lang?: 'id'; text: string } | undefined {
  const english = language.value === 'en' ? ENGLISH[name] : undefined;
  if (english !== undefined) return { text: english };
  return description ? { lang: 'id', text: description } : undefined;
}
