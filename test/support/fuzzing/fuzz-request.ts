import fc from 'fast-check';
import type { Operation } from '../declared-api/openapi-document.ts';

/** A place in a request, as `detail[].loc` names it. */
export type Place = (string | number)[];

/** How a request must be refused. */
export interface Refusal {
  status: number;
  code: string;
  /** Every place that is wrong; the refusal must name each. */
  places: Place[];
}

/** A request in parts that can still be changed. */
export interface RequestDraft {
  /** Values by name, percent-encoded. */
  path: Record<string, string>;
  /** Name and value, percent-encoded. */
  query: [string, string][];
  headers: Record<string, string>;
  /** Fields with their values as JSON text, or the whole body as sent. */
  body: [string, string][] | string | Buffer | undefined;
}

/** Replaces the contents of a place with these texts, which are sent unchanged. Without texts, clears the place. */
export function put(draft: RequestDraft, place: Place, ...texts: string[]): RequestDraft {
  const [part, name] = place as [part: string, name: string];
  const replaced = (sent: [string, string][]) => [
    ...sent.filter(([other]) => other !== name),
    ...texts.map((text): [string, string] => [name, text]),
  ];
  const { path, query, headers, body } = draft;
  if (part === 'query') return { ...draft, query: replaced(query) };
  if (part === 'body') return { ...draft, body: replaced(Array.isArray(body) ? body : []) };
  if (part === 'path') return { ...draft, path: Object.fromEntries(replaced(Object.entries(path))) };
  return { ...draft, headers: Object.fromEntries(replaced(Object.entries(headers))) };
}

const SHOWN_CHARACTERS = 2_000;

/** A request ready to send and how it must be refused, if at all. It prints as a curl line that repeats it. */
export class FuzzRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | undefined;
  readonly refusal: Refusal | undefined;
  readonly operation: Operation;
  readonly #draft: RequestDraft;

  constructor(operation: Operation, draft: RequestDraft, refusal?: Refusal) {
    const { method, path } = operation;
    this.operation = operation;
    this.#draft = draft;
    const query = draft.query.map(([name, value]) => `${name}=${value}`).join('&');
    this.method = method.toUpperCase();
    this.target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => draft.path[name]!);
    if (query !== '') this.target += `?${query}`;
    this.headers = draft.headers;
    this.body = draft.body === undefined ? undefined : bytesOf(draft.body);
    this.refusal = refusal;
  }

  /** The same request for the next page. */
  after(cursor: string): FuzzRequest {
    const query: RequestDraft['query'] = [...this.#draft.query, ['cursor', cursor]];
    return new FuzzRequest(this.operation, { ...this.#draft, query }, this.refusal);
  }

  [fc.toStringMethod](): string {
    return this.curl('$BASE');
  }

  /** A curl line that repeats the request, with the key in `$KEY`. */
  curl(baseUrl: string): string {
    const headers = Object.entries(this.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
    const body = this.body && `--data-binary ${quoted(this.body.toString().slice(0, SHOWN_CHARACTERS))}`;
    const words = [
      'curl -sS -i --globoff --path-as-is',
      `-X ${this.method}`,
      '-H "Authorization: Bearer $KEY"',
    ];
    return [...words, ...headers, ...(body ? [body] : []), `"${baseUrl}"${quoted(this.target)}`].join(' ');
  }
}

function bytesOf(body: Exclude<RequestDraft['body'], undefined>): Buffer {
  if (!Array.isArray(body)) return Buffer.from(body as string);
  return Buffer.from(`{${body.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
