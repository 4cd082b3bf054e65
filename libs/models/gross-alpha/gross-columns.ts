import { FLOW_FEATURES, SHORT_FEATURES } from '#quant/broker-features/gross-features.ts';
import { GrossRanks } from '#quant/broker-features/gross-ranks.ts';
import type { FlowSettings } from '#quant/broker-features/row-windows.ts';
import type { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import type { FeatureTable } from '#quant/features/feature-table.ts';
import type { ExtraFeatures } from '../trained/trained-market.ts';

/** Number of settings (window and group) whose ranks are cached: those of the latest runs. Each takes up to about 10 MB. */
const KEPT_SETTINGS = 3;
/** The short features use no window and no group. */
const ANY_SETTINGS: FlowSettings = { days: 1, group: 'all' };

const kept = new WeakMap<BrokerDays, GrossColumns>();

/** The gross features of a market. What runs compute is cached as long as the broker days. */
export function grossColumns(table: FeatureTable, brokerDays: BrokerDays): GrossColumns {
  const columns = kept.get(brokerDays) ?? new GrossColumns(table, brokerDays);
  kept.set(brokerDays, columns);
  return columns;
}

class GrossColumns {
  readonly #table: FeatureTable;
  readonly #brokerDays: BrokerDays;
  readonly #short: GrossRanks;
  /** Least recently used first. */
  readonly #flow = new Map<string, GrossRanks>();

  constructor(table: FeatureTable, brokerDays: BrokerDays) {
    this.#table = table;
    this.#brokerDays = brokerDays;
    this.#short = new GrossRanks(table, brokerDays, SHORT_FEATURES, ANY_SETTINGS);
  }

  /** @param shouldStop called during the computation; returning true ends it with TrainingCancelled */
  extraFeatures(settings: FlowSettings, shouldStop: () => boolean): ExtraFeatures {
    const [short, flow] = [this.#short, this.#flowOf(settings)];
    const shortCount = short.names.length;
    return {
      names: [...short.names, ...flow.names],
      key: keyOf(settings),
      read: (rows, out) => {
        short.read(rows, out.slice(0, shortCount), shouldStop);
        flow.read(rows, out.slice(shortCount), shouldStop);
      },
    };
  }

  /** How much the group buys each row of the feature table: its place among the day's names, 0 to 100. Rows must ascend. */
  groupPlaces(rows: Uint32Array, settings: FlowSettings): Float64Array {
    const flow = this.#flowOf(settings);
    const out = flow.names.map(() => new Float32Array(rows.length));
    flow.read(rows, out);
    return Float64Array.from(out[flow.names.indexOf('group_net_flow')]!, (rank) => 50 * (1 + rank));
  }

  #flowOf(settings: FlowSettings): GrossRanks {
    const key = keyOf(settings);
    const flow =
      this.#flow.get(key) ?? new GrossRanks(this.#table, this.#brokerDays, FLOW_FEATURES, settings);
    this.#flow.delete(key);
    this.#flow.set(key, flow);
    if (this.#flow.size > KEPT_SETTINGS) this.#flow.delete(this.#flow.keys().next().value!);
    return flow;
  }
}

function keyOf({ group, days }: FlowSettings): string {
  return `${group}/${days}`;
}
