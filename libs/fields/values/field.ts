import type { RuleField } from '../field-type.ts';
import type { FieldInputs, OfStock, Stock } from './stock.ts';

/** A text in Indonesian and English. */
export interface Words {
  readonly id: string;
  readonly en: string;
}

/** What a field is computed from, beside the bars of the stock. */
const INPUTS = [
  /** Summaries of broker rows; `BrokerDays`. Without them the field is null. */
  'broker_days',
  /** The list of stocks with sectors, boards and listing days. */
  'listing',
  /** The bars of all stocks. */
  'market',
  /** Values that the operator imports; `FactHistory`. */
  'facts',
  /** What the daily runs of models said; `ModelResultDays`. */
  'model_results',
] as const;
type Input = (typeof INPUTS)[number];

/** A figure of a stock on a day, declared once for rules, documents and computation. */
export interface Field extends RuleField {
  /** snake_case; a number is a window. A dot joins the id of a model and a figure of its result. */
  readonly name: string;
  /** A noun phrase. */
  readonly label: Words;
  /** In terms of bars and other fields. */
  readonly formula: string;
  /** What the formula leaves open. */
  readonly note?: Words;
  /** Who described the figure, or what it is taken from. */
  readonly source: string;
  /** When the field is null; see `withoutTrade` for days without a trade. A stock without a row on the day has no fields at all. */
  readonly nullMeans: Words;
  /** Traded days that a stock needs for its first value, that of the value included; 0 if it needs none. */
  readonly daysNeeded: number;
  /**
   * Days of the window that a value describes, its own included: traded days for prices, exchange days for money and the market. A
   * recursive average has that of its first value. Null for what no window makes: facts, results, the listing, and flags and states.
   */
  readonly readsDays: number | null;
  /** Calendar index of the first day of the window that a value of a panel row describes, where no number of days says it. */
  readonly firstDayRead?: (stock: Stock, row: number) => number;
  /** First day with values (YYYY-MM-DD), whatever the bars. */
  readonly since?: string;
  readonly needs: readonly Input[];
  /** By which corporate actions restate an earlier value: prices for one share, or numbers of shares. */
  readonly restatedAs?: 'price' | 'shares';
  /** Microseconds to compute one value, for estimates; most take a fifth. */
  readonly computeUs: number;
  /** For a text field without `values`, because they depend on the dataset: the text for a number of `of`. */
  readonly textOf?: (value: number, inputs: FieldInputs) => string;
  /**
   * One value for each wanted row of the stock, computed from that row and earlier ones: a number, 0 or 1 for false and true, or
   * for texts, the index of the value among `values`, or a number that `textOf` knows. NaN is null. Prices are those of their own day.
   */
  readonly of: OfStock;
}

/** Why a value is missing, in the order of likelihood. */
export const NULL_MEANS = {
  never: { id: 'Tidak pernah kosong.', en: 'Never null.' },
  short_history: {
    id: 'Riwayat perdagangan saham belum cukup panjang.',
    en: 'The stock has not traded for long enough.',
  },
  short_history_or_flat: {
    id: 'Riwayat perdagangan saham belum cukup panjang, atau harganya tidak pernah bergerak.',
    en: 'The stock has not traded for long enough, or its price never moved.',
  },
  untraded: { id: 'Saham belum pernah diperdagangkan.', en: 'The stock has never traded.' },
  no_trade_on_day: {
    id: 'Saham tidak diperdagangkan pada hari itu.',
    en: 'The stock did not trade on the day.',
  },
  no_trade_in_window: {
    id: 'Tidak ada transaksi pada jangka waktu itu, atau tidak ada sumber yang menyatakan datanya untuk salah satu harinya.',
    en: 'Nothing was traded in the window, or no source says what it needs of one of its days.',
  },
  unsaid: {
    id: 'Tidak ada sumber yang menyatakan datanya untuk hari itu, atau salah satu hari yang diperlukannya.',
    en: 'No source says what it needs of the day, or of one of the days.',
  },
  no_reference: {
    id: 'Tidak ada sumber yang memberi harga acuan, dan hari bursa sebelumnya tidak memuat saham itu.',
    en: 'No source gives the reference price, and the stock has no row on the trading day before.',
  },
  young_listing: {
    id: 'Saham belum tercatat selama jangka waktu itu.',
    en: 'The stock has not been listed for the whole window.',
  },
  unknown_shares: {
    id: 'Jumlah saham tercatat tidak diketahui.',
    en: 'The number of listed shares is not known.',
  },
  no_negotiated_trade: {
    id: 'Tidak ada transaksi negosiasi pada jangka waktu itu, harganya di bawah separuh atau di atas dua kali penutupan, atau tidak ada sumber yang menyatakannya untuk salah satu hari.',
    en: 'There was no negotiated trade in the window, their price was under half or over twice the closes, or no source says them of one of the days.',
  },
  no_broker_rows: {
    id: 'Data broker tidak lengkap pada hari dengan transaksi di jangka waktu itu.',
    en: 'Broker rows of a traded day in the window are missing or incomplete.',
  },
  no_broker_rows_or_trade: {
    id: 'Data broker tidak lengkap pada hari dengan transaksi di jangka waktu itu, atau tidak ada transaksi.',
    en: 'Broker rows of a traded day in the window are missing or incomplete, or nothing was traded in it.',
  },
  not_in_listing: {
    id: 'Daftar saham tidak memuatnya untuk hari itu.',
    en: 'The list of stocks does not say for that day.',
  },
} as const satisfies Record<string, Words>;

