import { Localised } from '#foundation/text/localised.ts';

/** The archive of the exchange was collected from the stocks that were listed at the time. */
const MISSING = new Localised(
  'Saham yang dihapus dari pencatatan sebelum 2021 tidak ada dalam arsip, sehingga masa lalu tampak lebih baik daripada kenyataannya.',
  'Stocks that were delisted before 2021 are missing from the archive, so its past looks better than it was.',
);

/**
 * Which stocks are missing from the past of a market, for whoever is shown a figure of it. Undefined for a generated market, which
 * lacks none.
 * @param kind `real` or `synthetic`
 */
export function missingFromPast(kind: string): Localised | undefined {
  return kind === 'real' ? MISSING : undefined;
}
