import { changedShape } from '../deliveries/source-failure.ts';
import type { Received } from '../origins/origin.ts';

/** The text of a file, without a byte order mark. */
export function bodyText({ name, bytes }: Received): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw changedShape(`${name} is not UTF-8 text.`, error);
  }
}
