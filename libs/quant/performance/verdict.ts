import { Localised } from '#foundation/text/localised.ts';

/** From the worst to the best. */
export const VERDICTS = ['worse', 'not_shown', 'shown_before_costs_only', 'shown'] as const;
type Verdict = (typeof VERDICTS)[number];

/** How sure a test must be, percent. */
const SURE_PCT = 95;
/** The best of trials is an accident more often than not. */
const ACCIDENT_PCT = 50;

/** What the tests say; undefined where one cannot be made. Percent. */
export interface Tested {
  /** Ends of the interval of the excess over all liquid stocks. */
  excessLow: number | undefined;
  excessHigh: number | undefined;
  betterThanRandom: number | undefined;
  deflatedSharpe: number | undefined;
  overfitting: number | undefined;
  /** Lower ends of the intervals of the return before and after costs. */
  grossLow: number | undefined;
  netLow: number | undefined;
}

/**
 * Whether the past of a screen shows that its picks are worth something: never better than its worst test, and a test that cannot be
 * made is not passed. Only the probability of overfitting may be missing, since it needs ten trials. Picks are worse if a comparison
 * with other stocks says so as surely as it would have to say that they are better.
 */
export function verdictOf(tested: Tested): { verdict: Verdict; because: Localised } {
  const worse = whyWorse(tested);
  if (worse) return { verdict: 'worse', because: worse };
  const failed = firstFailed(tested);
  if (failed) return { verdict: 'not_shown', because: failed };
  const isAbove0 = (low: number | undefined) => low !== undefined && low > 0;
  if (isAbove0(tested.netLow)) return { verdict: 'shown', because: SHOWN };
  if (isAbove0(tested.grossLow)) return { verdict: 'shown_before_costs_only', because: ONLY_BEFORE_COSTS };
  return { verdict: 'not_shown', because: NO_RETURN };
}

function whyWorse({ excessHigh = 0, betterThanRandom = SURE_PCT }: Tested): Localised | undefined {
  if (excessHigh < 0) return BELOW_ALL;
  return betterThanRandom <= 100 - SURE_PCT ? BELOW_RANDOM : undefined;
}

function firstFailed(tested: Tested): Localised | undefined {
  const { excessLow, betterThanRandom, deflatedSharpe, overfitting = 0 } = tested;
  if (excessLow === undefined) return TOO_LITTLE;
  if (excessLow <= 0) return NO_EXCESS;
  if (betterThanRandom === undefined || betterThanRandom < SURE_PCT) return LIKE_RANDOM;
  if (deflatedSharpe === undefined || deflatedSharpe < SURE_PCT) return LIKE_LUCK;
  return overfitting >= ACCIDENT_PCT ? OVERFITTED : undefined;
}

const BELOW_ALL = new Localised(
  'Lebih buruk: hasilnya jelas lebih rendah daripada semua saham likuid.',
  'Worse: it did clearly worse than all liquid stocks.',
);
const BELOW_RANDOM = new Localised(
  'Lebih buruk: paling sedikit 95 % pilihan acak lebih baik.',
  'Worse: at least 95 % of random choices did better.',
);
const TOO_LITTLE = new Localised(
  'Belum terbukti: hari atau pilihannya terlalu sedikit untuk disimpulkan.',
  'Not shown: there are too few days or picks to tell.',
);
const NO_EXCESS = new Localised(
  'Belum terbukti: hasilnya tidak jelas lebih baik daripada semua saham likuid.',
  'Not shown: it is not clearly better than all liquid stocks.',
);
const LIKE_RANDOM = new Localised(
  'Belum terbukti: lebih dari 5 % pilihan acak sama baiknya.',
  'Not shown: more than 5 % of random choices did as well.',
);
const LIKE_LUCK = new Localised(
  'Belum terbukti: dari sebanyak ini percobaan, hasil terbaik bisa sebagus ini karena kebetulan.',
  'Not shown: of so many trials, the best can look this good by luck.',
);
const OVERFITTED = new Localised(
  'Belum terbukti: yang terbaik di separuh waktu biasanya tidak lagi unggul di separuh lainnya.',
  'Not shown: what is best in one half of the time is usually not above the middle in the other.',
);
const ONLY_BEFORE_COSTS = new Localised(
  'Hanya terbukti sebelum biaya: setelah biaya dan pajak, imbal hasilnya tidak jelas di atas nol.',
  'Shown before costs only: after fees and tax, the return is not clearly above zero.',
);
const NO_RETURN = new Localised(
  'Belum terbukti: lebih baik daripada saham lain, tetapi imbal hasilnya sendiri tidak jelas di atas nol.',
  'Not shown: better than other stocks, but its own return is not clearly above zero.',
);
const SHOWN = new Localised(
  'Terbukti pada hari-hari ini, setelah biaya. Hari yang akan datang bisa berbeda.',
  'Shown on these days, after costs. Days to come may differ.',
);
