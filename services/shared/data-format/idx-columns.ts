/** Columns of the exchange's daily trading summary, in the order of its files. */
export const IDX_COLUMNS = [
  'date',
  'previous',
  'open_price',
  'first_trade',
  'high',
  'low',
  'close',
  'change',
  'volume',
  'value',
  'frequency',
  'index_individual',
  'offer',
  'offer_volume',
  'bid',
  'bid_volume',
  'listed_shares',
  'tradeble_shares',
  'weight_for_index',
  'foreign_sell',
  'foreign_buy',
  'delisting_date',
  'non_regular_volume',
  'non_regular_value',
  'non_regular_frequency',
] as const;

export type IdxColumn = (typeof IDX_COLUMNS)[number];

export const LISTING_COLUMNS = ['code', 'name', 'listingDate', 'shares', 'listingBoard'] as const;

/** Exchange codes are four letters; rights and warrants add a suffix. */
export const TICKER = '^[A-Z][A-Z0-9-]{1,11}$';
