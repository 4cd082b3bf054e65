import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError, type FieldError } from '#foundation/errors/service-error.ts';

/** The end of a page: a whole number and a text from which the list finds its next item. */
export interface Position {
  at: number;
  id: string;
}

/**
 * The list for which a cursor is valid: its name, every filter and, where a list belongs to a key, that key. Absent filters
 * are undefined.
 */
export type CursorScope = Record<string, string | number | boolean | undefined>;

/** Increment when the layout below changes. Cursors of another version are refused. */
const VERSION = 1;
const MAC_BYTES = 16;
const MAC_AT = 1;
const NUMBER_AT = MAC_AT + MAC_BYTES;
const ID_AT = NUMBER_AT + 8;

/** Signs page cursors. Layout: version, truncated HMAC-SHA-256, number, text. */
export class CursorSigner {
  readonly #secrets: readonly [string, ...string[]];

  /** @param secrets the first one signs; cursors signed with any of them are accepted */
  constructor(secrets: readonly [string, ...string[]]) {
    this.#secrets = secrets;
  }

  sign(position: Position, scope: CursorScope): string {
    const at = Buffer.alloc(8);
    at.writeBigInt64BE(BigInt(position.at));
    return Buffer.concat([
      Buffer.of(VERSION),
      mac(this.#secrets[0], position, scope),
      at,
      Buffer.from(position.id),
    ]).toString('base64url');
  }

  /** @throws ServiceError invalid_cursor for anything that `sign` did not return for the same scope. */
  verify(cursor: string, scope: CursorScope): Position {
    const bytes = Buffer.from(cursor, 'base64url');
    // Decoding ignores padding, foreign characters and stray bits. Accept only the exact text that was issued.
    if (bytes.length <= ID_AT || bytes[0] !== VERSION || bytes.toString('base64url') !== cursor) {
      throw invalidCursor();
    }
    const position = { at: Number(bytes.readBigInt64BE(NUMBER_AT)), id: bytes.toString('utf8', ID_AT) };
    const given = bytes.subarray(MAC_AT, NUMBER_AT);
    if (!this.#secrets.some((secret) => timingSafeEqual(given, mac(secret, position, scope))))
      throw invalidCursor();
    return position;
  }
}

function mac(secret: string, { at, id }: Position, scope: CursorScope): Buffer {
  const filters = Object.entries(scope)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const signed = JSON.stringify([VERSION, filters, at, id]);
  return createHmac('sha256', secret).update(signed).digest().subarray(0, MAC_BYTES);
}

/** For a cursor that leads nowhere in this list. */
export function invalidCursor(): ServiceError {
  const detail: FieldError[] = [
    { loc: ['cursor'], msg: 'was not issued for this list and these filters', type: 'value_error' },
  ];
  return new ServiceError(
    'invalid_cursor',
    'The cursor was not issued for this list and these filters. Start again without a cursor.',
    { detail },
  );
}
