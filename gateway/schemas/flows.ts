import Type from 'typebox';
import { BrokerData } from './broker-data.ts';
import { bounded, closed, Day, nullable, oneOf } from './common.ts';
import { named } from './named.ts';
import { DatasetVersion } from './quotes.ts';

const FLOW_TYPES = ['foreign', 'retail', 'bandar'] as const;
const SORT_BY = ['value', 'shares'] as const;
const PATTERNS = ['total', 'consistent'] as const;

const floor = (byDefault: number, description: string) =>
  Type.Number({ minimum: 0, default: byDefault, description });

export const FlowsQuery = closed({
  flow_type: oneOf(FLOW_TYPES, {
    default: 'foreign',
    description:
      'Whose flow: `foreign` investors, as the exchange publishes them; `retail` brokers; or `bandar`, the local ' +
      'institutions: brokers that are neither retail nor foreign.',
  }),
  days: bounded(1, 120, 5, 'Trading days up to the latest one.'),
  min_abs_val: floor(1_000_000_000, 'Least net value over the window, either way, IDR.'),
  top_n: bounded(1, 100, 15, 'Most stocks of each list.'),
  min_price: Type.Integer({ minimum: 0, default: 200, description: 'Least latest close, IDR.' }),
  min_daily_val: floor(1_000_000_000, 'Least average daily value over the window, IDR.'),
  sort_by: oneOf(SORT_BY, {
    default: 'value',
    description: 'What the lists are ordered by. The net value says in which list a stock is.',
  }),
  pattern: oneOf(PATTERNS, {
    default: 'total',
    description:
      '`total`: the sum over the window decides. `consistent`: also how many days went its way, and that the price ' +
      'has not run away yet.',
  }),
  min_accum_day_ratio: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.6,
    description: '`consistent` only: least share of the traded days that were on the side of the sum.',
  }),
  max_price_change_pct: Type.Number({
    default: 6,
    description:
      '`consistent` only: inflow is left out when the price changed by more than this over the window, outflow when ' +
      'it changed by less than its negative, percent. A stock listed within the window is left out too.',
  }),
});

const FlowStock = named(
  'FlowStock',
  Type.Object({
    ticker: Type.String({ description: 'In upper case.', examples: ['BBCA'] }),
    close: Type.Number({ description: 'Latest close of the window, IDR, not adjusted.' }),
    net_value: Type.Number({ description: 'Bought less sold over the window, IDR.' }),
    net_shares: Type.Number({
      description: 'Shares bought less shares sold, restated for splits to the terms of the latest close.',
    }),
    avg_daily_value: Type.Number({
      description:
        'Average daily value over the window since the listing, days without trades included, IDR.',
    }),
    net_to_value_pct: nullable(
      Type.Number(),
      'net_value against all that was traded in the window, percent.',
    ),
    accum_days: Type.Integer({ description: 'Inflow: days of net buying. Outflow: days of net selling.' }),
    days_with_data: Type.Integer({ description: 'Days the stock traded.' }),
    accum_day_ratio: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'accum_days / days_with_data.',
    }),
    price_change_pct: nullable(
      Type.Number(),
      'Latest close against the close before the window, adjusted, percent; null for a stock listed within the window.',
    ),
    last_day_net_value: nullable(
      Type.Number(),
      'Bought less sold on the last day of the window, IDR; 0 when the stock did not trade on it, null when it is ' +
        'no longer listed.',
    ),
  }),
);

export const Flows = named(
  'Flows',
  Type.Object({
    flow_type: oneOf(FLOW_TYPES, { description: 'Whose flow.' }),
    days: Type.Integer({ description: 'Trading days asked for.' }),
    pattern: oneOf(PATTERNS, { description: 'What was demanded of the flow.' }),
    date_from: Day('First trading day of the window.'),
    date_to: Day('Last trading day of the window.'),
    is_partial: Type.Boolean({ description: 'Whether the latest day may still be incomplete.' }),
    sort_by: oneOf(SORT_BY, { description: 'What the lists are ordered by.' }),
    count: Type.Integer({ description: 'Number of stocks in both lists.' }),
    inflow: Type.Array(FlowStock, { description: 'Bought net, largest first; equal ones by ticker.' }),
    outflow: Type.Array(FlowStock, { description: 'Sold net, largest first; equal ones by ticker.' }),
    dataset_version: DatasetVersion,
    broker_data: BrokerData,
  }),
);
