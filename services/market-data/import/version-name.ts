import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';

/** Ends the name of a version that has made-up broker rows on real bars. */
const SYNTHETIC_BROKERS = '-synthetic-brokers';

interface VersionToName {
  kind: string;
  lastDate: string;
  hasSyntheticBrokers: boolean;
}

/**
 * `real-20240628-1`, or `real-20240628-2-synthetic-brokers`: kind, last day, and a number that no version of that kind
 * and day ever had, whichever its form.
 */
export function nextVersion(
  { kind, lastDate, hasSyntheticBrokers }: VersionToName,
  taken: Pick<Dataset, 'version'>[],
): string {
  const prefix = `${kind}-${lastDate.replaceAll('-', '')}-`;
  const numbers = taken
    .filter(({ version }) => version.startsWith(prefix))
    .map(({ version }) => Number.parseInt(version.slice(prefix.length), 10));
  const ending = kind === 'real' && hasSyntheticBrokers ? SYNTHETIC_BROKERS : '';
  return `${prefix}${Math.max(0, ...numbers) + 1}${ending}`;
}
