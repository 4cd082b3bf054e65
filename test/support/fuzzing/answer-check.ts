import { createHash } from 'node:crypto';
import type { ValidateFunction } from 'ajv';
import { newAjv } from '#gateway/http/validation.ts';
import { ERROR_TABLE, isErrorCode } from '#shared/service-error.ts';
import type { Place, Refusal } from './fuzz-request.ts';
import type { WireAnswer } from './gateway-client.ts';
import { closedSchema } from './json-schema.ts';
import type { Operation } from './openapi-document.ts';

interface ErrorBody {
  error: { code: string; request_id: string };
  detail?: { loc: Place }[];
}

interface Versioned {
  dataset_version?: string;
  result?: { diag?: { dataset_version: string } };
}

/** Holds answers of one operation against what the document and the contract say of it. */
export class AnswerCheck {
  readonly #operation: Operation;
  readonly #validators = new Map<number, ValidateFunction>();

  constructor(operation: Operation) {
    this.#operation = operation;
    const ajv = newAjv();
    for (const [status, { schema }] of Object.entries(operation.answers)) {
      if (!schema) continue;
      const isSuccess = Number(status) < 300;
      this.#validators.set(Number(status), ajv.compile(isSuccess ? closedSchema(schema) : schema));
    }
  }

  /** What is wrong with an answer to any request. */
  faults(answer: WireAnswer): string[] {
    const { status, headers, text } = answer;
    const declared = this.#operation.answers[status];
    if (!declared) return [`status ${status} is not declared: ${text.slice(0, 300)}`];
    if (status >= 500) return [`status ${status}: ${text}`];
    const missing = declared.headers.filter((name) => headers[name.toLowerCase()] === undefined);
    const faults = missing.map((name) => `the header ${name} is missing`);
    if (!/^req_[0-9a-f]+$/.test(String(headers['x-request-id'])))
      faults.push('X-Request-ID is no request id');
    return [...faults, ...this.#bodyFaults(answer)];
  }

  /** What is wrong with an answer to a request that has to be answered. */
  faultsOfSuccess(answer: WireAnswer): string[] {
    const { status, text } = answer;
    return [200, 304, 404].includes(status) ? [] : [`a valid request got ${status}: ${text.slice(0, 500)}`];
  }

  /** What is wrong with an answer to a request that has to be refused. */
  faultsOfRefusal({ status, text }: WireAnswer, expected: Refusal): string[] {
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

  #bodyFaults({ status, headers, bytes, text }: WireAnswer): string[] {
    if (this.#operation.answers[status]!.isFile) return fileFaults(headers, bytes);
    const validate = this.#validators.get(status);
    if (!validate) return text === '' ? [] : [`${status} has a body: ${text}`];
    const body = JSON.parse(text) as Versioned & ErrorBody;
    if (!validate(body)) {
      return (validate.errors ?? []).map(({ instancePath, message, params }) =>
        ['the body', instancePath, message, JSON.stringify(params)].join(' '),
      );
    }
    if (status >= 400) return this.#envelopeFaults(status, body, headers);
    return namesItsVersion(body, headers['x-dataset-version'])
      ? []
      : ['X-Dataset-Version is not that of the body'];
  }

  #envelopeFaults(status: number, { error }: ErrorBody, headers: WireAnswer['headers']): string[] {
    const faults =
      error.request_id === headers['x-request-id'] ? [] : ['the envelope has another request id'];
    const { code } = error;
    if (!isErrorCode(code) || ERROR_TABLE[code].http !== status)
      faults.push(`${code} is no code of ${status}`);
    const isDescribed = this.#operation.answers[status]!.description.includes(`\`${code}\``);
    return isDescribed ? faults : [...faults, `${code} is not described for ${status}`];
  }
}

/** The compact view of a result does not name its version, so that any will do. */
function namesItsVersion({ dataset_version, result }: Versioned, inHeader: unknown): boolean {
  if (!result) return inHeader === dataset_version;
  return result.diag ? inHeader === result.diag.dataset_version : typeof inHeader === 'string';
}

/** A file is tagged by its hash. */
function fileFaults(headers: WireAnswer['headers'], bytes: Buffer): string[] {
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
