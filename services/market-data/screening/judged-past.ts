import type { PastFigures } from '#fields/past/past-figures.ts';
import type { PastPicks } from '#fields/past/past-picks.ts';
import { MOST_YEARS, USUAL_HOLDING_DAYS, USUAL_YEARS, yearsBefore } from '#shared/market/past-span.ts';
import type {
  JudgeScreenRequest,
  JudgeScreenResponse,
  PastEstimate,
  PastFigures as FiguresMessage,
} from '#proto/saring/market_data/v1/fields.ts';
import { BUY_FEE, SELL_FEE } from '#quant/exchange/fees.ts';
import { lastDecidedDay, type Barriers } from '#quant/labels/triple-barrier.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { Estimate } from '#quant/statistics/block-bootstrap.ts';
import type { PickFigures } from '#quant/statistics/pick-figures.ts';
import { refuse } from '#foundation/errors/invalid-request.ts';
import { rounded } from '#foundation/rounded.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { asOfDay } from '../responses/trading-day.ts';
import { refuseReversed } from '../stock-responses/day-span.ts';

/** The barriers of models, by default. */
export function barriersOf({
  target_gain: targetGain = 0.08,
  stop_loss: stopLoss = 0.05,
  horizon_days: horizonDays = USUAL_HOLDING_DAYS,
}: JudgeScreenRequest): Barriers {
  return { targetGain, stopLoss, horizonDays };
}

/** The days that are judged, and how many later ones of the span cannot be judged yet. */
interface JudgedSpan extends DaySpan {
  openDays: number;
}

/** @throws ServiceError invalid_request for an empty span or one of more than five years, not_found if nothing is decided yet */
export function judgedSpan(
  panel: Panel,
  { from, to }: Pick<JudgeScreenRequest, 'from' | 'to'>,
  barriers: Barriers,
): JudgedSpan {
  const { firstDay, lastDay, since, until } = requestedSpan(panel, { from, to });
  const decided = Math.min(lastDay, lastDecidedDay(panel.lastWholeDay, barriers));
  if (decided < firstDay)
    throw new ServiceError(
      'not_found',
      `No day from ${since} to ${until} can be judged yet: positions are held for up to ${barriers.horizonDays} trading days.`,
    );
  return { firstDay, lastDay: decided, openDays: lastDay - decided };
}

/**
 * The trading days of a span, whose first day is after the last one where it has none, and the days as requested.
 * @throws ServiceError invalid_request for an empty span or one of more than five years, not_found if the dataset begins after it
 */
export function requestedSpan(
  panel: Panel,
  { from, to }: Pick<JudgeScreenRequest, 'from' | 'to'>,
): DaySpan & { since: string; until: string } {
  refuseReversed(from, to);
  const lastDay = asOfDay(panel, to);
  const until = to ?? panel.columns.dates[lastDay]!;
  const since = from ?? yearsBefore(until, USUAL_YEARS);
  if (since < yearsBefore(until, MOST_YEARS))
    refuse([
      {
        loc: ['from'],
        msg: `must be at most ${MOST_YEARS} years before ${until}`,
        type: 'value_error',
        input: since,
      },
    ]);
  return { firstDay: panel.dayOnOrAfter(since), lastDay, since, until };
}

/**
 * Picks by day as matches of a screen, of which only the days that are named count. Stocks without a row on their day, which the market
 * does not know there, are left out.
 */
export function matchesOf(
  panel: Panel,
  { firstDay, lastDay }: DaySpan,
  picks: JudgeScreenRequest['picks'],
): PastPicks['matches'] {
  const ofDay = new Map(picks.map(({ as_of, tickers }) => [as_of, tickers]));
  const starts = new Uint32Array(lastDay + 2 - firstDay);
  const stocks: number[] = [];
  const isCounted = new Uint8Array(lastDay + 1 - firstDay);
  for (let day = firstDay; day <= lastDay; day++) {
    const tickers = ofDay.get(panel.columns.dates[day]!);
    const named = (tickers ?? []).map((code) => panel.tickerIndex(code));
    if (tickers) isCounted[day - firstDay] = 1;
    stocks.push(...named.filter((stock) => stock >= 0 && panel.rowAt(stock, day) >= 0));
    starts[day + 1 - firstDay] = stocks.length;
  }
  return { starts, stocks: Uint16Array.from(stocks), isCounted };
}

export function toPast({
  all,
  by_year,
  by_regime,
  overlap: { pickedAgain, openPositions },
  random,
  excessByPeriod,
}: PastFigures): Pick<
  JudgeScreenResponse,
  'excess_by_period' | 'all' | 'by_year' | 'by_regime' | 'picked_again_pct' | 'open_positions' | 'random'
> {
  return {
    excess_by_period: excessByPeriod,
    all: toFigures(all),
    by_year: by_year.map(({ year, figures }) => ({ year, figures: toFigures(figures) })),
    by_regime: by_regime.map(({ regime, figures }) => ({ regime, figures: toFigures(figures) })),
    picked_again_pct: pickedAgain === undefined ? undefined : rounded(100 * pickedAgain, 2),
    open_positions: rounded(openPositions, 2),
    random: random && {
      draws: random.draws,
      low_pct: rounded(100 * random.low, 2),
      median_pct: rounded(100 * random.median, 2),
      high_pct: rounded(100 * random.high, 2),
      better_than_random_pct:
        random.chanceBetter === undefined ? undefined : rounded(100 * random.chanceBetter, 2),
    },
  };
}

function toFigures(figures: PickFigures): FiguresMessage {
  const pct = (value: number | null) => (value === null ? undefined : rounded(100 * value, 2));
  return {
    days: figures.weeks,
    days_with_picks: figures.weeks_with_picks,
    picks: figures.picks,
    unfilled: figures.unfilled,
    unsold: figures.unsold,
    win_rate_pct: pct(figures.win_rate),
    base_rate_pct: pct(figures.base_rate),
    lift: toEstimate(figures.lift, (value) => (value === null ? undefined : rounded(value, 2))),
    net_return_pct: toEstimate(figures.net_return, pct),
    gross_return_pct: toEstimate(figures.net_return, (net) => pct(net === null ? null : grossOf(net))),
    excess_net_return_pct: toEstimate(figures.excess_net_return, pct),
  };
}

/** The return before fees and tax that is this one after them. */
function grossOf(net: number): number {
  return ((1 + net) * (1 + BUY_FEE)) / (1 - SELL_FEE) - 1;
}

function toEstimate(
  { value, low, high }: Estimate,
  shown: (value: number | null) => number | undefined,
): PastEstimate {
  return { value: shown(value), low: shown(low), high: shown(high) };
}
