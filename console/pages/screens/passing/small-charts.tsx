import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from '#client/index.ts';
import { linkTo } from '#console/browser/routing.ts';
import type { Bar } from '#console/charts/candles.ts';
import { Loaded, useLoading } from '#console/parts/loading.tsx';
import { client } from '#console/session/session.ts';
import { day, number, signedPercent } from '#console/words/formats.ts';
import { atMost } from './at-most.ts';
import { say } from './words.ts';

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

/** A small chart of each stock, in the order of the rules. Each is loaded once it comes into view. */
export function SmallCharts({ stocks, asOf }: SmallChartsProps) {
  return (
    <ul class="small-charts" aria-label={say.stocks}>
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

/** The bars up to a day. The API counts days back from the newest, up to `MOST_DAYS`. */
async function barsOf(ticker: string, asOf: string, signal: AbortSignal): Promise<Bar[]> {
  const since = Math.ceil((Date.now() - Date.parse(asOf)) / WEEK_MS) * TRADING_DAYS_OF_WEEK;
  const { ohlcv } = await client
    .peek()
    .data.stock(ticker, { days: Math.min(DAYS + since, MOST_DAYS), signal });
  return ohlcv.filter(({ date }) => date <= asOf).slice(-DAYS);
}

function Chart({ ticker, bars, asOf }: { ticker: string; bars: readonly Bar[]; asOf: string }) {
  const last = bars.at(-1);
  if (!last) return <p class="minor">{say.tooLongAgo}</p>;
  const [close, change] = [number(last.close), signedPercent(last.change_pct, 2)];
  return (
    <>
      <SmallCandles label={say.chartOf(ticker, day(asOf), close, change)} bars={bars} />
      <p class="values">
        <strong>{close}</strong>
        <span class={(last.change_pct ?? 0) < 0 ? 'failed' : 'succeeded'}>{change}</span>
      </p>
    </>
  );
}

/** Loading begins a little before an element is in view. */
const SOON = '200px';

/** Whether an element has come into view. Once it has, it stays so. */
function useSeen(element: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setSeen(true);
        watch.disconnect();
      },
      { rootMargin: SOON },
    );
    watch.observe(element.current!);
    return () => watch.disconnect();
  }, []);
  return isSeen;
}

/** A candle in the units of the drawing, which is stretched to the width of its place. */
const STEP = 4;
const HALF_BODY = 1.4;
const HEIGHT = 60;

/** Candles without axes, a few centimetres wide. What they say stands beside them. */
function SmallCandles({ label, bars }: { label: string; bars: readonly Bar[] }) {
  // A day without trades has no candle.
  const traded = bars.flatMap((bar, at) => (bar.volume > 0 ? [{ ...bar, x: (at + 0.5) * STEP }] : []));
  const least = Math.min(...traded.map(({ low }) => low));
  const most = Math.max(...traded.map(({ high }) => high));
  const y = (price: number) =>
    (most === least ? HEIGHT / 2 : HEIGHT - ((price - least) / (most - least)) * HEIGHT).toFixed(1);
  const candle = ({ x, open, high, low, close }: (typeof traded)[number]) =>
    `M${x} ${y(low)}V${y(high)}M${x - HALF_BODY} ${y(open)}H${x + HALF_BODY}V${y(close)}H${x - HALF_BODY}Z`;
  const drawn = (rises: boolean) =>
    traded
      .filter(({ open, close }) => close >= open === rises)
      .map(candle)
      .join('');
  return (
    <svg
      class="small-candles"
      viewBox={`0 -1 ${Math.max(1, bars.length) * STEP} ${HEIGHT + 2}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="rise" d={drawn(true)} />
      <path class="fall" d={drawn(false)} />
    </svg>
  );
}
