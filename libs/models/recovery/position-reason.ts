import { floorPrice, REGULAR_FLOOR_IDR } from '#quant/exchange/exchange.ts';
import type { Outlook } from '#quant/recovery/trajectory.ts';
import { FORMATS, type Language } from '#foundation/text/languages.ts';
import { joined, Localised, localised } from '#foundation/text/localised.ts';
import type { PositionOutlook } from './result.ts';

type Figures = Omit<PositionOutlook, 'reason'>;

/** The caveats of a forecast. */
export interface Reservations {
  /** Day of the last trade, YYYY-MM-DD, if it was before the analysed day. */
  idleSince: string | undefined;
  /** Day whose figures were judged, YYYY-MM-DD, if it was before the analysed day. */
  judgedOn: string | undefined;
  /** Whether forecasts of unseen days were measured, and better than climatology. */
  isSkilled: boolean;
}

/** Explains a position's numbers in a sentence, surrounded by its caveats. */
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

/** Whether there is a support that the price can fall through: one above the floor of its board. */
function hasSupport({ support_level, current_price }: Figures): boolean {
  return support_level.price < current_price && support_level.price > floorPrice(current_price);
}

/** What the floor means for a price at it. Only the special boards trade below that of the regular board. */
function atFloor({ current_price }: Figures): Localised | undefined {
  const floor = floorPrice(current_price);
  if (current_price > floor) return undefined;
  if (floor < REGULAR_FLOOR_IDR) {
    return localised(
      ({ rupiah }) =>
        `Harga sudah di batas terendah bursa ${rupiah(floor)}, sehingga tidak ada support di bawahnya.`,
      ({ rupiah }) =>
        `The price is already at the lowest that the exchange allows, ${rupiah(floor)}, so that there is no support below it.`,
    );
  }
  return localised(
    ({ rupiah }) =>
      `Harga berada di batas terendah papan reguler ${rupiah(floor)}; di papan pemantauan khusus harga dapat turun lebih rendah.`,
    ({ rupiah }) =>
      `The price is at the lowest of the regular board, ${rupiah(floor)}; on the special boards it can fall further.`,
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
      hasProfitAtSupport: figures.support_level.price > figures.avg_price,
      horizonDays,
    });
  };
  return new Localised(inLanguage('id'), inLanguage('en'));
}

function standingOf({ bucket, avg_price, restore_target }: Figures): Standing {
  if (bucket !== 'loser') return bucket;
  return restore_target.price >= avg_price ? 'recoverable' : 'underwater';
}

/** For a loser: whether its average price is within reach. Otherwise: what the position has gained. */
type Standing = 'recoverable' | 'underwater' | 'neutral' | 'winner';

/** The numbers of a position, formatted for sentences. */
interface Words {
  up: string;
  down: string;
  /** Absent if there is none above the floor of the board. */
  support: string | undefined;
  price: string;
  target: string;
  average: string;
  /** Whether a profit is left when the price has fallen to its support. */
  hasProfitAtSupport: boolean;
  horizonDays: number;
}

type Sentences = Record<Outlook, Record<Standing, (words: Words) => string>>;

/** Clauses that appear only if there is a support level. */
const whileAbove = ({ support }: Words) =>
  support === undefined ? '' : ` selama harga bertahan di atas support ${support}`;
const cutBelow = ({ support }: Words) =>
  support === undefined ? '' : `; pertimbangkan mengurangi posisi bila harga menembus ${support}`;

/** A profit can only be secured above the price paid, wherever the support is. */
const secureAbove = ({ support, average, hasProfitAtSupport }: Words) =>
  support !== undefined && hasProfitAtSupport
    ? `; pertimbangkan mengamankan keuntungan sebelum harga menembus ${support}`
    : `; pertimbangkan mengamankan keuntungan, yang habis pada harga beli ${average}`;

const INDONESIAN: Sentences = {
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
    winner: (words) =>
      `Posisi masih untung, tetapi peluang turun ${words.down} lebih besar daripada peluang naik ${words.up}${secureAbove(words)}.`,
  },
};

/** The same clauses in English. */
const holds = ({ support }: Words) =>
  support === undefined ? '' : ` while the price holds above its support of ${support}`;
const cuts = ({ support }: Words) =>
  support === undefined ? '' : `; consider reducing the position if the price falls through ${support}`;

const secures = ({ support, average, hasProfitAtSupport }: Words) =>
  support !== undefined && hasProfitAtSupport
    ? `; consider securing the profit before the price falls through ${support}`
    : `; consider securing the profit, of which nothing is left at the price paid, ${average}`;

const ENGLISH: Sentences = {
  BULLISH: {
    recoverable: (words) =>
      `The chance of a rise, ${words.up}, is larger than that of a fall, ${words.down}, and the price paid, ${words.average}, is still within reach${holds(words)}.`,
    underwater: ({ up, down, target, average }) =>
      `The chance of a rise, ${up}, is larger than that of a fall, ${down}, but the price paid, ${average}, is still far away; a recovery to about ${target} is more plausible.`,
    neutral: ({ up, support, target }) =>
      `The chance of a rise is ${up}, possibly to about ${target}${support === undefined ? '' : `; this changes if the price falls through its support of ${support}`}.`,
    winner: (words) =>
      `The position is at a profit, and the chance of a rise, ${words.up}, is larger than that of a fall, ${words.down}; it can be kept${holds(words)}.`,
  },
  NEUTRAL: {
    recoverable: ({ up, down, support, average }) =>
      `Where the price goes is not clear (up ${up}, down ${down}); the price paid, ${average}, can still be reached${support === undefined ? '' : `, with the support of ${support} as the limit of waiting`}.`,
    underwater: ({ up, down, target, average, horizonDays }) =>
      `Where the price goes is not clear (up ${up}, down ${down}); the price paid, ${average}, is hard to reach within ${horizonDays} trading days, so that ${target} is the more reasonable aim.`,
    neutral: ({ up, down, support, price, target }) =>
      `Where the price goes is not clear (up ${up}, down ${down}); a reasonable range lies between ${support === undefined ? price : `the support of ${support}`} and ${target}.`,
    winner: ({ up, down, target }) =>
      `The position is at a profit, but where the price goes next is not clear (up ${up}, down ${down}); a reasonable rise is to about ${target}.`,
  },
  BEARISH: {
    recoverable: (words) =>
      `The chance of a fall, ${words.down}, is larger than that of a rise, ${words.up}; the price paid, ${words.average}, may still be touched${cuts(words)}.`,
    underwater: (words) =>
      `The chance of a fall, ${words.down}, is larger than that of a rise, ${words.up}, and the price paid, ${words.average}, is hard to reach within ${words.horizonDays} trading days${cuts(words)}.`,
    neutral: (words) =>
      `The chance of a fall, ${words.down}, is larger than that of a rise, ${words.up}${cuts(words)}.`,
    winner: (words) =>
      `The position is at a profit, but the chance of a fall, ${words.down}, is larger than that of a rise, ${words.up}${secures(words)}.`,
  },
};

/** The sentences that explain a position's numbers. */
const OUTLOOK_SENTENCES: Record<Language, Sentences> = { id: INDONESIAN, en: ENGLISH };
