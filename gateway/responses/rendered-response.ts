import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { isConditional, isInLanguages, namesDataset, type DeclaredRoute } from '../declarations/route.ts';
import { CsvResponse } from './csv.ts';
import { JSON_TYPE, JsonResponse, JsonText, jsonText } from './send-json.ts';

export class FileResponse {
  readonly bytes: Buffer;
  /** Letters, digits, dots and underscores only. */
  readonly fileName: string;
  /** The dataset version that the file was made from. */
  readonly datasetVersion: string;

  constructor(file: { bytes: Buffer; fileName: string; datasetVersion: string }) {
    this.bytes = file.bytes;
    this.fileName = file.fileName;
    this.datasetVersion = file.datasetVersion;
  }

  get sha256(): string {
    return hash('sha256', this.bytes, 'hex');
  }
}

const FILE_TYPE = 'application/octet-stream';
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
/** Bodies below this length (in characters) fit into one packet anyway. */
const MIN_COMPRESSED_LENGTH = 1_024;
const compress = promisify(gzip);

/** A handler's answer in the form in which it is sent: rendered once, sent as often as it is requested. */
export class RenderedResponse {
  readonly status: number;
  readonly mediaType: string = JSON_TYPE;
  /** A short body stays a string, which Node sends in one piece with the headers. */
  readonly body: string | Buffer;
  readonly isCompressible: boolean;
  /** Set when the body is a file. */
  readonly fileName: string | undefined;
  /** The dataset version that the response comes from. */
  readonly datasetVersion: string | undefined;
  /** An opaque tag, with its quotes. Set if the client may send a conditional request. */
  readonly opaqueTag: string | undefined;
  /** Set when the body is a CSV and there is a next page. */
  readonly nextCursor: string | undefined;
  readonly isReplay: boolean = false;
  /** Set when the response has accepted work that goes on: the path of that work, and the seconds before it is worth polling. */
  readonly polling: { location: string; afterSeconds: number } | undefined;
  /** Whether a client with another language may get other sentences. */
  readonly isInLanguages: boolean;
  /** The language of the sentences in the response. */
  readonly language: string | undefined;
  #gzipped: Buffer | undefined;

  constructor(route: DeclaredRoute, answered: unknown) {
    this.isInLanguages = isInLanguages(route);
    if (answered instanceof FileResponse) {
      const { bytes, fileName, datasetVersion, sha256 } = answered;
      [this.status, this.body, this.isCompressible] = [200, bytes, false];
      [this.fileName, this.datasetVersion, this.opaqueTag] = [fileName, datasetVersion, `"${sha256}"`];
      this.mediaType = FILE_TYPE;
      return;
    }
    if (answered instanceof CsvResponse) {
      const { text, datasetVersion, nextCursor } = answered;
      [this.status, this.mediaType, this.opaqueTag] = [200, CSV_TYPE, tagOf(answered.identity)];
      [this.datasetVersion, this.nextCursor] = [datasetVersion, nextCursor ?? undefined];
      [this.isCompressible, this.body] = sendable(text);
      return;
    }
    const { status, body, isReplay } =
      answered instanceof JsonResponse ? answered : new JsonResponse(200, answered);
    const text = jsonText(body);
    this.status = status;
    this.isReplay = isReplay;
    this.polling = status === 202 ? pollingOf(route, body) : undefined;
    if (body instanceof JsonText) this.language = body.language;
    [this.isCompressible, this.body] = sendable(text);
    if (!namesDataset(route)) return;
    this.datasetVersion =
      body instanceof JsonText ? body.datasetVersion : (body as { dataset_version: string }).dataset_version;
    if (isConditional(route)) this.opaqueTag = tagOf(text);
  }

  /** The compressed body, computed at the first call. */
  async gzipped(): Promise<Buffer> {
    return (this.#gzipped ??= await compress(this.body, { level: constants.Z_BEST_SPEED }));
  }
}

function pollingOf({ responses }: DeclaredRoute, body: unknown): RenderedResponse['polling'] {
  const { path, afterSeconds } = responses[202]!.polling;
  const location = path.replace(/\{(\w+)\}/, (_, id: string) => (body as Record<string, string>)[id]!);
  return { location, afterSeconds };
}

/** Whether a text is worth compressing, and the form in which it is kept. */
function sendable(text: string): [isCompressible: boolean, body: string | Buffer] {
  const isLong = text.length >= MIN_COMPRESSED_LENGTH;
  return [isLong, isLong ? Buffer.from(text) : text];
}

/**
 * The tag is a hash of the response, which names its dataset version. A tag of version and request alone would miss the
 * other inputs of a response: the day in Jakarta (`is_partial`, `today`), and a release that answers more than the one
 * before.
 */
function tagOf(text: string): string {
  return `"${hash('sha1', text, 'base64url')}"`;
}
