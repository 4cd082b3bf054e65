import { epochDayFromIso, isoFromEpochDay } from '#quant/panel/iso-day.ts';
import { Random } from '#quant/random.ts';
import { STREAMS } from './streams.ts';

/** The exchange's eleven sectors, the word used in invented names, and roughly how many companies are in each. */
export const SECTORS: readonly { sector: string; word: string; weight: number }[] = [
  { sector: 'Basic Materials', word: 'Material', weight: 0.11 },
  { sector: 'Consumer Cyclicals', word: 'Niaga', weight: 0.16 },
  { sector: 'Consumer Non-Cyclicals', word: 'Pangan', weight: 0.13 },
  { sector: 'Energy', word: 'Energi', weight: 0.09 },
  { sector: 'Financials', word: 'Finansial', weight: 0.11 },
  { sector: 'Healthcare', word: 'Medika', weight: 0.04 },
  { sector: 'Industrials', word: 'Industri', weight: 0.07 },
  { sector: 'Infrastructures', word: 'Prasarana', weight: 0.07 },
  { sector: 'Properties & Real Estate', word: 'Properti', weight: 0.1 },
  { sector: 'Technology', word: 'Teknologi', weight: 0.05 },
  { sector: 'Transportation & Logistic', word: 'Logistik', weight: 0.07 },
];

const VOWELS = ['A', 'E', 'I', 'O', 'U'];
const CONSONANTS = [...'BCDFGHJKLMNPRSTVWXYZ'];

/**
 * Every invented code: four letters that start with Q. No listed company has such a code, so none is mistaken for a real one.
 * Pronounceable codes (QABA) come first.
 */
export const TICKER_CODES: readonly string[] = [
  ...VOWELS.flatMap((a) => CONSONANTS.flatMap((b) => VOWELS.map((c) => `Q${a}${b}${c}`))),
  ...VOWELS.flatMap((a) => CONSONANTS.flatMap((b) => CONSONANTS.map((c) => `Q${a}${b}${c}`))),
];

const DIGITS = ['', 'Satu', 'Dua', 'Tiga', 'Empat', 'Lima', 'Enam', 'Tujuh', 'Delapan', 'Sembilan'];

/** An Indonesian number word, 1..999. */
export function numeral(value: number): string {
  if (value >= 100)
    return spaced(value < 200 ? 'Seratus' : `${DIGITS[Math.floor(value / 100)]} Ratus`, value % 100);
  if (value >= 20) return spaced(`${DIGITS[Math.floor(value / 10)]} Puluh`, value % 10);
  if (value >= 12) return `${DIGITS[value - 10]} Belas`;
  return DIGITS[value] ?? (value === 10 ? 'Sepuluh' : 'Sebelas');
}

function spaced(head: string, rest: number): string {
  return rest === 0 ? head : `${head} ${numeral(rest)}`;
}

/** The name of the n-th company (from 1) of a sector. The name itself says that the company is invented. */
export function companyName(sector: number, n: number): string {
  return `Contoh ${SECTORS[sector]!.word} ${numeral(n)} Tbk (sintetis)`;
}

/** A change of share capital that falls on a day of the span (index into the calendar). */
export interface CorporateAction {
  kind: 'split' | 'reverse_split' | 'rights';
  day: number;
  /** New shares per old share: 5 for a 1:5 split, 0.1 for a 10:1 reverse split, 1.25 for one new on four old. */
  ratio: number;
}

/** The listing of a company: from when until when, and the events that affect it. */
export interface ListingPlan {
  index: number;
  ticker: string;
  name: string;
  sectorIndex: number;
  sector: string;
  board: string;
  /** ISO; inside the span for an initial public offering. */
  listedOn: string;
  /** 0..1, spread evenly over the market. */
  liquidityRank: number;
  /** First day with a row, and the day after the last, as indices into the calendar. */
  firstDay: number;
  endDay: number;
  /** The day from which it no longer trades (long suspension); null for nearly all companies. */
  dormantFrom: number | null;
  action: CorporateAction | null;
}

/** Shares of companies with each event: enough for every kind to occur in a market of a few dozen. */
const IPO_SHARE = 0.06;
const DELISTED_SHARE = 0.02;
const DORMANT_SHARE = 0.08;
const SPLIT_SHARE = 0.05;
const REVERSE_SPLIT_SHARE = 0.02;
const RIGHTS_SHARE = 0.04;
const SPLIT_RATIOS = [2, 4, 5, 10];
const REVERSE_SPLIT_RATIOS = [1 / 5, 1 / 10];
const RIGHTS_RATIOS = [1.1, 1.25, 1.5];
const FIRST_LISTING = epochDayFromIso('1990-01-01');

