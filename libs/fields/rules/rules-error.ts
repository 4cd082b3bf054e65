import { wordsOf, type Mistake, type MistakeCode, type MistakeParams } from './mistakes.ts';

/** Where a mistake is: the member of the JSON form, or the column of the text form, counted from 1. */
type RulesPlace = { path: readonly (string | number)[] } | { column: number };

/**
 * Rules that cannot be evaluated. The message names the place, what is wrong and what is allowed:
 * "column 12: no field `rsi14`; did you mean rsi_14?" or "where.all[0].field: no field `rsi14`; did you mean rsi_14?".
 */
export class RulesError extends Error {
  readonly place: RulesPlace;
  readonly mistake: Mistake;
  /** The message without the place. */
  readonly reason: string;

  constructor(place: RulesPlace, mistake: Mistake) {
    const reason = wordsOf(mistake);
    super(`${placeText(place)}: ${reason}`);
    this.name = 'RulesError';
    this.place = place;
    this.mistake = mistake;
    this.reason = reason;
  }
}

/** The error for a mistake at a place. */
export function mistakeAt<Code extends MistakeCode>(
  place: RulesPlace,
  code: Code,
  params: MistakeParams<Code>,
): RulesError {
  return new RulesError(place, { code, params: params as object });
}

function placeText(place: RulesPlace): string {
  if ('column' in place) return `column ${place.column}`;
  const path = place.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return path.replace(/^\./, '') || 'rules';
}
