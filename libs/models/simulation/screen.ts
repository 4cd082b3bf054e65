import { rounded } from '#foundation/rounded.ts';
import { reachesAcross } from '#quant/panel/gaps.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { chanceBetterThanRandom, spreadOf } from '#quant/performance/better-than-random.ts';
import { Accounts, type MoneyRules } from '#quant/simulation/accounts.ts';
import { equalWeightEquity } from '#quant/simulation/equal-weight.ts';
import { equityFigures } from '#quant/simulation/figures.ts';
import { Journal } from '#quant/simulation/journal.ts';
import { OrderOutcomes, type OrderRules } from '#quant/simulation/order-outcomes.ts';
import { asPicked, candidatesOn, picksOf, type Picks } from '#quant/simulation/picks.ts';
import { DRAWS, randomEquities } from '#quant/simulation/random-picks.ts';
import { SimulatedMarket } from '#quant/simulation/simulated-market.ts';
import { worthOf } from '#quant/simulation/worth.ts';
import { missingFromPast } from '#quant/universe/missing-past.ts';
import { verdictOf } from '#quant/performance/verdict.ts';
import { TrainingCancelled } from '#quant/learning/boosting/trainer.ts';
import { Localised } from '#foundation/text/localised.ts';
import { fullViewOf } from '../results/full-view.ts';
import { RunFailure } from '../inputs/run-failure.ts';
import { summaryOf, type Screen, type ScreenInput } from '../model/screen.ts';
import { exposurePct, figuresOf, historyOf, pctOf, tradesOf } from './fields.ts';
import { SIMULATION_ID, type SimulationParams } from './params.ts';
import type { SimulationFields } from './result.ts';

/** Multiples of the money for which the capacity is told; the first is the account itself. */
const CAPACITY = [1, 10, 100];

const TOO_SHORT = new Localised(
  'Rentang ini tidak memuat tiga hari bursa yang ada dalam data.',
  'The span has no three trading days that the dataset knows.',
);

/** Follows past picks with somebody's money. */
export const screen: Screen<SimulationParams> = {
  run: async (input) => {
    const { panel, params, dataset } = input;
    const market = marketOf(panel, input);
    const { picks, unknown } = knownPicks(market, params.picks.days);
    const fields = { ...simulated(market, picks, input), unknown_picks: unknown };
    input.mark?.('selection');
    return {
      result: fullViewOf(dataset, { modelId: SIMULATION_ID, asOf: fields.to, fields, diag: {} }),
      summary: summaryOf(fields.to, []),
    };
  },
};

/** @throws RunFailure for a span of fewer than three trading days: the spread of returns takes two of them */
function marketOf(panel: Panel, { params, analysisDate }: ScreenInput<SimulationParams>): SimulatedMarket {
  const lastDay = panel.dayOnOrBefore(analysisDate);
  const firstDay = panel.dayOnOrAfter(params.from);
  if (lastDay - firstDay < 2) throw new RunFailure('insufficient_data', TOO_SHORT);
  return new SimulatedMarket(panel, { firstDay, lastDay });
}

/** The picks as the panel knows them. Another dataset version may lack a stock, or a day. */
function knownPicks(
  market: SimulatedMarket,
  days: SimulationParams['picks']['days'],
): { picks: Picks; unknown: number } {
  const { panel, span } = market;
  let unknown = 0;
  const known = days.flatMap(({ as_of, tickers }) => {
    const day = panel.dayOnOrBefore(as_of);
    if (panel.columns.dates[day] !== as_of || day < span.firstDay || day > span.lastDay) return [];
    const stocks = tickers.map((code) => panel.tickerIndex(code));
    const listed = stocks.filter((stock) => stock >= 0 && market.rowOn(day, stock) >= 0);
    unknown += stocks.length - listed.length;
    return [{ day, stocks: listed }];
  });
  return { picks: picksOf(known), unknown };
}