export function listingPlans(seed: number, tickers: number, dates: readonly string[]): ListingPlan[] {
  if (tickers > TICKER_CODES.length)
    throw new RangeError(`at most ${TICKER_CODES.length} tickers, got ${tickers}`);
  const random = new Random(seed, STREAMS.listing);
  const pool = tickers <= 500 ? 500 : TICKER_CODES.length;
  const codes = Array.from(random.permutation(pool).subarray(0, tickers), (i) => TICKER_CODES[i]!).sort();
  const ranks = random.permutation(tickers);
  const sectorIndices = sectorsOf(random, tickers);
  const perSector = new Array<number>(SECTORS.length).fill(0);
  const plans = codes.map((ticker, index): ListingPlan => {
    const liquidityRank = (ranks[index]! + 0.5) / tickers;
    const sectorIndex = sectorIndices[index]!;
    perSector[sectorIndex]!++;
    return {
      index,
      ticker,
      name: companyName(sectorIndex, perSector[sectorIndex]!),
      sectorIndex,
      sector: SECTORS[sectorIndex]!.sector,
      board: boardOf(random, liquidityRank),
      listedOn: isoFromEpochDay(FIRST_LISTING + random.below(epochDayFromIso(dates[0]!) - FIRST_LISTING)),
      liquidityRank,
      firstDay: 0,
      endDay: dates.length,
      dormantFrom: null,
      action: null,
    };
  });
  planEvents(new Random(seed, STREAMS.events), plans, dates);
  return plans;
}

/** Sectors in random order. Each occurs as often as its weight says, so that no sector is missing by chance. */
function sectorsOf(random: Random, tickers: number): number[] {
  const bounds: number[] = [];
  for (const { weight } of SECTORS) bounds.push((bounds.at(-1) ?? 0) + weight);
  return Array.from(random.permutation(tickers), (place) => {
    const found = bounds.findIndex((bound) => (place + 0.5) / tickers < bound);
    return found < 0 ? SECTORS.length - 1 : found;
  });
}

function boardOf(random: Random, liquidityRank: number): string {
  const draw = random.uniform();
  if (draw < 0.14 * (1 - liquidityRank)) return 'Pemantauan Khusus';
  if (draw > 1 - 0.06 * (1 - liquidityRank)) return 'Akselerasi';
  return random.chance(0.15 + 0.75 * liquidityRank) ? 'Utama' : 'Pengembangan';
}

function planEvents(random: Random, plans: ListingPlan[], dates: readonly string[]): void {
  const days = dates.length;
  const dayWithin = (from: number, to: number) => Math.floor(days * random.between(from, to));
  const some = (share: number) => draw(random, plans, share);
  for (const plan of some(IPO_SHARE)) {
    plan.firstDay = dayWithin(0.1, 0.85);
    plan.listedOn = dates[plan.firstDay]!;
  }
  const lessTraded = plans.filter((plan) => plan.liquidityRank < 0.7);
  for (const plan of draw(random, lessTraded, DORMANT_SHARE / 0.7)) plan.dormantFrom = dayWithin(0.4, 0.97);
  for (const plan of draw(random, lessTraded, DELISTED_SHARE / 0.7)) plan.endDay = dayWithin(0.88, 0.99);
  const actionOf = (kind: CorporateAction['kind'], ratios: number[]) => (plan: ListingPlan) => {
    plan.action = { kind, day: dayWithin(0.1, 0.9), ratio: ratios[random.below(ratios.length)]! };
  };
  some(RIGHTS_SHARE).forEach(actionOf('rights', RIGHTS_RATIOS));
  some(REVERSE_SPLIT_SHARE).forEach(actionOf('reverse_split', REVERSE_SPLIT_RATIOS));
  some(SPLIT_SHARE).forEach(actionOf('split', SPLIT_RATIOS));
}

/** A random sample of the given share of the plans, rounded to whole companies. */
function draw(random: Random, plans: readonly ListingPlan[], share: number): ListingPlan[] {
  const count = Math.round(plans.length * share);
  return Array.from(random.permutation(plans.length).subarray(0, count), (i) => plans[i]!);
}
