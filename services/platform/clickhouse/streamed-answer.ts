import type { Readable } from 'node:stream';
import { ClickHouseError, EXCEPTION_TAG_HEADER_NAME, parseError, type ExecParams } from '@clickhouse/client';
import type { ClickHouseClient } from './clickhouse.ts';

const CARRIAGE_RETURN = 0x0d;

/**
 * The bytes of an answer that comes while its query runs. If the query fails after they have begun, the server writes its exception
 * behind them, within marks that bear a tag of this answer alone, and cuts the connection. The marks may be spread over chunks.
 */
export class StreamedAnswer implements AsyncIterable<Uint8Array> {
  readonly stream: Readable;
  readonly #mark: Buffer;
  /** What ended the answer early: the server's exception, or the loss of the connection. Readers may take either for the end. */
  failure: Error | undefined;

  /** Sends a query whose answer is too long to be kept until it is complete. */
  static async to(client: ClickHouseClient, query: ExecParams): Promise<StreamedAnswer> {
    const clickhouse_settings = { ...query.clickhouse_settings, http_response_buffer_size: '0' };
    const { stream, response_headers } = await client.exec({ ...query, clickhouse_settings });
    return new StreamedAnswer(stream, response_headers[EXCEPTION_TAG_HEADER_NAME]?.toString());
  }

  /** @param tag that of the answer's headers; servers before 25.11 send none */
  private constructor(stream: Readable, tag: string | undefined) {
    this.stream = stream;
    this.#mark = Buffer.from(`\r\n__exception__\r\n${tag}\r\n`);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const chunks = this.stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    let held: Buffer = Buffer.alloc(0);
    let exception: string | undefined;
    try {
      for await (const chunk of chunks) {
        if (exception !== undefined) {
          exception += chunk.toString('latin1');
          continue;
        }
        const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
        const found = bytes.indexOf(this.#mark);
        if (found !== -1) exception = bytes.subarray(found + this.#mark.length).toString('latin1');
        const markAt = found === -1 ? this.#beginningOfMark(bytes) : found;
        if (markAt > 0) yield bytes.subarray(0, markAt);
        held = bytes.subarray(markAt);
      }
    } catch (error) {
      this.failure = error as Error;
    }
    if (exception !== undefined) {
      const said = parseError(Buffer.from(exception, 'latin1').toString());
      // If the exception itself is cut off, only the lost connection is known.
      if (said instanceof ClickHouseError) this.failure = said;
      else this.failure ??= said;
    } else if (!this.failure && held.length > 0) yield held;
    if (this.failure) throw this.failure;
  }

  /** Where the last bytes may begin a mark that goes on in the next chunk; their end if they do not. */
  #beginningOfMark(bytes: Buffer): number {
    const { length } = bytes;
    for (let at = Math.max(0, length - this.#mark.length + 1); at < length; at++)
      if (bytes[at] === CARRIAGE_RETURN && bytes.subarray(at).equals(this.#mark.subarray(0, length - at)))
        return at;
    return length;
  }
}
