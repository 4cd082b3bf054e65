import { ServiceError, type FieldError } from './service-error.ts';

/** Further mistakes are only counted. */
const MAX_LISTED = 20;
const MAX_IN_MESSAGE = 5;

/** The error for invalid input. Its message names each wrong field and what is allowed. */
export function invalidRequest(mistakes: FieldError[]): ServiceError {
  const named = mistakes.slice(0, MAX_IN_MESSAGE).map(({ loc, msg }) => `${nameOf(loc)}: ${msg}`);
  if (mistakes.length > MAX_IN_MESSAGE) named.push(`and ${mistakes.length - MAX_IN_MESSAGE} more`);
  return new ServiceError('invalid_request', named.join('; '), { detail: mistakes.slice(0, MAX_LISTED) });
}

/** @throws ServiceError invalid_request naming every mistake, if there are any */
export function refuse(...mistakes: FieldError[][]): void {
  const all = mistakes.flat();
  if (all.length > 0) throw invalidRequest(all);
}

/** The error for more tickers than a call may name. `why` follows the numbers in its message. */
export function tooManyTickers(
  { loc, input, max, actual }: { loc: FieldError['loc']; input: unknown; max: number; actual: number },
  why = '',
): ServiceError {
  const ctx = { max_length: max, actual_length: actual };
  return new ServiceError('too_many_tickers', `At most ${max} tickers a call, got ${actual}${why}.`, {
    detail: [{ loc, msg: `must name at most ${max} tickers`, type: 'too_long', input, ctx }],
  });
}

/** The mistake for a number, or an ISO date, outside its bounds. */
export function outOfRange<Value extends number | string>(
  loc: FieldError['loc'],
  min: Value,
  max: Value,
  input: Value,
): FieldError {
  return {
    loc,
    msg: `must be from ${min} to ${max}`,
    type: input > max ? 'less_than_equal' : 'greater_than_equal',
    input,
    ctx: { ge: min, le: max },
  };
}

const PARTS: readonly unknown[] = ['path', 'query', 'body', 'header'];

/** The path of a field without the part of the REST request, which the reader knows. Over gRPC there is no such part. */
function nameOf([first, ...within]: FieldError['loc']): string {
  return (PARTS.includes(first) && within.length > 0 ? within : [first, ...within]).join('.');
}
