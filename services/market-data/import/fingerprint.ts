import { createHash } from 'node:crypto';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ImportSource } from './import-source.ts';

/** Raised whenever the same files begin to give other rows, so that what the old rules made is not taken for it. */
const RULES = 1;

type Wish = Pick<ImportSource, 'kind' | 'sha256' | 'adds' | 'brokers'>;

/** Differs between imports that may come to different datasets of a kind: by files, wishes, rules and base. */
export function fingerprintOf(
  { sha256, adds, brokers }: Wish,
  base: Pick<Dataset, 'fingerprint'> | undefined,
): string {
  const made = { rules: RULES, files: sha256(), adds, brokers, base: base?.fingerprint };
  return createHash('sha256').update(JSON.stringify(made)).digest('hex');
}

/**
 * The newest version, when this very import made it, on its own or on top of an older one: adding the same files to
 * what they were added to already would change nothing.
 */
export function sameAsNewest(wish: Wish, published: Dataset[]): Dataset | undefined {
  const [newest] = published;
  if (newest?.kind !== wish.kind) return undefined;
  const isSame = [undefined, ...published].some((base) => fingerprintOf(wish, base) === newest.fingerprint);
  return isSame ? newest : undefined;
}

/** Of the files of a whole import and how they are read, whatever is made up or added beside them. */
export function originFingerprintOf({ sha256, brokers: { unit, mode } }: Wish): string {
  const made = { rules: RULES, files: sha256(), unit, mode };
  return createHash('sha256').update(JSON.stringify(made)).digest('hex');
}

/**
 * The newest version, when it began with the files of this import of a whole dataset: what has been added to it since
 * is kept by not importing the whole again.
 */
export function begunWith(wish: Wish, published: Dataset[]): Dataset | undefined {
  const [newest] = published;
  if (wish.adds || newest?.kind !== wish.kind) return undefined;
  return newest.origin_fingerprint === originFingerprintOf(wish) ? newest : undefined;
}
