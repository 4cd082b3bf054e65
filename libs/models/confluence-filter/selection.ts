import type { BrokerFlow } from '#quant/broker-rows/broker-flow.ts';
import {
  CONFLUENCE_SIGNALS,
  type ConfluenceReading,
  confluenceSeries,
  type ConfluenceSeries,
  type ConfluenceSignal,
  readConfluence,
} from '#quant/indicators/confluence.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { tradedSeries, type TradedSeries } from '#quant/panel/traded-series.ts';
import { type Candidate, candidates, closedAtUpperLimit } from '#quant/universe/candidates.ts';
import { Localised, joined, localised } from '#foundation/text/localised.ts';
import type { Formats } from '#foundation/text/languages.ts';
import {
  above,
  below,
  days,
  type Filter,
  liquidityFilters,
  shown,
  signalsFilter,
  switched,
} from '../picks/empty-block.ts';
import { toDecimals } from '#foundation/rounded.ts';
import { atLeast, unlessSwitchedOff } from '../picks/funnel.ts';
import { liquidStep } from '../picks/ranking.ts';
import { type Rules, Selection } from '../picks/selection.ts';
import { type ConfluenceParams, params as declared } from './params.ts';
import type { ConfluenceFunnel } from './result.ts';
import { type SellerRule, sellerVerdict, type SellerVerdict } from './seller-filter.ts';

/** A stock with the signals that fired in its lookback. */
export interface Hit {
  stock: Candidate;
  reading: ConfluenceReading;
}

type ConfluenceSelection = Selection<
  Candidate,
  ConfluenceParams,
  Hit,
  'total_liquid' | 'total_hits' | 'after_seller_filter'
>;
type ConfluenceRules = Rules<
  Candidate,
  ConfluenceParams,
  Hit,
  'total_liquid' | 'total_hits' | 'after_seller_filter'
>;

/** Readings of a day, by ticker (index) and settings. More than this are those of settings that no run repeats. */
const MOST_READINGS = 10_000;

/**
 * Readings of the day of each market that was asked for last. Runs mostly ask for the newest day with the same settings; the series
 * of every stock, which they are read from, would be too many to keep.
 */
const asked = new WeakMap<Panel, { day: number; readings: Map<string, ConfluenceReading> }>();

function knownReadings(panel: Panel, day: number): Map<string, ConfluenceReading> {
  const known = asked.get(panel);
  if (known?.day === day && known.readings.size < MOST_READINGS) return known.readings;
  const readings = new Map<string, ConfluenceReading>();
  asked.set(panel, { day, readings });
  return readings;
}

/**
 * One day's market as the confluence filter sees it. Series, signals and sellers of a stock are computed once, so trying other
 * parameters for the suggestions is cheap.
 */
export class ConfluenceMarket {
  readonly #panel: Panel;
  readonly #brokerFlow: BrokerFlow;
  readonly #day: number;
  readonly #candidates: Candidate[];
  /** Codes of the names that could not be bought because they closed at their upper limit. */
  readonly unbuyable: readonly string[];
  readonly #candidateOf: ReadonlyMap<number, Candidate>;
  readonly #steps: ConfluenceRules['steps'] = [
    liquidStep(),
    {
      name: 'total_hits',
      conditions: [atLeast('min_signals', (stock, params) => this.read(stock, params).reading.count)],
    },
    {
      name: 'after_seller_filter',
      conditions: [
        unlessSwitchedOff('seller_filter', (stock, params) => !this.#sellersOf(stock, params).isSoldOff),
      ],
    },
  ];
  readonly #readings: Map<string, ConfluenceReading>;
  readonly #series = new Map<number, TradedSeries>();
  readonly #signals = new Map<string, ConfluenceSeries>();
  readonly #sellers = new Map<string, SellerVerdict>();

  constructor(panel: Panel, brokerFlow: BrokerFlow, day: number) {
    this.#panel = panel;
    this.#brokerFlow = brokerFlow;
    this.#day = day;
    this.#readings = knownReadings(panel, day);
    const [buyable, unbuyable] = parted(
      candidates(panel, day),
      ({ ticker }) => !closedAtUpperLimit(panel, ticker, panel.rowAt(ticker, day)),
    );
    this.#candidates = buyable;
    this.unbuyable = unbuyable.map(({ code }) => code);
    this.#candidateOf = new Map(this.#candidates.map((stock) => [stock.ticker, stock]));
  }

