import { Localised } from '#foundation/text/localised.ts';
import { ceilToTick, floorPrice, floorToTick } from '#quant/exchange/exchange.ts';
import { MarketSwings } from '#quant/gann/swings.ts';
import { type CycleHit, type CycleReading, emptyReading } from '#quant/gann/cycle-reading.ts';
import { CycleMarket } from '#quant/gann/cycle-market.ts';
import { CYCLE_FEATURES, cycleFeatures } from '#quant/gann/cycle-features.ts';
import type { GannRow } from './result.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { learnMarket } from '../trained/learn-market.ts';
import type { ExtraFeatures, LearningRequest } from '../trained/trained-market.ts';
import { fullPicksOutput } from '../model/picks-output.ts';
import { pickRow, type RowContext } from '../picks/pick-row.ts';
import type { Screen, ScreenInput, ScreenOutput } from '../model/screen.ts';
import { type GannDay, type GannStock, untrainedDay } from './day.ts';
import { HORIZON_DAYS, type GannParams, TRAIN_DAYS, ID, VERSION, daysNeeded } from './params.ts';
import { cycleSettings, keptScores, scoresOf } from './cycle-scores.ts';
import { gannRules, picksOfPastDays, type Turning, whyNone } from './selection.ts';
import { Selection } from '../picks/selection.ts';

/** Model B: names with a high model probability on which Gann time cycles and price levels meet. */
export const screen: Screen<GannParams> = { run };

async function run(input: ScreenInput<GannParams>): Promise<ScreenOutput> {
  const { panel, analysisDate, params } = input;
  const swings = new MarketSwings(panel, panel.dayOnOrBefore(analysisDate), params.pivot_window);
  const request: LearningRequest = {
    modelId: ID,
    version: VERSION,
    analysisDate,
    leastDays: daysNeeded(params),
    targetGain: params.target_gain,
    stopLoss: params.stop_loss,
    horizonDays: HORIZON_DAYS,
    trainDays: TRAIN_DAYS,
    extraFeatures: cycleColumns(swings, params, input.features),
    figuresOf: (rows) => keptScores(swings, params, input.features(), rows),
  };
  const market = params.use_ml ? await learnMarket(input, request) : untrainedDay(input, request);
  return gannResult(input, market, swings);
}

/** What the model learns from besides the common features: the cycles as the run's settings read them. */
export function cycleColumns(
  swings: MarketSwings,
  params: GannParams,
  features: () => FeatureTable,
): ExtraFeatures {
  const settings = cycleSettings(params);
  const cycles = new CycleMarket(swings, settings);
  return {
    names: CYCLE_FEATURES,
    key: JSON.stringify([params.pivot_window, settings]),
    read: (rows, out) => {
      const { columns } = features();
      const ticker = Uint16Array.from(rows, (row) => columns.ticker[row]!);
      const panelRow = Uint32Array.from(rows, (row) => columns.panelRow[row]!);
      cycleFeatures(cycles, { ticker, panelRow }, out);
    },
  };
}

/** The score shown with a pick if no model was trained. */
const CYCLE_SCORE = new Localised(
  'Skor siklus menunjukkan seberapa banyak waktu, harga, dan tren memenuhi aturan Gann, 0 sampai 100; skor ini bukan peluang.',
  'The cycle score says how much time, price and trend meet the rules of Gann, 0 to 100; it is not a chance.',
);

/** Computes the result of model B. `swings` reach up to the day and use the run's pivot window. */
export function gannResult(
  input: Pick<ScreenInput<GannParams>, 'panel' | 'features' | 'regime' | 'dataset' | 'params'>,
  day: GannDay,
  swings: MarketSwings,
): ScreenOutput {
  const { params } = input;
  const cycles = new CycleMarket(swings, cycleSettings(params));
  const scoreOf = scoresOf(day, swings);
  const selection = new Selection(day.stocks, params, (tried) => gannRules(scoreOf(tried)));
  return fullPicksOutput(input, day, {
    modelId: ID,
    horizonDays: HORIZON_DAYS,
    selection,
    row: (pick, rank, context) =>
      gannRow({ ...pick, cycle: readingOf(cycles, pick.stock) }, rank, day.asOf, context),
    quality: day.quality(picksOfPastDays(scoreOf(params), params)),
    diag: ({ regime }) => ({ regime, is_learnt: params.use_ml }),
    ...(params.use_ml ? {} : { number: CYCLE_SCORE }),
    whyNone: () => whyNone(scoreOf(params), selection),
  });
}

function readingOf(cycles: CycleMarket, { ticker, panelRow }: GannStock): CycleReading {
  const reading = emptyReading();
  cycles.read(ticker, panelRow, reading);
  return reading;
}

/**
 * A pick. `Cycle Hit` is the time cycle nearest to its day, in calendar days (`hari`) or trading days (`hari bursa`). `Next
 * Turn Date` is a calendar day on which the exchange may be closed, because its future holidays are unknown.
 */
export function gannRow(
  { stock, cycle, score }: Pick<Turning, 'stock' | 'score'> & { cycle: CycleReading },
  rank: number,
  asOf: string,
  context: RowContext,
): GannRow {
  return {
    ...pickRow(stock, { rank, score }, context),
    'Cycle Score': toDecimals(cycle.score, 1),
    'Cycle Hit': cycle.hit ? hitText(cycle.hit) : NO_HIT,
    'Sq9 Support': tradable(floorToTick(cycle.support, asOf), stock.close),
    'Sq9 Resistance': tradable(ceilToTick(cycle.resistance, asOf), stock.close),
    'Next Turn Date': Number.isFinite(cycle.daysToNextTurn)
      ? isoFromEpochDay(epochDayFromIso(asOf) + cycle.daysToNextTurn)
      : null,
  };
}

/** Null if there is no level (NaN) or it is below the floor of the stock's board. */
function tradable(level: number, close: number): number | null {
  return level >= floorPrice(close) ? level : null;
}

const NO_HIT = new Localised('-', '-');

function hitText({ days, unit, from, daysLeft }: CycleHit): Localised {
  const inDays = unit === 'calendar' ? 'hari' : 'hari bursa';
  const inEnglish = (count: number) =>
    `${count} ${unit === 'calendar' ? '' : 'trading '}${count === 1 ? 'day' : 'days'}`;
  const id = `${days} ${inDays} dari swing ${from}`;
  const en = `${inEnglish(days)} from a swing ${from}`;
  if (daysLeft === 0) return new Localised(id, en);
  return daysLeft > 0
    ? new Localised(`${id}, ${daysLeft} ${inDays} lagi`, `${en}, ${inEnglish(daysLeft)} to go`)
    : new Localised(`${id}, lewat ${-daysLeft} ${inDays}`, `${en}, ${inEnglish(-daysLeft)} ago`);
}
