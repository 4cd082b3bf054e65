import type { PositionOutlook, PriceLevel } from './result.ts';
import { ceilToTick, floorPrice, floorToTick } from '#quant/exchange/exchange.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { AnalogLibrary } from '#quant/recovery/analogs.ts';
import type { ForwardPaths } from '#quant/recovery/forward-path.ts';
import { AnalogLevels } from '#quant/recovery/analogs.ts';
import { swingLow } from '#quant/recovery/forward-path.ts';
import {
  aboveFloor,
  bucketCutsPct,
  directionOf,
  outlookOf,
  trajectoryOf,
} from '#quant/recovery/trajectory.ts';
import { FORMATS, type Language } from '#shared/text/languages.ts';
import { joined, Localised, localised } from '#shared/text/localised.ts';
import { rounded } from '../display.ts';
import type { Forecast } from './learning.ts';
import { OUTLOOK_SENTENCES, type Standing } from './outlook-sentences.ts';
import type { HeldPosition } from './positions.ts';

/** The market of the analysed day, and the past rows to be asked what a stock of that day may do. */
interface RecoveryMarket {
  panel: Panel;
  /** Calendar index of the analysed day. */
  day: number;
  horizonDays: number;
  paths: ForwardPaths;
  analogs: AnalogLibrary;
  /** Whether forecasts of days not learnt from were better than climatology. */
  isSkilled: boolean;
}

const SWING_BARS = 20;

/**
 * What a forecast means for a position. `restore_target` is the price that one like path in four goes beyond within
 * the horizon, and for a loser no more than its own average price; `exit_window` is when like paths get there.
 */
export function positionOutlook(
  position: HeldPosition,
  { chances: asLearnt, volatility }: Forecast,
  market: RecoveryMarket,
): PositionOutlook {
  const { code, ticker, price, pnlPct, avgPrice, bucket } = position;
  const { panel, day, horizonDays, paths, analogs } = market;
  const floor = floorPrice(price);
  const chances = aboveFloor(asLearnt, 100 * (floor / price - 1), bucketCutsPct(horizonDays));
  const trajectory = trajectoryOf(chances);
  const probabilities = directionOf(trajectory);
  const levels = new AnalogLevels(analogs.like(volatility, chances), paths, price, horizonDays);
  const target = bucket === 'loser' ? Math.min(avgPrice, levels.reach) : levels.reach;
  const support = levels.support(swingLow(panel, ticker, day, SWING_BARS));
  const figures = {
    ticker: code,
    pnl_pct: pnlPct,
    current_price: price,
    avg_price: avgPrice,
    outlook: outlookOf(probabilities),
    bucket,
    restore_target: { ...levelOf(target, price), tick_price: ceilToTick(target) },
    support_level: { ...levelOf(support, price), tick_price: Math.max(floor, floorToTick(support)) },
    exit_window: levels.daysTo(target, panel.columns.dates[day]!),
    probabilities,
    trajectory,
  };
  return { ...figures, reason: reasonOf(figures, horizonDays, reservationsOf(position, market)) };
}

function reservationsOf(
  { lastTradedDay, judgedDay }: HeldPosition,
  { panel, day, isSkilled }: RecoveryMarket,
): Reservations {
  const { dates } = panel.columns;
  return {
    idleSince: lastTradedDay < day ? dates[lastTradedDay] : undefined,
    judgedOn: judgedDay < day ? dates[judgedDay] : undefined,
    isSkilled,
  };
}

function levelOf(level: number, price: number): Omit<PriceLevel, 'tick_price'> {
  return { price: rounded(level, 2), change_pct: rounded(100 * (level / price - 1), 2) };
}

type Figures = Omit<PositionOutlook, 'reason'>;

/** What a reader must know beside a forecast. */
export interface Reservations {
  /** Day of the last trade, YYYY-MM-DD, when it was before the analysed one. */
  idleSince: string | undefined;
  /** The day whose figures were judged, YYYY-MM-DD, when it was before the analysed one. */
  judgedOn: string | undefined;
  /** Whether forecasts of days not learnt from were better than climatology. */
  isSkilled: boolean;
}

/** What a position's numbers mean, in a sentence between what must be known beside it. */
export function reasonOf(figures: Figures, horizonDays: number, reservations: Reservations): Localised {
  return joined([
    staleness(reservations),
    meaning(figures, horizonDays),
    atFloor(figures),
    reservations.isSkilled ? undefined : DOUBT,
  ]);
}

function staleness({ idleSince, judgedOn }: Reservations): Localised | undefined {
  if (idleSince !== undefined) {
    return localised(
      ({ date }) => `Saham ini belum diperdagangkan lagi sejak ${date(idleSince)}.`,
      ({ date }) => `This stock has not been traded since ${date(idleSince)}.`,
    );
  }
  if (judgedOn === undefined) return undefined;
  return localised(
    ({ date }) => `Penilaian ini memakai data ${date(judgedOn)}.`,
    ({ date }) => `It is judged by the data of ${date(judgedOn)}.`,
  );
}

/** Nothing lies below the lowest price of the board. */
function hasSupport({ support_level, current_price }: Figures): boolean {
  return support_level.price < current_price;
}

function atFloor(figures: Figures): Localised | undefined {
  if (hasSupport(figures)) return undefined;
  return localised(
    ({ rupiah }) =>
      `Harga sudah di batas terendah bursa ${rupiah(figures.current_price)}, sehingga tidak ada support di bawahnya.`,
    ({ rupiah }) =>
      `The price is already at the lowest that the exchange allows, ${rupiah(figures.current_price)}, so that there is no support below it.`,
  );
}

const DOUBT = new Localised(
  'Perlu diingat, perkiraan model untuk tanggal ini tidak terbukti lebih baik daripada frekuensi rata-rata pasar.',
  'Bear in mind that the model’s forecasts for this day were not found better than the average frequencies of the market.',
);

function meaning(figures: Figures, horizonDays: number): Localised {
  const standing = standingOf(figures);
  const inLanguage = (language: Language) => {
    const { oneDecimal, rupiah } = FORMATS[language];
    return OUTLOOK_SENTENCES[language][figures.outlook][standing]({
      up: `${oneDecimal(figures.probabilities.up)}%`,
      down: `${oneDecimal(figures.probabilities.down)}%`,
      support: hasSupport(figures) ? rupiah(figures.support_level.price) : undefined,
      price: rupiah(figures.current_price),
      target: rupiah(figures.restore_target.price),
      average: rupiah(figures.avg_price),
      horizonDays,
    });
  };
  return new Localised(inLanguage('id'), inLanguage('en'));
}

function standingOf({ bucket, avg_price, restore_target }: Figures): Standing {
  if (bucket !== 'loser') return bucket;
  return restore_target.price >= avg_price ? 'recoverable' : 'underwater';
}
