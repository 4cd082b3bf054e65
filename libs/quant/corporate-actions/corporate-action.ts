/** What a table of corporate actions can state. */
export const STATED_KINDS = [
  'split',
  'reverse_split',
  'bonus',
  'rights',
  'dividend',
  'ticker_change',
  'suspension',
  'resumption',
  'board_move',
  'delisting',
  'index_membership',
  'sharia_list',
] as const;
export type StatedKind = (typeof STATED_KINDS)[number];

/** Kinds that restate earlier prices. */
const ADJUSTING_KINDS = ['split', 'reverse_split', 'bonus', 'rights'] as const;
type AdjustingKind = (typeof ADJUSTING_KINDS)[number];

/** Kinds that restate earlier share counts too: every holder has proportionally more or fewer shares without paying. */
const RESTATES_SHARES: readonly StatedKind[] = ['split', 'reverse_split', 'bonus'];

/** An action as a table states it. */
export interface StatedAction {
  ticker: string;
  kind: StatedKind;
  /** First day on which the stock trades under the new terms, YYYY-MM-DD. */
  ex_date: string;
  /** Day at whose end it is known, YYYY-MM-DD. Nothing computed as of an earlier day may use it. */
  known_on: string;
  /**
   * Shares after it for one share before: 5 for a split 1:5, 0.1 for a reverse split 10:1, 1.25 for one right or bonus share for
   * each four shares. 1 says that nothing happened, whatever the prices look like.
   */
  ratio?: number;
  /** The gross dividend for a share, or the price of a new share in a rights issue; IDR. */
  amount?: number;
  new_ticker?: string;
  board?: string;
  /** Name of an index. */
  index?: string;
  membership?: Membership;
  source?: string;
  note?: string;
}

export const MEMBERSHIPS = ['joined', 'left'] as const;
type Membership = (typeof MEMBERSHIPS)[number];

export function isAdjusting(kind: StatedKind): kind is AdjustingKind {
  return (ADJUSTING_KINDS as readonly StatedKind[]).includes(kind);
}

/** What a bar's prices and share counts before it must be multiplied with and divided by: 1 and 1 for nothing. */
export interface Factors {
  price: number;
  share: number;
}

export const UNCHANGED: Factors = { price: 1, share: 1 };

/**
 * The factors that follow from an action alone and the last close before it; undefined if it does not say enough, as rights
 * without their price. Rights above the close are not exercised, and restate nothing.
 *
 * The price after rights is the theoretical ex-rights price: that of old and new shares together, spread over all of them.
 */
export function factorsOf(
  { kind, ratio, amount }: Pick<StatedAction, 'kind' | 'ratio' | 'amount'>,
  closeBefore: number,
): Factors | undefined {
  if (ratio === undefined) return undefined;
  if (ratio === 1) return UNCHANGED;
  if (RESTATES_SHARES.includes(kind)) return { price: 1 / ratio, share: 1 / ratio };
  if (amount === undefined) return undefined;
  const afterRights = (closeBefore + (ratio - 1) * amount) / ratio;
  return { price: Math.min(1, afterRights / closeBefore), share: 1 };
}

/** What the exchange's reference price and the listed shares alone say an action was. */
const DETECTED_KINDS = ['split', 'reverse_split', 'rights', 'unexplained'] as const;
export type DetectedKind = (typeof DETECTED_KINDS)[number];

/**
 * A change of listed shares in the same proportion tells a split from rights. A reference price above the close without such a
 * change has no usual explanation.
 */
export function detectedKind({ price, share }: Factors): DetectedKind {
  if (share < 1) return 'split';
  if (share > 1) return 'reverse_split';
  return price < 1 ? 'rights' : 'unexplained';
}
