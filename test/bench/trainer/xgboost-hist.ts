import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BoostingParameters } from '#quant/learning/boosting/trainer.ts';
import type { Problem } from './problem.ts';

const SCRIPT = fileURLToPath(new URL('xgboost-hist.py', import.meta.url));
const FILES = { trained: 'trained.f32', held_out: 'held-out.f32', labels: 'labels.u8', scores: 'scores.f32' };

/**
 * Makes threads that wait for each other sleep. By default they spin. On two idle processors that gains under 2 %, but beside
 * other work it takes up to twenty times as long, because a thread spins while the thread that it waits for has no processor.
 */
const PATIENT_THREADS = { OMP_WAIT_POLICY: 'PASSIVE' };

export interface Trained {
  /** Time from the matrix in memory to the trained model, including cuts and binning. */
  ms: number;
  /** Raw scores of the held-out rows. */
  scores: Float32Array;
}

/** Writes the rows of a problem into a folder, from which XGBoost reads them. */
export async function writeRows({ trained, heldOut }: Problem, folder: string): Promise<void> {
  await writeFile(path.join(folder, FILES.trained), trained.matrix.values);
  await writeFile(path.join(folder, FILES.held_out), heldOut.matrix.values);
  await writeFile(path.join(folder, FILES.labels), trained.labels);
}

/** Trains XGBoost on the rows in a folder, in a process of its own, which trains a little before it is timed. */
export async function trainXgboost(
  [python, folder]: [python: string, folder: string],
  { rounds, depth, learningRate, lambda, gamma, minChildWeight, subsample, seed }: BoostingParameters,
  { features, bins, threads }: { features: number; bins: number; threads: number },
): Promise<Trained & { version: string }> {
  /** Under their names in XGBoost. */
  const parameters = {
    tree_method: 'hist',
    grow_policy: 'depthwise',
    objective: 'binary:logistic',
    max_depth: depth,
    eta: learningRate,
    lambda,
    gamma,
    min_child_weight: minChildWeight,
    max_bin: bins,
    nthread: threads,
    subsample,
    seed,
  };
  const printed = execFileSync(python, [SCRIPT], {
    cwd: folder,
    env: { ...process.env, ...PATIENT_THREADS },
    input: JSON.stringify({ ...FILES, features, rounds, parameters }),
    encoding: 'utf8',
  });
  const answer = JSON.parse(printed) as { version: string; ms: number };
  const bytes = await readFile(path.join(folder, FILES.scores));
  return { ...answer, scores: new Float32Array(Uint8Array.from(bytes).buffer) };
}
