import { gunzipSync } from 'node:zlib';
import { SourceFailure } from '../deliveries/source-failure.ts';
import type { Received } from './origin.ts';

/** The file without gzip, if it has any. */
export function unpacked(received: Received, maxBytes: number): Received {
  const { name, bytes } = received;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return received;
  try {
    return { name: name.replace(/\.gz$/i, ''), bytes: gunzipSync(bytes, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(name, maxBytes);
    throw new SourceFailure('truncated', `${name}: the gzip data is damaged or ends too early.`, {
      cause: error,
    });
  }
}

export function tooLarge(what: string, maxBytes: number): SourceFailure {
  return new SourceFailure(
    'too_large',
    `${what} has more than ${maxBytes} bytes. If that is right, raise max_bytes of the source.`,
  );
}