/** What any field says that compares numbers of shares, or is the value of all of them. */
export function orUnknownShares({ id, en }: Words): Words {
  return {
    id: `${id} Juga bila harga telah disesuaikan untuk saham bonus, hak atau pemecahan yang saham barunya belum tercatat.`,
    en: `${en} Also while prices are restated for bonus shares, rights or a split whose new shares are not listed yet.`,
  };
}

/** What any field says that is null on a day without a trade. */
const WITHOUT_TRADE: Words = {
  id: 'Juga bila saham tidak diperdagangkan pada hari itu.',
  en: 'Also if the stock did not trade on the day.',
};

/**
 * The rule of a day on which a stock did not trade, for every field. What describes the trading of the day, or of the days that the
 * stock traded up to it, is null, since it would be taken for that day's. Everything else has a value: windows of exchange days, and of a
 * year of the calendar, end on the day; prices and shares of the last trade stand; facts, flags and results are those of the day.
 */
function withoutTrade(nullMeans: Words, { isOfTradedDays }: OfStock): Words {
  if (!isOfTradedDays || nullMeans === NULL_MEANS.no_trade_on_day) return nullMeans;
  if (nullMeans === NULL_MEANS.untraded) return NULL_MEANS.no_trade_on_day;
  return { id: `${nullMeans.id} ${WITHOUT_TRADE.id}`, en: `${nullMeans.en} ${WITHOUT_TRADE.en}` };
}

/** What any field says whose window may reach across missing days; see `valuesOf`. */
const ACROSS_MISSING_DAYS: Words = {
  id: 'bila jangka waktunya melewati hari bursa yang datanya tidak ada.',
  en: 'if its window reaches across a trading day that the data lack.',
};

function acrossMissingDays({ nullMeans, readsDays, firstDayRead }: Field): Words {
  if (!firstDayRead && (readsDays ?? 1) <= 1) return nullMeans;
  const { id, en } = ACROSS_MISSING_DAYS;
  return nullMeans === NULL_MEANS.never
    ? { id: `Hanya ${id}`, en: `Only ${en}` }
    : { id: `${nullMeans.id} Juga ${id}`, en: `${nullMeans.en} Also ${en}` };
}

/** Declares a field with the defaults that most fields share. */
export function field(
  declared: Pick<Field, 'name' | 'label' | 'unit' | 'formula' | 'source' | 'of'> & Partial<Field>,
): Field {
  const complete: Field = {
    type: 'number',
    daysNeeded: 1,
    readsDays: declared.daysNeeded ?? 1,
    needs: [],
    computeUs: 0.2,
    ...(declared.unit === 'idr_per_share' && { restatedAs: 'price' as const }),
    ...declared,
    nullMeans: withoutTrade(declared.nullMeans ?? NULL_MEANS.short_history, declared.of),
  };
  return { ...complete, nullMeans: acrossMissingDays(complete) };
}
