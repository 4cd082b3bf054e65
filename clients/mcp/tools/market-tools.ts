import { z } from 'zod';
import { defineTool, READS, valuesByName } from './tool.ts';

const ticker = z.string().describe('Ticker on the exchange without a suffix, such as BBCA.');
const number = z.number().nullable();
const mover = z.object({ ticker: z.string(), close: z.number(), change_pct: z.number() });

export const marketToday = defineTool({
  name: 'market_today',
  title: 'The market on its last day',
  description:
    'How the whole Indonesian market did on the last trading day: regime, breadth, foreign flow, and the stocks that rose and fell most.',
  input: {},
  output: {
    date: z.string(),
    regime: z.string(),
    advancing: z.number(),
    declining: z.number(),
    above_ma20_pct: number,
    foreign_net_value: number.describe(
      'IDR; negative when foreigners sold more than they bought; null when no source says it.',
    ),
    total_value: z.number().describe('IDR traded.'),
    top_gainers: z.array(mover),
    top_losers: z.array(mover),
  },
  annotations: READS,
  async answer(_, { saring, signal }) {
    const overview = await saring.data.overview({ signal });
    const { advancing, declining, above_ma20_pct } = overview.breadth;
    return { ...overview, advancing, declining, above_ma20_pct };
  },
});

/** Enough to see where a price comes from, and few enough for a context. */
const SHOWN_DAYS = 20;

export const lookAtStock = defineTool({
  name: 'look_at_stock',
  title: 'What is going on with a stock',
  description:
    'One stock on the last day: closes of the last 20 days, indicators, broker and foreign flow, its turning point, and the ' +
    'saved screens that hold it.',
  input: { ticker },
  output: {
    ticker: z.string(),
    name: z.string().nullable(),
    sector: z.string().nullable(),
    date: z.string(),
    traded_today: z.boolean(),
    closes: z.array(z.object({ date: z.string(), close: z.number(), change_pct: number, value: z.number() })),
    indicators: valuesByName(number).describe(
      'Null where the stock has too few days or the market lacks the data.',
    ),
    turning_point: z.object({ signal: z.string(), score: z.number(), factors: z.array(z.string()) }),
    screens: z.array(z.object({ screen_id: z.string(), name: z.string(), place: z.number() })),
  },
  annotations: READS,
  async answer({ ticker }, { saring, signal }) {
    const [stock, turning, screens] = await Promise.all([
      saring.data.stock(ticker, { days: SHOWN_DAYS, signal }),
      saring.data.turningPoint(ticker, { signal }),
      saring.screens.ofStock(ticker, { signal }),
    ]);
    return {
      ...stock,
      closes: stock.ohlcv,
      indicators: stock.features,
      turning_point: turning,
      screens,
    };
  },
});

export const compareStocks = defineTool({
  name: 'compare_stocks',
  title: 'Stocks side by side',
  description:
    'Two to ten stocks over the same span: return, worst fall, traded value and flow, and their order by each.',
  input: {
    tickers: z.array(ticker).min(2).max(10),
    days: z
      .number()
      .int()
      .optional()
      .describe('Trading days to look back over. The API’s default when left out.'),
  },
  output: {
    date: z.string(),
    days: z.number(),
    stocks: z.array(
      z.object({
        ticker: z.string(),
        name: z.string().nullable(),
        close: z.number(),
        period: valuesByName(number),
      }),
    ),
    ranking: valuesByName(z.array(z.string()).nullable()),
    missing: z.array(z.string()).describe('Tickers that the market does not have.'),
  },
  annotations: READS,
  async answer({ tickers, days }, { saring, signal }) {
    const compared = await saring.data.compare(tickers, { ...(days !== undefined && { days }), signal });
    return { ...compared, stocks: compared.snapshots };
  },
});
