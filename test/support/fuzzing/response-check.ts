import { createHash } from 'node:crypto';
import type { ValidateFunction, Ajv } from 'ajv';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { newAjv } from '#platform/wire/field-errors.ts';
import { ERROR_TABLE, isErrorCode } from '#foundation/errors/error-codes.ts';
import type { Place, Refusal } from './fuzz-request.ts';
import type { WireResponse } from './fuzz-client.ts';
import { closedSchema } from '../declared-api/json-schema.ts';
import type { Operation, DeclaredResponse } from '../declared-api/openapi-document.ts';

interface ErrorBody {
  error: { code: string; request_id: string };
  detail?: { loc: Place }[];
}

interface Versioned {
  dataset_version?: string;
  /** The run with which a diff compares. */
  now?: { dataset_version: string };
  result?: { diag?: { dataset_version: string } };
}

/** Answers to a valid request: with data, without data, unchanged, or no such id. */
const ANSWERED = [200, 201, 202, 204, 304, 404];
const MEDIA_TYPES = { JSON: 'application/json', events: 'text/event-stream' };

/** Checks answers of one operation against the document and the contract. */
export class ResponseCheck {
  readonly #operation: Operation;
  readonly #validators = new Map<number, ValidateFunction>();
  readonly #headerValidators = new Map<number, ValidateFunction>();

  constructor(operation: Operation) {
    this.#operation = operation;
    const ajv = newAjv();
    for (const [status, declared] of Object.entries(operation.answers)) {
      const { schema } = declared;
      if (schema) this.#validators.set(Number(status), ajv.compile(closedSchema(schema)));
      this.#headerValidators.set(Number(status), headerValidator(declared, ajv));
    }
  }

  /** Faults in an answer to any request. */
  faults(response: WireResponse): string[] {
    const { status, headers, text } = response;
    const declared = this.#operation.answers[status];
    if (!declared) return [`status ${status} is not declared: ${text.slice(0, 300)}`];
    if (status >= 500) return [`status ${status}: ${text}`];
    const validate = this.#headerValidators.get(status)!;
    const faults = schemaFaults(validate, declaredHeaders(declared, response), 'the headers');
    if (!/^req_[0-9a-f]+$/.test(String(headers['x-request-id'])))
      faults.push('X-Request-ID is no request id');
    return [...faults, ...this.#bodyFaults(response)];
  }

  /** Faults in an answer to a valid request, which must not be refused. */
  faultsOfSuccess(response: WireResponse): string[] {
    const { status, text } = response;
    return ANSWERED.includes(status) ? [] : [`a valid request got ${status}: ${text.slice(0, 500)}`];
  }

  /** Faults in an answer to a request that must be refused. */
  faultsOfRefusal({ status, text }: WireResponse, expected: Refusal): string[] {
    if (status !== expected.status)
      return [`expected ${expected.status}, got ${status}: ${text.slice(0, 500)}`];
    const { error, detail = [] } = JSON.parse(text) as ErrorBody;
    const faults = error.code === expected.code ? [] : [`expected ${expected.code}, got ${error.code}`];
    const unnamed = expected.places.filter((place) => !detail.some(({ loc }) => isWithin(loc, place)));
    return [
      ...faults,
      ...unnamed.map((place) => `${place.join('.')} is not named in ${JSON.stringify(detail)}`),
    ];
  }

  #bodyFaults({ status, headers, bytes, text }: WireResponse): string[] {
    const { content, isAlsoCsv } = this.#operation.answers[status]!;
    if (content === undefined) return text === '' ? [] : [`${status} has a body: ${text}`];
    if (content === 'a file') return fileFaults(headers, bytes);
    if (isAlsoCsv && String(headers['content-type']).startsWith('text/csv')) return csvFaults(text);
    if (!String(headers['content-type']).startsWith(MEDIA_TYPES[content]))
      return [`${content} of type ${String(headers['content-type'])}`];
    const validate = this.#validators.get(status)!;
    if (content === 'events') return eventFaults(text, (data) => schemaFaults(validate, data));
    const body = JSON.parse(text) as Versioned & ErrorBody;
    const faults = schemaFaults(validate, body);
    if (faults.length > 0) return faults;
    if (status >= 400) return this.#envelopeFaults(status, body, headers);
    return namesItsVersion(body, headers['x-dataset-version'])
      ? []
      : ['X-Dataset-Version is not that of the body'];
  }

