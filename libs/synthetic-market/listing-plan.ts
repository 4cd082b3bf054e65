import { epochDayFromIso, isoFromEpochDay } from '#foundation/iso-day.ts';
import { Random } from '#quant/random.ts';
import { planEvents, planWindow, WINDOW_DAYS, type PlannedEvents } from './market-events.ts';
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

const PRONOUNCEABLE = VOWELS.flatMap((a) => CONSONANTS.flatMap((b) => VOWELS.map((c) => `Q${a}${b}${c}`)));

/**
 * Every invented code: four letters that start with Q. No listed company has such a code, so none is mistaken for a real one.
 * Pronounceable codes (QABA) come first.
 */
export const TICKER_CODES: readonly string[] = [
  ...PRONOUNCEABLE,
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

/** The listing of a company: from when until when, and the events that affect it. */
export interface ListingPlan extends PlannedEvents {
  index: number;
  ticker: string;
  name: string;
  sectorIndex: number;
  sector: string;
  board: string;
  /** ISO; inside the span for an initial public offering. */
  listedOn: string;
}

/** What a generated market is made from, together with its calendar. */
export interface PlannedMarket {
  /** A whole number, 0 to 2^32 - 1. */
  seed: number;
  /** Companies of the planned days. */
  tickers: number;
  /**
   * Trading days that the market was first made for. The events of a company are spread over them. Later days get theirs from
   * one window after the other, so that a market that goes on keeps its past.
   */
  plannedDays: number;
}

const FIRST_LISTING = epochDayFromIso('1990-01-01');

/**
 * The companies that are listed on some day of the calendar, by ascending code. A longer calendar adds companies. Of a company
 * it changes only the day on which it leaves, if that is one of the added days.
 */
export function listingPlans(market: PlannedMarket, dates: readonly string[]): ListingPlan[] {
  const { seed, tickers, plannedDays } = market;
  if (tickers > TICKER_CODES.length)
    throw new RangeError(`at most ${TICKER_CODES.length} tickers, got ${tickers}`);
  const random = new Random(seed, STREAMS.listing);
  const codes = codesInOrder(random, tickers);
  const plans = firstPlans(random, codes.slice(0, tickers).sort(), dates[0]!);
  planEvents(seed, plans, plannedDays);
  for (let firstDay = plannedDays, window = 0; firstDay < dates.length; firstDay += WINDOW_DAYS, window++) {
    const listings = planWindow(seed, plans, { window, firstDay });
    // A market that has used all codes sees no further listings.
    for (const day of listings.slice(0, codes.length - plans.length)) {
      plans.push(newcomer(seed, plans, { ticker: codes[plans.length]!, firstDay: day }));
    }
  }
  return plans
    .filter(({ firstDay }) => firstDay < dates.length)
    .map((plan) => withinCalendar(plan, dates))
    .sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
}

function withinCalendar(plan: ListingPlan, dates: readonly string[]): ListingPlan {
  return {
    ...plan,
    listedOn: plan.firstDay > 0 ? dates[plan.firstDay]! : plan.listedOn,
    endDay: Math.min(plan.endDay, dates.length),
    actions: plan.actions.toSorted((a, b) => a.day - b.day),
  };
}

/** Every code: first those of the planned days, then those that later listings take one after the other. */
function codesInOrder(random: Random, tickers: number): string[] {
  const drawn = tickers > PRONOUNCEABLE.length ? TICKER_CODES.length : PRONOUNCEABLE.length;
  return [...Array.from(random.permutation(drawn), (i) => TICKER_CODES[i]!), ...TICKER_CODES.slice(drawn)];
}

function firstPlans(random: Random, codes: readonly string[], firstDate: string): ListingPlan[] {
  const ranks = random.permutation(codes.length);
  const sectorIndices = sectorsOf(random, codes.length);
  const plans: ListingPlan[] = [];
  for (const [index, ticker] of codes.entries()) {
    const liquidityRank = (ranks[index]! + 0.5) / codes.length;
    const board = boardOf(random, liquidityRank);
    const listedFor = random.below(epochDayFromIso(firstDate) - FIRST_LISTING);
    const listedOn = isoFromEpochDay(FIRST_LISTING + listedFor);
    const sectorIndex = sectorIndices[index]!;
    plans.push(planOf(plans, { ticker, sectorIndex, board, liquidityRank, listedOn, firstDay: 0 }));
  }
  return plans;
}

/** A company that lists after the planned days. */
function newcomer(
  seed: number,
  plans: readonly ListingPlan[],
  listing: Pick<ListingPlan, 'ticker' | 'firstDay'>,
): ListingPlan {
  const random = new Random(seed, STREAMS.laterListing, plans.length);
  const liquidityRank = random.uniform();
  const sectorIndex = sectorAt(random.uniform());
  const board = boardOf(random, liquidityRank);
  return planOf(plans, { ...listing, sectorIndex, board, liquidityRank, listedOn: '' });
}

type Listing = Pick<
  ListingPlan,
  'ticker' | 'sectorIndex' | 'board' | 'liquidityRank' | 'listedOn' | 'firstDay'
>;

/** The plan of the company after `plans`, without events. */
function planOf(plans: readonly ListingPlan[], listing: Listing): ListingPlan {
  const { sectorIndex } = listing;
  const before = plans.filter((plan) => plan.sectorIndex === sectorIndex).length;
  return {
    ...listing,
    index: plans.length,
    name: companyName(sectorIndex, before + 1),
    sector: SECTORS[sectorIndex]!.sector,
    endDay: Infinity,
    dormantFrom: null,
    actions: [],
  };
}

/** Sectors in random order. Each occurs as often as its weight says, so that no sector is missing by chance. */
function sectorsOf(random: Random, tickers: number): number[] {
  return Array.from(random.permutation(tickers), (place) => sectorAt((place + 0.5) / tickers));
}

/** The index of the sector at a place in 0..1, each as wide as its weight. */
function sectorAt(place: number): number {
  let bound = 0;
  const found = SECTORS.findIndex(({ weight }) => place < (bound += weight));
  return found < 0 ? SECTORS.length - 1 : found;
}

function boardOf(random: Random, liquidityRank: number): string {
  const draw = random.uniform();
  if (draw < 0.14 * (1 - liquidityRank)) return 'Pemantauan Khusus';
  if (draw > 1 - 0.06 * (1 - liquidityRank)) return 'Akselerasi';
  return random.chance(0.15 + 0.75 * liquidityRank) ? 'Utama' : 'Pengembangan';
}