function simulated(
  market: SimulatedMarket,
  picks: Picks,
  { params, dataset, shouldStop }: ScreenInput<SimulationParams>,
): Omit<SimulationFields, 'unknown_picks'> {
  const { capital_idr: capitalIdr } = params;
  const orderRules = orderRulesOf(params);
  const outcomes = new OrderOutcomes(market, picks, orderRules);
  const open = (capitalsIdr: readonly number[], from = outcomes) =>
    new Accounts(market, from, moneyRulesOf(params), capitalsIdr);
  const journals = CAPACITY.map(() => new Journal());
  open(CAPACITY.map((times) => times * capitalIdr)).follow(picks, asPicked(picks, CAPACITY.length), journals);
  const journal = journals[0]!;
  const end = journal.equityIdr.at(-1)!;
  const isCandidate = candidatesOn(market, picks.days);
  const equalWeight = equalWeightEquity(market, picks, isCandidate, capitalIdr);
  outcomes.findAll(isCandidate);
  const draws = open(Array.from({ length: DRAWS }, () => capitalIdr));
  const random = randomEquities(market, picks, isCandidate, draws).sort();
  const chance = chanceBetterThanRandom(end, random)!;
  if (shouldStop()) throw new TrainingCancelled();
  const counted = new Journal();
  const possible = new OrderOutcomes(market, picks, {
    ...orderRules,
    volumeShare: Infinity,
    countsImpossible: true,
  });
  open([capitalIdr], possible).follow(picks, asPicked(picks), [counted]);
  const figures = equityFigures(journal.equityIdr);
  const lacksDays = reachesAcross(market.panel, market.span);
  return {
    ...historyOf(market, journal, equalWeight, figures.drawdowns),
    ...figuresOf(figures, end),
    ...judged(params, { kind: dataset.kind, lacksDays }, { journal, equalWeight, chance }),
    comparisons: {
      equal_weight: figuresOf(equityFigures(equalWeight), equalWeight.at(-1)!),
      random: randomOf(random, chance, capitalIdr),
      cash: { end_idr: capitalIdr, total_return_pct: 0 },
    },
    ...tradesOf(market, picks, journal, orderRules.barriers),
    stuck_idr: Math.round(journal.stuckIdr),
    stuck_pct: pctOf(journal.stuckIdr / end),
    if_counted: {
      end_idr: Math.round(counted.equityIdr.at(-1)!),
      total_return_pct: pctOf(counted.equityIdr.at(-1)! / capitalIdr - 1),
      trade_count: counted.trades.length,
    },
    capacity: journals.map((written, at) => capacityOf(written, CAPACITY[at]! * capitalIdr)),
  };
}

function capacityOf(written: Journal, capitalIdr: number): SimulationFields['capacity'][number] {
  const { totalReturn, annualReturn } = equityFigures(written.equityIdr);
  return {
    capital_idr: capitalIdr,
    total_return_pct: pctOf(totalReturn),
    annual_return_pct: pctOf(annualReturn),
    exposure_pct: exposurePct(written),
    thin_orders: written.missed.filter(({ why }) => why === 'too_thin').length,
  };
}

function moneyRulesOf({ max_positions, position_pct }: SimulationParams): MoneyRules {
  return { maxPositions: max_positions, positionShare: position_pct / 100 };
}

function orderRulesOf({
  target_gain,
  stop_loss,
  horizon_days,
  max_volume_pct,
}: SimulationParams): OrderRules {
  return {
    barriers: { targetGain: target_gain, stopLoss: stop_loss, horizonDays: horizon_days },
    volumeShare: max_volume_pct / 100,
  };
}

/** The trials, and the verdict on this one. */
function judged(
  {
    picks: { trials: count, expected_best_sharpe, overfitting_pct },
    horizon_days: horizonDays,
  }: SimulationParams,
  { kind, lacksDays }: { kind: string; lacksDays: boolean },
  { journal, equalWeight, chance }: { journal: Journal; equalWeight: Float64Array; chance: number },
): Pick<SimulationFields, 'trials' | 'verdict' | 'verdict_text' | 'missing_text'> {
  const curves = { equity: journal.equityIdr, market: equalWeight, costs: journal.costsIdr };
  const worth = worthOf(curves, { horizonDays, expectedBestSharpe: expected_best_sharpe });
  const shown = (share: number | undefined) => (share === undefined ? null : pctOf(share));
  const missing_text = missingFromPast(kind, lacksDays);
  // Money that lay idle is no worse choice of stocks.
  const excess = journal.trades.length > 0 ? worth.excess : undefined;
  const { verdict, because } = verdictOf({
    excessLow: excess?.low ?? undefined,
    excessHigh: excess?.high ?? undefined,
    betterThanRandom: 100 * chance,
    deflatedSharpe: worth.deflatedSharpe && 100 * worth.deflatedSharpe,
    overfitting: overfitting_pct,
    grossLow: worth.gross.low ?? undefined,
    netLow: worth.net.low ?? undefined,
  });
  return {
    verdict,
    verdict_text: because,
    ...(missing_text && { missing_text }),
    trials: {
      count,
      sharpe: worth.sharpe === undefined ? null : rounded(worth.sharpe, 2),
      expected_best_sharpe,
      probabilistic_sharpe_pct: shown(worth.probabilisticSharpe),
      deflated_sharpe_pct: shown(worth.deflatedSharpe),
      overfitting_pct: overfitting_pct ?? null,
    },
  };
}

function randomOf(ascending: Float64Array, chance: number, capitalIdr: number) {
  const { draws, low, median, high } = spreadOf(ascending);
  const returnPct = (end: number) => pctOf(end / capitalIdr - 1);
  return {
    draws,
    low_pct: returnPct(low),
    median_pct: returnPct(median),
    high_pct: returnPct(high),
    better_than_random_pct: pctOf(chance),
  };
}