  #envelopeFaults(status: number, { error }: ErrorBody, headers: WireResponse['headers']): string[] {
    const faults =
      error.request_id === headers['x-request-id'] ? [] : ['the envelope has another request id'];
    const { code } = error;
    if (!isErrorCode(code) || ERROR_TABLE[code].http !== status)
      faults.push(`${code} is no code of ${status}`);
    const isDescribed = this.#operation.answers[status]!.description.includes(`\`${code}\``);
    return isDescribed ? faults : [...faults, `${code} is not described for ${status}`];
  }
}

function schemaFaults(validate: ValidateFunction, value: unknown, what = 'the body'): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [what, instancePath, message, JSON.stringify(params)].join(' '),
  );
}

/** Checks the version in the header. The compact view of a result does not name its version, so any version will do. */
function namesItsVersion({ dataset_version, now, result }: Versioned, inHeader: unknown): boolean {
  if (!result) return inHeader === (now?.dataset_version ?? dataset_version);
  return result.diag ? inHeader === result.diag.dataset_version : typeof inHeader === 'string';
}

/** Every line has the cells that the first line names. */
function csvFaults(text: string): string[] {
  const [header, ...rows] = text.split('\r\n').slice(0, -1);
  const columns = header?.split(',').length;
  return rows.filter((row) => row.split(',').length !== columns).map((row) => `not a row of the CSV: ${row}`);
}

/** The ETag of a file is its hash. */
function fileFaults(headers: WireResponse['headers'], bytes: Buffer): string[] {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const type = headers['content-type'];
  return [
    ...(type === 'application/octet-stream' ? [] : [`a file of type ${String(type)}`]),
    ...(headers['etag'] === `W/"${hash}"` ? [] : [`a file whose tag is ${String(headers['etag'])}`]),
  ];
}

function isWithin(loc: Place, place: Place): boolean {
  return place.every((step, i) => loc[i] === step);
}

const WHOLE_NUMBER = /^\d+$/;

/** Compiles a check of the declared headers. Other headers may hold anything. */
function headerValidator({ headers, schema }: DeclaredResponse, ajv: Ajv): ValidateFunction {
  const names = Object.keys(headers);
  const hasResult = schema?.properties?.['result'] !== undefined;
  // Optional: a replay is announced only if it is one, a cursor only with a CSV before the last page, a dataset and a language
  // only where there is a result, and the freshness only while the gateway hears of it.
  const comeAndGo = [
    'Idempotent-Replayed',
    'X-Next-Cursor',
    'X-Data-As-Of',
    'X-Data-Behind-Trading-Days',
    ...(hasResult ? ['X-Dataset-Version', 'Content-Language'] : []),
  ];
  return ajv.compile({
    type: 'object',
    properties: headers,
    required: names.filter((name) => !comeAndGo.includes(name)),
  });
}

/** The declared headers of a response, with numeric ones as numbers. */
function declaredHeaders(declared: DeclaredResponse, { headers }: WireResponse): Record<string, unknown> {
  const came = Object.entries(declared.headers).flatMap(([name, { type }]) => {
    const text = headers[name.toLowerCase()];
    if (text === undefined) return [];
    const isNumber = type === 'integer' && WHOLE_NUMBER.test(String(text));
    return [[name, isNumber ? Number(text) : text] as const];
  });
  return Object.fromEntries(came);
}

/** Faults in a finished stream of a job's states: in each event, or that there are no events. */
function eventFaults(text: string, faultsOfData: (data: unknown) => string[]): string[] {
  const events: EventSourceMessage[] = [];
  const faults: string[] = [];
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onError: (error) => faults.push(`no event: ${error.message}`),
  });
  parser.feed(text);
  if (events.length === 0) faults.push(`a stream without events: ${text}`);
  for (const { event, id, data } of events) {
    const job = JSON.parse(data) as { status?: string };
    if (event !== 'status' || id !== job.status) faults.push(`the event ${event} ${id} says ${job.status}`);
    faults.push(...faultsOfData(job));
  }
  return faults;
}
