/** Numbers of a row, in the order in which they are staged and merged. A price is stored in 32 bits. */
export const PRICE_COLUMNS = ['previous', 'open_price', 'high', 'low', 'close', 'bid'];
export const AMOUNT_COLUMNS = [
  'volume',
  'value',
  'frequency',
  'foreign_buy',
  'foreign_sell',
  'nego_volume',
  'nego_value',
  'nego_frequency',
  'listed_shares',
];

/**
 * Columns of a bar that always come from one source together: prices and amounts are checked against each other, and the two
 * directions of foreign trades, or what was negotiated, make sense only together.
 */
export interface BarGroup {
  name: string;
  columns: readonly string[];
  /** SQL of whether a row says them. The columns of the row have a prefix. */
  isSaid: (prefix: string) => string;
}

const positive = (column: string) => (prefix: string) => `${prefix}${column} > 0`;
const number = (column: string) => (prefix: string) => `NOT isNaN(${prefix}${column})`;

export const BAR_GROUPS: readonly BarGroup[] = [
  {
    name: 'prices',
    columns: ['open_price', 'high', 'low', 'close', 'volume', 'value'],
    isSaid: () => 'true',
  },
  { name: 'previous', columns: ['previous'], isSaid: positive('previous') },
  { name: 'frequency', columns: ['frequency'], isSaid: positive('frequency') },
  { name: 'foreign', columns: ['foreign_buy', 'foreign_sell'], isSaid: number('foreign_buy') },
  {
    name: 'negotiated',
    columns: ['nego_volume', 'nego_value', 'nego_frequency'],
    isSaid: number('nego_volume'),
  },
  { name: 'listed_shares', columns: ['listed_shares'], isSaid: positive('listed_shares') },
  { name: 'bid', columns: ['bid'], isSaid: number('bid') },
];

export const BITS_OF_MASK = BAR_GROUPS.length;

export function bitOf(group: BarGroup): number {
  return 1 << BAR_GROUPS.indexOf(group);
}

/** SQL of the groups of which a condition holds, as a mask. */
export function maskSql(holds: (group: BarGroup) => string): string {
  return BAR_GROUPS.map((group) => `if(${holds(group)}, ${bitOf(group)}, 0)`).join(' + ');
}

/** Which source said the groups of a bar, and when it was asked. */
export interface BarOrigin {
  origin: number;
  group_name: string;
  source: string;
  upload: string;
  /** Milliseconds since 1970. */
  retrieved_at: number;
  rank: number;
}

export type UploadOrigin = Pick<BarOrigin, 'source' | 'upload' | 'retrieved_at' | 'rank'>;
