import Type, { type TSchema } from 'typebox';
import { nullable } from './common.ts';
import { named } from './named.ts';

const described = (schema: TSchema, description: string) => nullable(schema, description) as TSchema;
const feature = (description: string) => described(Type.Number(), description);
const whole = (description: string) => described(Type.Integer(), description);

export const SnapshotFeatures = named(
  'SnapshotFeatures',
  Type.Object(
    {
      ma5: feature('Moving average of 5 days, IDR.'),
      ma10: feature('Moving average of 10 days, IDR.'),
      ma20: feature('Moving average of 20 days, IDR.'),
      ma50: feature('Moving average of 50 days, IDR.'),
      ma200: feature('Moving average of 200 days, IDR.'),
      dist_ma20_pct: feature('Close against ma20, percent.'),
      dist_ma50_pct: feature('Close against ma50, percent.'),
      rsi14: feature("Wilder's relative strength index over 14 days, 0 to 100."),
      stoch_k: feature('Stochastic %K (14,3), 0 to 100.'),
      stoch_d: feature('Stochastic %D (14,3,3), 0 to 100.'),
      macd: feature('MACD (12,26), IDR.'),
      macd_signal: feature('Signal line of MACD (9), IDR.'),
      macd_hist: feature('MACD less its signal line, IDR.'),
      bb_upper: feature('Upper Bollinger band (20,2), IDR.'),
      bb_lower: feature('Lower Bollinger band (20,2), IDR.'),
      bb_width_pct: feature('Width of the bands against their middle, percent.'),
      atr14: feature("Wilder's average true range over 14 days, IDR."),
      atr14_pct: feature('atr14 against the close, percent.'),
      volatility20_pct: feature('Standard deviation of 20 daily returns, percent, annualised over 252 days.'),
      ret_1d_pct: feature('Return over 1 trading day, percent.'),
      ret_5d_pct: feature('Return over 5 trading days, percent.'),
      ret_20d_pct: feature('Return over 20 trading days, percent.'),
      high_52w: feature('Highest price of the last 52 weeks, IDR.'),
      low_52w: feature('Lowest price of the last 52 weeks, IDR.'),
      dist_52w_high_pct: feature('Close against high_52w, percent, never positive.'),
      volume_ratio_5: feature('Volume against its average of 5 days, a ratio.'),
      volume_ratio_20: feature('Volume against its average of 20 days, a ratio.'),
      avg_value_20d: feature('Average daily value of 20 days, IDR.'),
      bandar_net_value_1d: feature('Net value bought by local institutions, 1 day, IDR.'),
      bandar_net_value_5d: feature('Net value bought by local institutions, 5 days, IDR.'),
      bandar_net_value_20d: feature('Net value bought by local institutions, 20 days, IDR.'),
      foreign_net_value_1d: feature('Net value bought by foreign investors, 1 day, IDR.'),
      foreign_net_value_5d: feature('Net value bought by foreign investors, 5 days, IDR.'),
      foreign_net_value_20d: feature('Net value bought by foreign investors, 20 days, IDR.'),
      retail_net_value_1d: feature('Net value bought through retail brokers, 1 day, IDR.'),
      retail_net_value_5d: feature('Net value bought through retail brokers, 5 days, IDR.'),
      smart_money_divergence: feature(
        'z-score of what local institutions and foreign investors bought, net, in 5 days less the z-score of the 5-day ' +
          'return, each against the last 60 traded days of the stock (at least 40 of them known): positive when they ' +
          'bought more than the price tells.',
      ),
      top5_buyer_share_pct: feature(
        "Share of the day's five largest buyers, gross, in all that was bought, percent.",
      ),
      accum_score: feature(
        "Net buying of the day's five largest net buyers less net selling of its five largest net sellers, against " +
          'that of all net buyers, -100 to 100: positive when few accumulate what many sell.',
      ),
      confluence_signals: whole('Confluence signals of the last 5 days, 0 to 4.'),
      nego_value_5d: feature('Negotiated value of 5 days, IDR.'),
    },
    {
      description:
        'Computed features as of the snapshot’s date; null where history does not reach, or where a day has no ' +
        'per-broker rows that the feature needs (bandar, retail and the three after them). Prices behind them are ' +
        'adjusted for splits.',
    },
  ),
);
