/** What the values of a field are. */
export const FIELD_TYPES = ['number', 'text', 'boolean'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** How to read the number of a field. `none` is for ratios, indices without a unit, and for fields that are no numbers. */
export const UNITS = [
  /** IDR for one share, on the day of the value. */
  'idr_per_share',
  'idr',
  'shares',
  /** 100 is the whole. Returns and distances may be below 0. */
  'percent',
  /** 0 to 100, or -100 to 100. */
  'points',
  /** A multiple of something, such as of the usual volume. */
  'times',
  /** Exchange days. */
  'days',
  'count',
  'none',
] as const;
export type Unit = (typeof UNITS)[number];

/** What a rule must know of a field. */
export interface RuleField {
  readonly type: FieldType;
  readonly unit: Unit;
  /** All values of a text field, if they are known beforehand. */
  readonly values?: readonly string[];
}

/** Fields by name. */
export type RuleFields = ReadonlyMap<string, RuleField>;
