import type { Panel } from '#quant/panel/panel.ts';
import { MARKETS, type BrokerFlow, type FlowBrokers } from '#quant/broker-rows/broker-flow.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';

/** Broker rows of all tickers and both markets in memory, with their origin. */
export interface LoadedFlow {
  panel: Panel;
  flow: BrokerFlow;
  segments: readonly string[];
}

/** Consecutive groups, in the held rows and in the rows to be filled. */
interface GroupRange {
  heldGroup: number;
  group: number;
  count: number;
}

/** Consecutive days in both calendars. */
interface DayRun {
  heldDay: number;
  day: number;
  count: number;
}

/**
 * The part of the rows in memory that can be reused: whole months with the same segment in both versions. Their rows are the
 * same; only their places and the numbers of tickers, days and brokers may differ.
 */
export class SharedMonths {
  readonly held: LoadedFlow;
  /** Segments that need not be read. */
  readonly segments: readonly string[];
  readonly #panel: Panel;
  readonly #span: DaySpan;
  readonly #runs: DayRun[];

  /** @param segments of the rows to be filled, `YYYY-MM.…` */
  constructor(held: LoadedFlow, panel: Panel, span: DaySpan, segments: readonly string[]) {
    this.held = held;
    this.#panel = panel;
    this.#span = span;
    const heldFrom = held.panel.columns.dates[held.flow.columns.firstDay] ?? '9999';
    const wantedFrom = panel.columns.dates[span.firstDay] ?? '';
    this.segments = segments.filter((segment) => {
      const monthFrom = `${segment.slice(0, 7)}-01`;
      const isHeldWhole = heldFrom <= (monthFrom > wantedFrom ? monthFrom : wantedFrom);
      return isHeldWhole && held.segments.includes(segment);
    });
    this.#runs = this.#findRuns();
  }

  /** Number of each held broker in another list of brokers; out of range if the list lacks it. */
  brokerNumbers({ codes }: FlowBrokers): Uint16Array {
    const numbers = new Map(codes.map((code, number) => [code, number]));
    return Uint16Array.from(
      this.held.flow.columns.brokers.codes,
      (code) => numbers.get(code) ?? codes.length,
    );
  }

  /** All groups of the shared months, for stocks that both panels have. */
  *ranges(): Generator<GroupRange> {
    const { flow, panel: panelCache } = this.held;
    const { firstDay, lastDay } = this.#span;
    const dayCount = lastDay + 1 - firstDay;
    for (const [marketNumber, market] of MARKETS.entries()) {
      for (const [ticker, code] of this.#panel.columns.tickers.entries()) {
        const heldTicker = panelCache.tickerIndex(code);
        if (heldTicker < 0) continue;
        const firstGroup = (marketNumber * this.#panel.tickerCount + ticker) * dayCount;
        for (const { heldDay, day, count } of this.#runs) {
          const heldGroup = flow.group(market, heldTicker, heldDay);
          yield { heldGroup, group: firstGroup + day - firstDay, count };
        }
      }
    }
  }

  #findRuns(): DayRun[] {
    const { panel, flow } = this.held;
    const months = new Set(this.segments.map((segment) => segment.slice(0, 7)));
    const heldDays = new Map(panel.columns.dates.map((date, day) => [date, day]));
    const runs: DayRun[] = [];
    for (let day = this.#span.firstDay; day <= this.#span.lastDay; day++) {
      const date = this.#panel.columns.dates[day]!;
      const heldDay = heldDays.get(date);
      if (heldDay === undefined || !flow.holds(heldDay) || !months.has(date.slice(0, 7))) continue;
      const run = runs.at(-1);
      const isNext = run && run.day + run.count === day && run.heldDay + run.count === heldDay;
      if (isNext) run.count++;
      else runs.push({ heldDay, day, count: 1 });
    }
    return runs;
  }
}
