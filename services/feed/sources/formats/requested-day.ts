import { SourceFailure } from '../source.ts';

/**
 * Refuses rows of another day than the one that was asked for.
 * @throws SourceFailure repeated_day naming both
 */
export function refuseOtherDay(found: string, asked: string | undefined, where: string): void {
  if (asked === undefined || found === asked) return;
  throw new SourceFailure(
    'repeated_day',
    `Asked for ${asked}, the source answered with ${found} (${where}). Nothing of it is imported.`,
  );
}
