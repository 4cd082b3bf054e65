import type { PositionOutlook, PriceLevel } from './result.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { AnalogLibrary } from '#quant/recovery/analogs.ts';
import type { ForwardPaths } from '#quant/recovery/forward-path.ts';
import { AnalogLevels } from '#quant/recovery/analogs.ts';
import { swingLow } from '#quant/recovery/forward-path.ts';
import { directionOf, type Outlook, outlookOf, trajectoryOf } from '#quant/recovery/trajectory.ts';
import { longDate, oneDecimal, rupiah } from '#shared/text/indonesian.ts';
import { rounded } from '../display.ts';
import type { Forecast } from './learning.ts';
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
  { chances, volatility }: Forecast,
  market: RecoveryMarket,
): PositionOutlook {
  const { code, ticker, price, pnlPct, avgPrice, bucket } = position;
  const { panel, day, horizonDays, paths, analogs } = market;
  const trajectory = trajectoryOf(chances);
  const probabilities = directionOf(trajectory);
  const levels = new AnalogLevels(analogs.like(volatility, chances), paths, price, horizonDays);
  const target = bucket === 'loser' ? Math.min(avgPrice, levels.reach) : levels.reach;
  const support = levels.support(swingLow(panel, ticker, day, SWING_BARS));
  const told = {
    ticker: code,
    pnl_pct: pnlPct,
    current_price: price,
    avg_price: avgPrice,
    outlook: outlookOf(probabilities),
    bucket,
    restore_target: levelOf(target, price),
    support_level: levelOf(support, price),
    exit_window: levels.daysTo(target),
    probabilities,
    trajectory,
  };
  return { ...told, reason: reasonOf(told, horizonDays, reservationsOf(position, market)) };
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

function levelOf(level: number, price: number): PriceLevel {
  return { price: level, change_pct: rounded(100 * (level / price - 1), 2) };
}

type Told = Omit<PositionOutlook, 'reason'>;

/** The numbers of a position as sentences write them. */
interface Words {
  up: string;
  down: string;
  support: string;
  target: string;
  average: string;
  horizonDays: number;
}

type Sentence = (words: Words) => string;

/** For a loser by whether its average price is within reach, otherwise by what the position has made. */
type Standing = 'recoverable' | 'underwater' | 'neutral' | 'winner';

const SENTENCES: Record<Outlook, Record<Standing, Sentence>> = {
  BULLISH: {
    recoverable: ({ up, down, support, average }) =>
      `Peluang naik ${up} lebih besar daripada peluang turun ${down}, dan harga beli ${average} masih dalam jangkauan selama harga bertahan di atas support ${support}.`,
    underwater: ({ up, down, target, average }) =>
      `Peluang naik ${up} lebih besar daripada peluang turun ${down}, tetapi harga beli ${average} masih jauh; pemulihan sampai sekitar ${target} lebih masuk akal.`,
    neutral: ({ up, support, target }) =>
      `Peluang naik ${up} dengan ruang sampai sekitar ${target}; gambaran ini berubah bila harga menembus support ${support}.`,
    winner: ({ up, support }) =>
      `Posisi sudah untung dan peluang naik masih ${up}; posisi dapat dipertahankan selama harga bertahan di atas support ${support}.`,
  },
  NEUTRAL: {
    recoverable: ({ up, down, support, average }) =>
      `Arah harga belum jelas (naik ${up}, turun ${down}); harga beli ${average} masih dapat tercapai, dengan support ${support} sebagai batas menunggu.`,
    underwater: ({ up, down, target, average, horizonDays }) =>
      `Arah harga belum jelas (naik ${up}, turun ${down}); harga beli ${average} sulit tercapai dalam ${horizonDays} hari bursa, jadi ${target} lebih wajar sebagai sasaran.`,
    neutral: ({ up, down, support, target }) =>
      `Arah harga belum jelas (naik ${up}, turun ${down}); kisaran yang wajar ada di antara support ${support} dan ${target}.`,
    winner: ({ up, down, target }) =>
      `Posisi masih untung, tetapi arah berikutnya belum jelas (naik ${up}, turun ${down}) dan ruang naik menipis mendekati ${target}.`,
  },
  BEARISH: {
    recoverable: ({ up, down, support, average }) =>
      `Peluang turun ${down} lebih besar daripada peluang naik ${up}; harga beli ${average} masih mungkin tersentuh, tetapi pertimbangkan mengurangi posisi bila harga menembus ${support}.`,
    underwater: ({ up, down, support }) =>
      `Tren turun belum berhenti (turun ${down}, naik ${up}); pertimbangkan mengurangi posisi bila harga menembus ${support}.`,
    neutral: ({ up, down, support }) =>
      `Peluang turun ${down} lebih besar daripada peluang naik ${up}; pertimbangkan mengurangi posisi bila harga menembus ${support}.`,
    winner: ({ up, down, support }) =>
      `Posisi masih untung, tetapi peluang turun ${down} lebih besar daripada peluang naik ${up}; pertimbangkan mengamankan keuntungan sebelum harga menembus ${support}.`,
  },
};

/** What a reader must know beside a forecast. */
export interface Reservations {
  /** Day of the last trade, YYYY-MM-DD, when it was before the analysed one. */
  idleSince: string | undefined;
  /** The day whose figures were judged, YYYY-MM-DD, when it was before the analysed one. */
  judgedOn: string | undefined;
  /** Whether forecasts of days not learnt from were better than climatology. */
  isSkilled: boolean;
}

/** What a position's numbers mean, in a sentence of Bahasa Indonesia between what must be known beside it. */
export function reasonOf(told: Told, horizonDays: number, reservations: Reservations): string {
  const sentences = [staleness(reservations), meaning(told, horizonDays), doubt(reservations)];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}

function staleness({ idleSince, judgedOn }: Reservations): string | undefined {
  if (idleSince !== undefined) return `Saham ini belum diperdagangkan lagi sejak ${longDate(idleSince)}.`;
  return judgedOn === undefined ? undefined : `Penilaian ini memakai data ${longDate(judgedOn)}.`;
}

function doubt({ isSkilled }: Reservations): string | undefined {
  if (isSkilled) return undefined;
  return 'Perlu diingat, perkiraan model untuk tanggal ini tidak terbukti lebih baik daripada frekuensi rata-rata pasar.';
}

function meaning(told: Told, horizonDays: number): string {
  return SENTENCES[told.outlook][standingOf(told)]({
    up: `${oneDecimal(told.probabilities.up)}%`,
    down: `${oneDecimal(told.probabilities.down)}%`,
    support: rupiah(told.support_level.price),
    target: rupiah(told.restore_target.price),
    average: rupiah(told.avg_price),
    horizonDays,
  });
}

function standingOf({ bucket, avg_price, restore_target }: Told): Standing {
  if (bucket !== 'loser') return bucket;
  return restore_target.price >= avg_price ? 'recoverable' : 'underwater';
}
