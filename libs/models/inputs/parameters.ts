import { Localised } from '#foundation/text/localised.ts';
import type { Static, TUnsafe } from 'typebox';

/**
 * Parameters of models: JSON Schema with the static type of the allowed values. Only TypeBox's types are used, and the schemas
 * are written out by hand: every worker thread and the models service read them, and loading the library would cost each of
 * them 10 MB and a tenth of a second at start.
 */

/** The fields that every parameter declares. */
interface Declared<T> {
  /** Used when the parameter is omitted. */
  default: T;
  /** What the parameter is called where people set it. */
  label: Localised;
  /** What the parameter does, for display. Not a JSON Schema keyword, because a schema's description is a single text. */
  meaning: Localised;
}

interface Bounds {
  minimum: number;
  maximum: number;
}

/** One parameter: its JSON Schema and, as a type, the values it allows. */
export type Parameter<T = unknown> = TUnsafe<T> &
  Declared<T> & {
    type: 'integer' | 'number' | 'boolean' | 'string' | 'array';
    minimum?: number;
    maximum?: number;
    enum?: readonly T[];
    format?: typeof TRADING_DAY;
    items?: Item;
    minItems?: number;
    maxItems?: number;
  };

/** An item of an array parameter. */
export type Item<T = unknown> = TUnsafe<T> & {
  type: string;
  /** The error message for a disallowed item or member of an item. */
  mistake: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  pattern?: string;
  /** Members of an object; other members are refused. */
  properties?: Record<string, Item>;
  additionalProperties?: false;
  required?: string[];
  /** The alternatives among the members. */
  oneOf?: { required: string[] }[];
  /** The error message for an object with none or several of its alternatives. */
  notExactlyOne?: string;
};

/** Parameters by name, in the order in which they are shown. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** What every run may name besides the parameters of its model. */
export interface Requested {
  /** Upper-case codes of the stocks that may be picked. Absent if every stock may. */
  tickers?: readonly string[];
}

/** The parameters of a run, validated and with defaults filled in. */
export type ParamsOf<P extends Parameters> = Flat<{ [Name in keyof P]: Static<P[Name]> } & Requested>;

/** The format of a parameter that names a trading day. */
export const TRADING_DAY = 'trading-day';
const MAX_ITEMS = 100;
/** As many as the universe of a screen can name. */
const MAX_TICKERS = 1_000;

const parameter = <T>(schema: Omit<Parameter<T>, keyof TUnsafe<T>>) => schema as Parameter<T>;

type Bounded = Parameter<number> & Bounds;

export const integer = (schema: Declared<number> & Bounds) =>
  parameter<number>({ type: 'integer', ...schema }) as Bounded;

export const float = (schema: Declared<number> & Bounds) =>
  parameter<number>({ type: 'number', ...schema }) as Bounded;

export const boolean = (schema: Declared<boolean>) => parameter<boolean>({ type: 'boolean', ...schema });

/** One of these words. */
export const word = <const Word extends string>(
  options: readonly Word[],
  schema: Declared<NoInfer<Word>>,
): Parameter<Word> => parameter<Word>({ type: 'string', enum: options, ...schema });

/** One of these whole numbers. */
export const choice = <const N extends number>(
  options: readonly N[],
  schema: Declared<NoInfer<N>>,
): Parameter<N> => parameter<N>({ type: 'integer', enum: options, ...schema });

export const list = <T>(items: Item<T>, schema: Declared<T[]>) =>
  parameter<T[]>({ type: 'array', items, maxItems: MAX_ITEMS, ...schema });

const item = <T>(schema: Omit<Item<T>, keyof TUnsafe<T>>) => schema as Item<T>;

export const integerItem = (bounds: Bounds, mistake: string) =>
  item<number>({ type: 'integer', ...bounds, mistake });

export const numberItem = (bounds: Partial<Bounds> & { exclusiveMinimum?: number }, mistake: string) =>
  item<number>({ type: 'number', ...bounds, mistake });

export const textItem = (pattern: string, mistake: string) =>
  item<string>({ type: 'string', pattern, mistake });

type Members = Record<string, Item>;
type Flat<T> = { [Name in keyof T]: T[Name] };
type OneOf<Common extends Members, Alternatives extends Members> = {
  [One in keyof Alternatives]: Flat<
    { [Name in keyof Common]: Static<Common[Name]> } & { [Name in One]: Static<Alternatives[Name]> } & {
      [Name in Exclude<keyof Alternatives, One>]?: never;
    }
  >;
}[keyof Alternatives];

/** An object with the common members and exactly one of the alternatives. A null member counts as not sent. */
export function objectItem<Common extends Members, Alternatives extends Members>(
  common: Common,
  alternatives: Alternatives,
  mistakes: { mistake: string; notExactlyOne: string },
): Item<OneOf<Common, Alternatives>> {
  const oneOf = Object.keys(alternatives).map((name) => ({ required: [name] }));
  return item({
    type: 'object',
    properties: { ...common, ...alternatives },
    required: Object.keys(common),
    additionalProperties: false as const,
    oneOf,
    ...mistakes,
  });
}

