import { deserialize, serialize } from 'node:v8';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type NameTrace, PICKED, SCANNED } from '../funnel.ts';
import type { TwoClassModel } from '../reasons/contribution-lines.ts';
import type { Sentence } from '#shared/text/languages.ts';
import type { Localised } from '#shared/text/localised.ts';
import type { RecoveryContributions } from '../recovery/contributions-schema.ts';

/**
 * What a run leaves beside its result, so that any name of its universe can be explained while that is live. Plain data
 * and typed arrays alone.
 */
export interface RunExplanation {
  modelId: string;
  /** Trading day analysed, YYYY-MM-DD. */
  asOf: string;
  /** Steps of the funnel, the widest first. */
  steps: string[];
  /** Every name of the universe. */
  names: NameTrace[];
  /** Names that nobody could buy: they closed at their upper limit. */
  unbuyable: readonly string[];
  notice: Sentence;
  /** What gives each name its chance, one row a name; absent where nothing was learnt. */
  model?: ScoredNames;
  /** Of model E alone, one a name: why it has its forecast, null where it could not be judged. */
  positions?: (PositionReasons | null)[];
}

export interface ScoredNames extends TwoClassModel {
  /** As FeatureMatrix has them. */
  features: readonly string[];
  values: Float32Array;
  chance: Float32Array;
  probability: Float64Array;
  baseRate: number;
}

interface PositionReasons {
  contributions: RecoveryContributions;
  reasons: Sentence[];
}

/** How a run narrowed its universe, and what it says of it. */
interface Narrowed {
  modelId: string;
  asOf: string;
  steps: readonly { name: string }[];
  names: NameTrace[];
  unbuyable: readonly string[];
  notice: Localised;
}

export function runExplanation({ steps, notice, ...narrowed }: Narrowed): RunExplanation {
  return {
    ...narrowed,
    steps: [SCANNED, ...steps.map(({ name }) => name), PICKED],
    notice: notice.in,
  };
}

/** As it travels and is kept: compressed. */
export function packExplanation(explanation: RunExplanation): Uint8Array {
  return zstdCompressSync(serialize(explanation));
}

/** Of bytes that a worker of this fleet wrote. */
export function unpackExplanation(packed: Uint8Array): RunExplanation {
  return deserialize(zstdDecompressSync(packed)) as RunExplanation;
}