  select(params: ConfluenceParams): ConfluenceSelection {
    return new Selection(this.#candidates, params, (tried) => ({
      steps: this.#steps,
      rank: (passing) => passing.map((stock) => this.read(stock, tried)).toSorted(strongestFirst),
    }));
  }

  /** The rule by which names with enough signals were judged; `none` without such names or without the filter. */
  sellerRuleOf({ lists, params }: ConfluenceSelection): SellerRule | 'mixed' {
    if (!params.seller_filter) return 'none';
    const rules = new Set(lists[2]!.map((stock) => this.#sellersOf(stock, params).rule));
    rules.delete('none');
    const [rule, ...others] = rules;
    return others.length > 0 ? 'mixed' : (rule ?? 'none');
  }

  /** A name of the day by its ticker (index), whatever its signals; undefined if it is not a candidate. */
  hitOf(ticker: number, params: ConfluenceParams): Hit | undefined {
    const stock = this.#candidateOf.get(ticker);
    return stock && this.read(stock, params);
  }

  read(stock: Candidate, { lookback, vol_ratio_min }: ConfluenceParams): Hit {
    const key = `${stock.ticker}/${lookback}/${vol_ratio_min}`;
    let reading = this.#readings.get(key);
    if (!reading) {
      const { signals, lastBar } = this.#signalsOf(stock, vol_ratio_min);
      reading = readConfluence(signals, lastBar, lookback);
      this.#readings.set(key, reading);
    }
    return { stock, reading };
  }

  seriesOf({ ticker }: Candidate): TradedSeries {
    const series = this.#series.get(ticker) ?? tradedSeries(this.#panel, ticker, this.#day);
    this.#series.set(ticker, series);
    return series;
  }

  #signalsOf(stock: Candidate, volumeRatioMin: number): { signals: ConfluenceSeries; lastBar: number } {
    const key = `${stock.ticker}/${volumeRatioMin}`;
    const series = this.seriesOf(stock);
    const signals = this.#signals.get(key) ?? confluenceSeries(series, volumeRatioMin);
    this.#signals.set(key, signals);
    return { signals, lastBar: series.close.length - 1 };
  }

  #sellersOf(stock: Candidate, { seller_lookback, seller_dominance }: ConfluenceParams): SellerVerdict {
    const window = { days: seller_lookback, dominance: seller_dominance };
    const key = `${stock.ticker}/${seller_lookback}/${seller_dominance}`;
    const verdict =
      this.#sellers.get(key) ?? sellerVerdict(this.#panel, this.#brokerFlow, stock.ticker, this.#day, window);
    this.#sellers.set(key, verdict);
    return verdict;
  }
}

function parted<T>(all: readonly T[], belongs: (one: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((one) => !belongs(one))];
}

/** More signals first, then the larger volume ratio, then the ticker, so the order is deterministic. */
export function strongestFirst(a: Hit, b: Hit): number {
  return (
    b.reading.count - a.reading.count ||
    (b.reading.volumeRatio || 0) - (a.reading.volumeRatio || 0) ||
    (a.stock.code < b.stock.code ? -1 : 1)
  );
}

const FILTERS: readonly Filter<ConfluenceParams>[] = [
  signalsFilter,
  {
    label: new Localised('Rentang hari sinyal', 'Days that a signal counts'),
    looser: (params) =>
      above(params.lookback, [2, 3, 4, 5, 6, 7, 8, 9, 10]).map((lookback) => ({ lookback })),
    show: ({ lookback }) => days(lookback),
  },
  {
    label: new Localised('Kelipatan volume minimum', 'Lowest multiple of volume'),
    looser: (params) =>
      below(params.vol_ratio_min, [4, 3, 2.5, 2, 1.75, 1.5, 1.25, 1]).map((vol_ratio_min) => ({
        vol_ratio_min,
      })),
    show: ({ vol_ratio_min }) => shown(({ exact }) => `${exact(vol_ratio_min)}x`),
  },
  {
    label: new Localised('Saringan penjual', 'Seller filter'),
    looser: ({ seller_filter }) => (seller_filter ? [{ seller_filter: false }] : []),
    show: ({ seller_filter }) => switched(seller_filter),
  },
  ...liquidityFilters(declared.min_price),
];

export function funnelOf({ funnel }: ConfluenceSelection): ConfluenceFunnel {
  return { ...funnel, after_signals: funnel.total_hits };
}

/** Why a run of model D has no picks. */
export function whyNone(selection: ConfluenceSelection) {
  const { min_signals, seller_filter } = selection.params;
  const [hits, passing] = [selection.lists[2]!.length, selection.requested.length];
  return {
    id: ({ plain }: Formats) =>
      `${plain(hits)} memiliki minimal ${min_signals} sinyal` +
      (seller_filter ? ` dan ${plain(passing)} di antaranya lolos saringan penjual` : ''),
    en: ({ plain }: Formats) =>
      `${plain(hits)} have at least ${min_signals} ${min_signals === 1 ? 'signal' : 'signals'}` +
      (seller_filter ? `, and ${plain(passing)} of them passed the seller filter` : ''),
    filters: FILTERS,
    funnel: funnelOf(selection),
  };
}

/** The display text of each signal. */
const DETAIL: Record<ConfluenceSignal, (reading: Hit['reading']) => Localised> = {
  stochastic: () =>
    new Localised(
      'Stochastic memotong ke atas dari area jenuh jual',
      'Stochastic crosses up out of the oversold zone',
    ),
  macd: () => new Localised('Histogram MACD berbalik positif', 'The MACD histogram turns positive'),
  ma_cross: () => new Localised('MA5 menembus MA20', 'MA5 crosses above MA20'),
  volume: volumeDetail,
};

const NO_SIGNAL = new Localised('-', '-');

/** Names the day of a ratio that is not of the analysed day, because `Vol Ratio` beside it is. */
function volumeDetail({ barsAgo, volumeRatio }: Hit['reading']): Localised {
  const ago = barsAgo.volume ?? 0;
  const id = ago === 0 ? '' : ` (${ago} hari perdagangan sebelumnya)`;
  const en = ago === 0 ? '' : ` (${ago} ${ago === 1 ? 'day' : 'days'} of trading earlier)`;
  return localised(
    ({ plain }) => `Volume ${plain(toDecimals(volumeRatio, 1))}x rata-rata 20 hari${id}`,
    ({ plain }) => `Volume ${plain(toDecimals(volumeRatio, 1))}x its average of 20 days${en}`,
  );
}

export function signalDetail(reading: Hit['reading']): Localised {
  const fired = CONFLUENCE_SIGNALS.filter((signal) => reading.barsAgo[signal] !== null);
  if (fired.length === 0) return NO_SIGNAL;
  return joined(
    fired.map((signal) => DETAIL[signal](reading)),
    '; ',
  );
}