/** The parameters of a run that sets none. A parameter whose default is null is then absent. */
export function defaultsOf<P extends Parameters>(parameters: P): ParamsOf<P> {
  const given = Object.entries(parameters).filter(([, schema]) => schema.default !== null);
  const defaults = given.map(([name, schema]) => [name, structuredClone(schema.default)]);
  return Object.fromEntries(defaults) as ParamsOf<P>;
}

/** Parameters that mean the same in every model that has them. */

export const analysisDate = parameter<string>({
  type: 'string',
  format: TRADING_DAY,
  default: 'today',
  label: new Localised('Hari analisis', 'Analysed day'),
  meaning: new Localised(
    'Tanggal analisis (YYYY-MM-DD) atau today. Model memakai data sampai hari bursa terakhir pada atau sebelum tanggal ini.',
    'Analysed day (YYYY-MM-DD), or today. The model uses data up to the last trading day on or before it.',
  ),
});

/**
 * The only parameter that every model has, and the only one without a default: an absent one leaves results as they were before
 * it existed.
 */
export const tickers = parameter<readonly string[] | null>({
  type: 'array',
  items: textItem('^(?=.*\\S).{1,64}$', 'must be a ticker, or `universe:` and the name of a universe'),
  minItems: 1,
  maxItems: MAX_TICKERS,
  default: null,
  label: new Localised('Saham yang boleh dipilih', 'Stocks that may be picked'),
  meaning: new Localised(
    'Saham yang boleh dipilih; universe:LQ45 berarti anggota indeks itu pada hari analisis. Model tetap belajar dari seluruh pasar dan memeringkat seluruh pasar. Tanpa parameter ini semua saham boleh dipilih.',
    'Stocks that may be picked; universe:LQ45 stands for the members of that index on the analysed day. The model still learns from the whole market and ranks all of it. Without this parameter every stock may be picked.',
  ),
});

export const minDailyVal = (defaultIdr: number) =>
  integer({
    default: defaultIdr,
    minimum: 100_000_000,
    maximum: 100_000_000_000,
    label: new Localised('Nilai transaksi harian minimum', 'Lowest daily value traded'),
    meaning: new Localised(
      'Rata-rata nilai transaksi harian minimum selama 20 hari bursa, dalam rupiah penuh.',
      'Minimum average daily traded value over 20 trading days, in rupiah.',
    ),
  });

export const minPrice = (bounds: { default: number } & Bounds) =>
  integer({
    ...bounds,
    label: new Localised('Harga minimum', 'Lowest price'),
    meaning: new Localised('Harga penutupan minimum dalam rupiah.', 'Lowest closing price, in rupiah.'),
  });

/** Percent. */
export const MIN_PROBABILITY = { minimum: 30, maximum: 100 };

export const minProbability = (defaultPct: number) =>
  float({
    default: defaultPct,
    ...MIN_PROBABILITY,
    label: new Localised('Probabilitas minimum', 'Lowest probability'),
    meaning: new Localised(
      'Skor probabilitas minimum dalam persen: peluang bahwa dua puluh transaksi dengan peluang menang saham ini memuat lebih banyak pemenang daripada dua puluh transaksi rata-rata. 50 berarti setara rata-rata; 65 kira-kira 1,2 kali dan 85 kira-kira 1,6 kali lebih sering menang.',
      'Lowest probability score, in percent: the chance that twenty trades with this stock’s chance of winning have more winners than twenty average ones. 50 is as likely as the average; 65 wins about 1.2 times and 85 about 1.6 times as often.',
    ),
  });

export const targetGain = (bounds: { default: number } & Bounds) =>
  float({
    ...bounds,
    label: new Localised('Target kenaikan', 'Target gain'),
    meaning: new Localised(
      'Target kenaikan harga sebagai pecahan; 0.10 berarti 10 persen.',
      'Target gain as a fraction; 0.10 is 10 percent.',
    ),
  });

export const stopLoss = float({
  default: 0.05,
  minimum: 0.02,
  maximum: 0.15,
  label: new Localised('Batas rugi', 'Stop loss'),
  meaning: new Localised(
    'Batas kerugian sebagai pecahan; 0.05 berarti 5 persen.',
    'Stop loss as a fraction; 0.05 is 5 percent.',
  ),
});

export const trainDays = integer({
  default: 500,
  minimum: 250,
  maximum: 1000,
  label: new Localised('Hari yang dipelajari', 'Days to learn from'),
  meaning: new Localised(
    'Jumlah hari bursa terakhir yang dipelajari model pada setiap perhitungan.',
    'Number of trading days that the model is trained on in each run.',
  ),
});

export const maxPicks = (bounds: { default: number; maximum: number }) =>
  integer({
    minimum: 1,
    ...bounds,
    label: new Localised('Jumlah pilihan terbanyak', 'Most picks'),
    meaning: new Localised('Jumlah saham terbanyak yang ditampilkan.', 'How many stocks are shown at most.'),
  });

/** A value of a parameter with which every run fails. */
export interface Hopeless {
  parameter: string;
  /** What the value must be instead, as in messages about a field. */
  mistake: string;
  /** What a run fails with. */
  reason: Localised;
}
