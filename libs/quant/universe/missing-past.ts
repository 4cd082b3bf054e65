import { joined, Localised } from '#foundation/text/localised.ts';

/** The archive of the exchange was collected from the stocks that were listed at the time. */
const STOCKS = new Localised(
  'Saham yang dihapus dari pencatatan sebelum 2021 tidak ada dalam arsip, sehingga masa lalu tampak lebih baik daripada kenyataannya.',
  'Stocks that were delisted before 2021 are missing from the archive, so its past looks better than it was.',
);

const DAYS = new Localised(
  'Ada hari bursa pada masa itu yang datanya tidak ada; penyesuaian harga pada hari tersebut tidak diketahui, dan hari yang ada dihitung seolah-olah berurutan.',
  'Trading days of that time are missing from the data; how prices were restated on them is not known, and the days that exist count as if nothing lay between them.',
);

/**
 * What is missing from the past of a market, for whoever is shown a figure of it. Undefined if nothing is: a generated market lacks no
 * stocks.
 * @param kind `real` or `synthetic`
 * @param lacksDays whether trading days are missing within what the figure counts
 */
export function missingFromPast(kind: string, lacksDays: boolean): Localised | undefined {
  const missing = [kind === 'real' ? STOCKS : undefined, lacksDays ? DAYS : undefined];
  return missing.some((part) => part !== undefined) ? joined(missing) : undefined;
}
