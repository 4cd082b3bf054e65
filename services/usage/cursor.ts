import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError, type FieldError } from '#shared/service-error.ts';

/** The end of a page: the sort key of its last event. */
export interface Position {
  ts: Date;
  event_id: string;
}

/** The list for which a cursor is valid: the requesting key and every filter, by name. Absent filters are undefined. */
export type CursorScope = Record<string, string | number | undefined>;

/** Increment when the layout below changes. Cursors of another version are refused. */
const VERSION = 1;
const MAC_BYTES = 16;
const MAC_AT = 1;
const TS_AT = MAC_AT + MAC_BYTES;
const EVENT_ID_AT = TS_AT + 8;

/** Signs page cursors. Layout: version, truncated HMAC-SHA-256, time in milliseconds, event id. */
export class CursorSigner {
  readonly #secrets: readonly [string, ...string[]];

  /** @param secrets the first one signs; cursors signed with any of them are accepted */
  constructor(secrets: readonly [string, ...string[]]) {
    this.#secrets = secrets;
  }

  sign(position: Position, scope: CursorScope): string {
    const ts = Buffer.alloc(8);
    ts.writeBigInt64BE(BigInt(position.ts.getTime()));
    return Buffer.concat([
      Buffer.of(VERSION),
      mac(this.#secrets[0], position, scope),
      ts,
      Buffer.from(position.event_id),
    ]).toString('base64url');
  }

  /** @throws ServiceError invalid_cursor for anything that `sign` did not return for the same scope. */
  verify(cursor: string, scope: CursorScope): Position {
    const bytes = Buffer.from(cursor, 'base64url');
    // Decoding ignores padding, foreign characters and stray bits. Accept only the exact text that was issued.
    if (bytes.length <= EVENT_ID_AT || bytes[0] !== VERSION || bytes.toString('base64url') !== cursor) {
      throw invalidCursor();
    }
    const ts = new Date(Number(bytes.readBigInt64BE(TS_AT)));
    const position = { ts, event_id: bytes.toString('utf8', EVENT_ID_AT) };
    const given = bytes.subarray(MAC_AT, TS_AT);
    if (!this.#secrets.some((secret) => timingSafeEqual(given, mac(secret, position, scope))))
      throw invalidCursor();
    return position;
  }
}

function mac(secret: string, { ts, event_id }: Position, scope: CursorScope): Buffer {
  const filters = Object.entries(scope)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const signed = JSON.stringify([VERSION, filters, ts.getTime(), event_id]);
  return createHmac('sha256', secret).update(signed).digest().subarray(0, MAC_BYTES);
}

function invalidCursor(): ServiceError {
  const detail: FieldError[] = [
    { loc: ['cursor'], msg: 'was not issued for this list and these filters', type: 'value_error' },
  ];
  return new ServiceError(
    'invalid_cursor',
    'The cursor was not issued for this list and these filters. Start again without a cursor.',
    { detail },
  );
}
