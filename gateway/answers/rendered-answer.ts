import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Language } from '#shared/text/languages.ts';
import { isConditional, isInLanguages, namesDataset, type DeclaredRoute } from '../routing/route.ts';
import { Answer, JsonText, jsonText } from './send-json.ts';

/** A file as an answer. */
export class FileAnswer {
  readonly bytes: Buffer;
  /** Letters, digits, dots and underscores only. */
  readonly fileName: string;
  /** The version it was made from. */
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

/** Shorter bodies (in characters) fit into a packet anyway. */
const MIN_COMPRESSED_LENGTH = 1_024;
const compress = promisify(gzip);

/** What a handler answered, as it goes out: made once, and sent as often as it is asked for. */
export class RenderedAnswer {
  readonly status: number;
  /** A short one stays text, which Node sends in one piece with the headers. */
  readonly body: string | Buffer;
  readonly isCompressible: boolean;
  /** Set when the body is a file. */
  readonly fileName: string | undefined;
  /** The version it was answered from. */
  readonly datasetVersion: string | undefined;
  /** An opaque tag in its quotes, where the client may ask on a condition. */
  readonly opaqueTag: string | undefined;
  readonly isReplay: boolean = false;
  /** Whether another client may get other sentences. */
  readonly isInLanguages: boolean;
  /** That of the sentences in it. */
  readonly language: Language | undefined;
  #gzipped: Buffer | undefined;

  constructor(route: DeclaredRoute, answered: unknown) {
    this.isInLanguages = isInLanguages(route);
    if (answered instanceof FileAnswer) {
      const { bytes, fileName, datasetVersion, sha256 } = answered;
      [this.status, this.body, this.isCompressible] = [200, bytes, false];
      [this.fileName, this.datasetVersion, this.opaqueTag] = [fileName, datasetVersion, `"${sha256}"`];
      return;
    }
    const { status, body, isReplay } = answered instanceof Answer ? answered : new Answer(200, answered);
    const text = jsonText(body);
    this.status = status;
    this.isReplay = isReplay;
    if (body instanceof JsonText) this.language = body.language;
    this.isCompressible = text.length >= MIN_COMPRESSED_LENGTH;
    this.body = this.isCompressible ? Buffer.from(text) : text;
    if (!namesDataset(route)) return;
    this.datasetVersion =
      body instanceof JsonText ? body.datasetVersion : (body as { dataset_version: string }).dataset_version;
    if (isConditional(route)) this.opaqueTag = tagOf(text);
  }

  /** The body compressed; done when it is first asked for. */
  async gzipped(): Promise<Buffer> {
    return (this.#gzipped ??= await compress(this.body, { level: constants.Z_BEST_SPEED }));
  }
}

/**
 * The tag is made of the answer itself, which names its dataset version. A tag made of version and request alone would
 * miss what else an answer depends on: the day in Jakarta (`is_partial`, `today`) and a release that answers more than
 * the one before.
 */
function tagOf(text: string): string {
  return `"${hash('sha1', text, 'base64url')}"`;
}
