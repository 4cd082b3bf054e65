import { rejected } from '../rejected.ts';

/**
 * How much larger the empty part of an upload may be than its content. Gigabytes of line ends fit into a gzip of some
 * megabytes, and would hold the turn of imports for minutes.
 */
const MAX_EXCESS_BYTES = 1024 ** 2;

/** Limits the empty lines, and the white space between objects, in all files of an upload together. */
export class BlankLimit {
  #excessBytes = 0;

  /** @throws ServiceError import_rejected when the limit is exceeded */
  count(path: string, blankBytes: number, contentBytes: number): void {
    this.#excessBytes += blankBytes - contentBytes;
    if (this.#excessBytes <= MAX_EXCESS_BYTES) return;
    throw rejected(
      `${path} is not market data: up to here, the upload has more empty lines and white space than content, by ` +
        `${MAX_EXCESS_BYTES / 1024 ** 2} MiB.`,
    );
  }
}
