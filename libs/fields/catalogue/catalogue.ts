import type { RuleFields } from '../field-type.ts';
import { AVERAGE_FIELDS } from './averages.ts';
import { BROKER_FIELDS } from './brokers.ts';
import type { Field, Words } from '../values/field.ts';
import { FOREIGN_FIELDS, NEGO_FIELDS } from './flows.ts';
import { LISTING_FIELDS } from './listing.ts';
import { MARKET_FIELDS } from './market.ts';
import { MODEL_RESULT_FIELDS } from './model-results.ts';
import { MOMENTUM_FIELDS } from './momentum.ts';
import { PRICE_FIELDS } from './prices.ts';
import { RANGE_FIELDS, VOLATILITY_FIELDS } from './ranges.ts';
import { RETURN_FIELDS } from './returns.ts';
import { TRADING_FIELDS } from './trading.ts';

/** Fields that belong together, in the order in which they are shown. */
interface FieldGroup {
  readonly name: string;
  readonly label: Words;
  readonly fields: readonly Field[];
}

export const FIELD_GROUPS: readonly FieldGroup[] = [
  { name: 'prices', label: { id: 'Harga', en: 'Prices' }, fields: PRICE_FIELDS },
  { name: 'returns', label: { id: 'Imbal hasil', en: 'Returns' }, fields: RETURN_FIELDS },
  { name: 'averages', label: { id: 'Rata-rata harga', en: 'Moving averages' }, fields: AVERAGE_FIELDS },
  { name: 'momentum', label: { id: 'Momentum', en: 'Momentum' }, fields: MOMENTUM_FIELDS },
  { name: 'volatility', label: { id: 'Volatilitas', en: 'Volatility' }, fields: VOLATILITY_FIELDS },
  {
    name: 'ranges',
    label: { id: 'Harga tertinggi dan terendah', en: 'Highs and lows' },
    fields: RANGE_FIELDS,
  },
  {
    name: 'trading',
    label: { id: 'Transaksi dan likuiditas', en: 'Trading and liquidity' },
    fields: TRADING_FIELDS,
  },
  { name: 'foreign', label: { id: 'Investor asing', en: 'Foreign investors' }, fields: FOREIGN_FIELDS },
  { name: 'negotiated', label: { id: 'Pasar negosiasi', en: 'Negotiated market' }, fields: NEGO_FIELDS },
  { name: 'brokers', label: { id: 'Broker', en: 'Brokers' }, fields: BROKER_FIELDS },
  { name: 'market', label: { id: 'Pasar', en: 'Market' }, fields: MARKET_FIELDS },
  { name: 'listing', label: { id: 'Pencatatan', en: 'Listing' }, fields: LISTING_FIELDS },
  { name: 'models', label: { id: 'Hasil model', en: 'Results of models' }, fields: MODEL_RESULT_FIELDS },
];

/** Fields by name. */
export type Fields = ReadonlyMap<string, Field> & RuleFields;

/** Every field that needs no import by an operator, by its name. */
export const FIELDS: Fields = new Map(
  FIELD_GROUPS.flatMap(({ fields }) => fields).map((field) => [field.name, field]),
);

/** The group of the fields that an operator adds by importing their values. */
export const FACT_GROUP = 'facts';

/** The fields of the catalogue and those of facts. A fact that has the name of a computed field is not among them. */
export function fieldsWith(facts: readonly Field[]): Fields {
  const added = facts.filter(({ name }) => !FIELDS.has(name));
  return new Map([...FIELDS, ...added.map((field): [string, Field] => [field.name, field])]);
}
