import { DEFAULT_PARAMETERS } from '#quant/learning/boosting/trainer.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { rawScores } from '#quant/learning/tree-ensemble.ts';
import type { Problem } from './problem.ts';
import { XgboostHist, type Sampling, type Trained } from './xgboost-hist.ts';

export const THREADS = 2;
export const BINS = 64;
export const PARAMETERS = { ...DEFAULT_PARAMETERS, rounds: 100, depth: 6, learningRate: 0.1, lambda: 1 };
/** In turn, so that what else the machine does meanwhile meets both. */
export const ROUNDS = 7;

/** Trainings on a share of the rows, one entry a round. */
export interface Contest {
  /** Share of the rows that each tree learns from. */
  subsample: number;
  ours: Trained[];
  theirs: Trained[];
}

/** Both train on the same rows with the same parameters, threads and bins: on all rows, and on half of them a tree. */
export async function holdContests(
  python: string,
  problem: Problem,
): Promise<{ version: string; contests: Contest[] }> {
  const trainer = await ThreadedTrainer.start(THREADS);
  const job = { bins: BINS, threads: THREADS, parameters: PARAMETERS };
  const xgboost = await XgboostHist.start(python, problem, job);
  const contests: Contest[] = [1, 0.5].map((subsample) => ({ subsample, ours: [], theirs: [] }));
  try {
    // The first round warms both up.
    for (let round = -1; round < ROUNDS; round++) {
      console.log(`  ${round < 0 ? 'warming up' : `round ${round + 1} of ${ROUNDS}`} …`);
      for (const { subsample, ours, theirs } of contests) {
        const sampling = { subsample, seed: round + 1 };
        const pair = [trained(trainer, problem, sampling), await xgboost.train(sampling)] as const;
        if (round < 0) continue;
        ours.push(pair[0]);
        theirs.push(pair[1]);
      }
    }
  } finally {
    await Promise.all([trainer.stop(), xgboost.stop()]);
  }
  return { version: xgboost.version, contests };
}

function trained(trainer: ThreadedTrainer, { learnt, heldOut }: Problem, sampling: Sampling): Trained {
  const begun = performance.now();
  const { ensemble } = trainer.train(trainer.bin(learnt.matrix, { bins: BINS }), {
    classes: 2,
    labels: learnt.labels,
    rows: learnt.matrix.allRows,
    parameters: { ...PARAMETERS, ...sampling },
  });
  const ms = performance.now() - begun;
  return { ms, scores: rawScores(ensemble, heldOut.matrix) };
}
