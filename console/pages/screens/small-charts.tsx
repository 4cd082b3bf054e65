import { useRef } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import type { Bar } from '#console/charts/candles.ts';
import { SmallCandles } from '#console/charts/small-candles.tsx';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { useSeen } from '#console/parts/use-seen.ts';
import { linkTo } from '#console/routing.ts';
import { client } from '#console/session/session.ts';
import { day, number, signedPercent } from '#console/words/formats.ts';
import { atMost } from './at-most.ts';
import { words } from './words.ts';

const DAYS = 60;
const MOST_DAYS = 250;
const TRADING_DAYS_OF_WEEK = 5;
const WEEK_MS = 7 * 24 * 3_600_000;
/** The API has bars of one stock per request, and the pages behind need connections of the browser too. */
const AT_ONCE = 4;

const inTurn = atMost(AT_ONCE);

interface SmallChartsProps {
  stocks: Schemas['ScreenPreview']['rows'];
  /** The last day of every chart. */
  asOf: string;
}

/** A small chart of each stock, in the order of the rules. Those that nobody looks at are not loaded. */
export function SmallCharts({ stocks, asOf }: SmallChartsProps) {
  return (
    <ul class="small-charts" aria-label={words.value.stocks}>
      {stocks.map(({ ticker, name }) => (
        <li key={`${ticker} ${asOf}`}>
          <StockChart ticker={ticker} name={name} asOf={asOf} />
        </li>
      ))}
    </ul>
  );
}

function StockChart({ ticker, name, asOf }: { ticker: string; name: string | null; asOf: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(frame);
  const bars = useLoading(
    async (signal) => (isSeen ? inTurn(() => barsOf(ticker, asOf, signal), signal) : undefined),
    [isSeen],
  );
  return (
    <div ref={frame} class="small-chart" aria-busy={bars.isBusy}>
      <a href={linkTo('market', ticker)}>{ticker}</a> <small class="minor">{name}</small>
      {(bars.value !== undefined || bars.failure !== undefined) && (
        <Loaded of={bars}>{(loaded) => loaded && <Chart ticker={ticker} bars={loaded} asOf={asOf} />}</Loaded>
      )}
    </div>
  );
}

/** The bars up to a day. The API counts days from the newest, and has so many at most. */
async function barsOf(ticker: string, asOf: string, signal: AbortSignal): Promise<Bar[]> {
  const since = Math.ceil((Date.now() - Date.parse(asOf)) / WEEK_MS) * TRADING_DAYS_OF_WEEK;
  const { ohlcv } = await client
    .peek()
    .data.stock(ticker, { days: Math.min(DAYS + since, MOST_DAYS), signal });
  return ohlcv.filter(({ date }) => date <= asOf).slice(-DAYS);
}

function Chart({ ticker, bars, asOf }: { ticker: string; bars: readonly Bar[]; asOf: string }) {
  const last = bars.at(-1);
  if (!last) return <p class="minor">{words.value.tooLongAgo}</p>;
  const [close, change] = [number(last.close), signedPercent(last.change_pct, 2)];
  return (
    <>
      <SmallCandles label={words.value.chartOf(ticker, day(asOf), close, change)} bars={bars} />
      <p class="values">
        <strong>{close}</strong>
        <span class={last.change_pct < 0 ? 'failed' : 'succeeded'}>{change}</span>
      </p>
    </>
  );
}
