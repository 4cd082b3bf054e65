/** Where a mistake is: the member of the JSON form, or the column of the text form, counted from 1. */
export type RulesPlace = { path: readonly (string | number)[] } | { column: number };

/**
 * Rules that cannot be evaluated. The message names the place, what is wrong and what is allowed:
 * "column 12: no field `rsi14`; did you mean rsi_14?" or "where.all[0].field: no field `rsi14`; did you mean rsi_14?".
 */
export class RulesError extends Error {
  readonly place: RulesPlace;
  /** The message without the place. */
  readonly reason: string;

  constructor(place: RulesPlace, reason: string) {
    super(`${placeText(place)}: ${reason}`);
    this.name = 'RulesError';
    this.place = place;
    this.reason = reason;
  }
}

function placeText(place: RulesPlace): string {
  if ('column' in place) return `column ${place.column}`;
  const path = place.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return path.replace(/^\./, '') || 'rules';
}
