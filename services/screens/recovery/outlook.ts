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
  type Outlook,
  outlookOf,
  trajectoryOf,
} from '#quant/recovery/trajectory.ts';
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

/** The numbers of a position as sentences write them. */
interface Words {
  up: string;
  down: string;
  /** Absent where the price stands at the floor of its board and nothing lies below it. */
  support: string | undefined;
  price: string;
  target: string;
  average: string;
  horizonDays: number;
}

type Sentence = (words: Words) => string;

/** For a loser by whether its average price is within reach, otherwise by what the position has made. */
type Standing = 'recoverable' | 'underwater' | 'neutral' | 'winner';

/** What follows only where there is a support to hold or to lose. */
const whileAbove = ({ support }: Words) =>
  support === undefined ? '' : ` selama harga bertahan di atas support ${support}`;
const cutBelow = ({ support }: Words) =>
  support === undefined ? '' : `; pertimbangkan mengurangi posisi bila harga menembus ${support}`;

const SENTENCES: Record<Outlook, Record<Standing, Sentence>> = {
  BULLISH: {
    recoverable: (words) =>
      `Peluang naik ${words.up} lebih besar daripada peluang turun ${words.down}, dan harga beli ${words.average} masih dalam jangkauan${whileAbove(words)}.`,
    underwater: ({ up, down, target, average }) =>
      `Peluang naik ${up} lebih besar daripada peluang turun ${down}, tetapi harga beli ${average} masih jauh; pemulihan sampai sekitar ${target} lebih masuk akal.`,
    neutral: ({ up, support, target }) =>
      `Peluang naik ${up} dengan kemungkinan sampai sekitar ${target}${support === undefined ? '' : `; gambaran ini berubah bila harga menembus support ${support}`}.`,
    winner: (words) =>
      `Posisi sudah untung dan peluang naik ${words.up} lebih besar daripada peluang turun ${words.down}; posisi dapat dipertahankan${whileAbove(words)}.`,
  },
  NEUTRAL: {
    recoverable: ({ up, down, support, average }) =>
      `Arah harga belum jelas (naik ${up}, turun ${down}); harga beli ${average} masih dapat tercapai${support === undefined ? '' : `, dengan support ${support} sebagai batas menunggu`}.`,
    underwater: ({ up, down, target, average, horizonDays }) =>
      `Arah harga belum jelas (naik ${up}, turun ${down}); harga beli ${average} sulit tercapai dalam ${horizonDays} hari bursa, jadi ${target} lebih wajar sebagai sasaran.`,
    neutral: ({ up, down, support, price, target }) =>
      `Arah harga belum jelas (naik ${up}, turun ${down}); kisaran yang wajar ada di antara ${support === undefined ? price : `support ${support}`} dan ${target}.`,
    winner: ({ up, down, target }) =>
      `Posisi masih untung, tetapi arah berikutnya belum jelas (naik ${up}, turun ${down}); kenaikan yang wajar sampai sekitar ${target}.`,
  },
  BEARISH: {
    recoverable: (words) =>
      `Peluang turun ${words.down} lebih besar daripada peluang naik ${words.up}; harga beli ${words.average} masih mungkin tersentuh${cutBelow(words)}.`,
    underwater: (words) =>
      `Peluang turun ${words.down} lebih besar daripada peluang naik ${words.up}, dan harga beli ${words.average} sulit tercapai dalam ${words.horizonDays} hari bursa${cutBelow(words)}.`,
    neutral: (words) =>
      `Peluang turun ${words.down} lebih besar daripada peluang naik ${words.up}${cutBelow(words)}.`,
    winner: ({ up, down, support }) =>
      `Posisi masih untung, tetapi peluang turun ${down} lebih besar daripada peluang naik ${up}${support === undefined ? '' : `; pertimbangkan mengamankan keuntungan sebelum harga menembus ${support}`}.`,
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
export function reasonOf(figures: Figures, horizonDays: number, reservations: Reservations): string {
  const sentences = [
    staleness(reservations),
    meaning(figures, horizonDays),
    atFloor(figures),
    doubt(reservations),
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}

function staleness({ idleSince, judgedOn }: Reservations): string | undefined {
  if (idleSince !== undefined) return `Saham ini belum diperdagangkan lagi sejak ${longDate(idleSince)}.`;
  return judgedOn === undefined ? undefined : `Penilaian ini memakai data ${longDate(judgedOn)}.`;
}

/** Nothing lies below the lowest price of the board. */
function hasSupport({ support_level, current_price }: Figures): boolean {
  return support_level.price < current_price;
}

function atFloor(figures: Figures): string | undefined {
  if (hasSupport(figures)) return undefined;
  return `Harga sudah di batas terendah bursa ${rupiah(figures.current_price)}, sehingga tidak ada support di bawahnya.`;
}

function doubt({ isSkilled }: Reservations): string | undefined {
  if (isSkilled) return undefined;
  return 'Perlu diingat, perkiraan model untuk tanggal ini tidak terbukti lebih baik daripada frekuensi rata-rata pasar.';
}

function meaning(figures: Figures, horizonDays: number): string {
  return SENTENCES[figures.outlook][standingOf(figures)]({
    up: `${oneDecimal(figures.probabilities.up)}%`,
    down: `${oneDecimal(figures.probabilities.down)}%`,
    support: hasSupport(figures) ? rupiah(figures.support_level.price) : undefined,
    price: rupiah(figures.current_price),
    target: rupiah(figures.restore_target.price),
    average: rupiah(figures.avg_price),
    horizonDays,
  });
}

function standingOf({ bucket, avg_price, restore_target }: Figures): Standing {
  if (bucket !== 'loser') return bucket;
  return restore_target.price >= avg_price ? 'recoverable' : 'underwater';
}
