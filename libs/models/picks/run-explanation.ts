import { deserialize, serialize } from 'node:v8';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { outsiders } from '#quant/universe/candidates.ts';
import { REQUESTED, type NameTrace, PICKED, SCANNED } from './funnel.ts';
import type { TwoClassModel } from '../reasons/contribution-lines.ts';
import type { Sentence } from '#foundation/text/languages.ts';
import type { Localised } from '#foundation/text/localised.ts';
import type { RecoveryContributions } from '../results/recovery-contributions.ts';

/**
 * Data that a run stores with its result, so that any name of its universe can be explained while the result is live. It
 * consists only of plain data and typed arrays.
 */
export interface RunExplanation {
  modelId: string;
  /** Trading day analysed, YYYY-MM-DD. */
  asOf: string;
  /** Steps of the funnel, widest first. The second is `tickers` if the run names any. */
  steps: string[];
  /** The stocks that the run was asked for, in upper case. Absent for all stocks. */
  requested?: readonly string[];
  /** Every name of the universe. */
  names: NameTrace[];
  /** Names that could not be bought because they closed at their upper limit. */
  unbuyable: readonly string[];
  /** Other names of the dataset outside the universe, by cause. Absent in model E, whose universe is the run's positions. */
  outside?: Outsiders;
  notice: Sentence;
  /** The model and values behind each name's chance, one row per name; absent if no model was trained. */
  model?: ScoredNames;
  /** Only in model E, one per name: why it has its forecast; null if the name could not be judged. */
  positions?: (PositionReasons | null)[];
}

export interface ScoredNames extends TwoClassModel {
  /** Feature names in the order of FeatureMatrix. */
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

type Outsiders = ReturnType<typeof outsiders>;

/** How a run narrowed its universe, and its notice to the reader. */
interface Narrowed {
  modelId: string;
  asOf: string;
  steps: readonly { name: string }[];
  names: NameTrace[];
  unbuyable: readonly string[];
  outside: Outsiders;
  requested?: readonly string[] | undefined;
  notice: Localised;
}

export function runExplanation({ steps, notice, requested, ...narrowed }: Narrowed): RunExplanation {
  return {
    ...narrowed,
    ...(requested && { requested }),
    steps: [SCANNED, ...(requested ? [REQUESTED] : []), ...steps.map(({ name }) => name), PICKED],
    notice: notice.in,
  };
}

/** Serialised and compressed, for transport and storage. */
export function packExplanation(explanation: RunExplanation): Uint8Array {
  return zstdCompressSync(serialize(explanation));
}

/** Reads bytes that a worker of this fleet wrote. */
export function unpackExplanation(packed: Uint8Array): RunExplanation {
  return deserialize(zstdDecompressSync(packed)) as RunExplanation;
}
