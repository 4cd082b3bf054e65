import type { Delivery } from '../source.ts';
import type { Received } from '../origins/origin.ts';

/** What a format makes of a file. */
export type Reading = Omit<Delivery, 'bytes'>;

/** Turns files of one shape into files for the importer. */
export interface Format {
  /**
   * Reads a file.
   * @param day the trading day (YYYY-MM-DD) that was asked for, which all rows must have; undefined if any day is welcome
   * @throws SourceFailure
   */
  read(received: Received, day: string | undefined): Promise<Reading>;
}
