import { invalidRequest } from '#foundation/errors/invalid-request.ts';

/**
 * Days are YYYY-MM-DD; undefined means that the span is open on that side.
 * @throws ServiceError invalid_request if `from` is after `to`
 */
export function refuseReversed(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to)
    throw invalidRequest([
      { loc: ['from'], msg: 'must not be after `to`', type: 'value_error', input: from },
    ]);
}
