import type { Place, Refusal } from './fuzz-request.ts';

const UNKNOWN_ID: Record<string, string> = {
  model_id: 'model_not_found',
  job_id: 'job_not_found',
  event_id: 'usage_event_not_found',
};

/** How a request is refused in which this place alone, or places like it, holds a value that it may not. */
export function refusalOf(place: Place): Refusal {
  const [part, name = ''] = place;
  if (part === 'path') return { status: 404, code: UNKNOWN_ID[name] ?? 'not_found', places: [] };
  if (name === 'X-End-User') return { status: 400, code: 'invalid_end_user', places: [] };
  return { status: 422, code: 'invalid_request', places: [place] };
}

/** Of an end user that is not named, or by nothing. */
export const MISSING_END_USER: Refusal = {
  status: 422,
  code: 'missing_end_user',
  places: [['header', 'X-End-User']],
};

/** Of a version that may be well-formed but is not that of the text as it reads now. */
export const STALE_VERSION: Refusal = { status: 409, code: 'stale_document_version', places: [] };
