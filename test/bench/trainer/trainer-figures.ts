import { auc } from '#quant/learning/validation/scoring.ts';
import { pythonWith } from '#support/python-with.ts';
import { DEFAULT_PARAMETERS } from '#quant/learning/boosting/trainer.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { rawScores } from '#quant/learning/tree-ensemble.ts';
import { quantile, type Figure } from '#support/measuring/report.ts';
import type { Problem } from './problem.ts';
import { type Trained, XgboostHist, type Sampling } from './xgboost-hist.ts';

const NO_XGBOOST = 'skipped: no python3 with xgboost (Debian: apt-get install python3-xgboost)';
const AUC_BAR = '|Δ| ≤ .004';

/** Compares the trainer with XGBoost's `hist`: time, including cuts and binning, and AUC on later rows. */
export async function trainerFigures(problem: Problem): Promise<Figure[]> {
  const python = pythonWith('xgboost');
  if (!python) return [{ what: 'trainer / XGBoost hist', measured: NO_XGBOOST }];
  const { learnt } = problem;
  const rows = learnt.matrix.rowCount.toLocaleString('en');
  console.log(`Training on ${rows} rows × ${learnt.matrix.names.length} features of the market …`);
  const { version, contests } = await holdContests(python, problem);
  const [all, half] = contests as [Contest, Contest];
  const { rounds, depth } = PARAMETERS;
  const settings = `${rows} rows × ${learnt.matrix.names.length} features of the market, ${rounds} trees of depth ${depth}, ${BINS} bins, ${THREADS} threads`;
  return [
    {
      what: `trainer / XGBoost ${version} hist, all rows (${settings})`,
      ...timesOf(all.ours, all.theirs),
      bar: '≤ 0.40',
    },
    {
      what: 'the same, both with half of the rows a tree',
      ...timesOf(half.ours, half.theirs),
      bar: '≤ 0.30',
    },
    { what: 'trainer with half of the rows a tree / XGBoost with all', ...timesOf(half.ours, all.theirs) },
    { what: 'AUC of both, all rows', ...aucsOf(all, problem), bar: AUC_BAR },
    { what: 'AUC of both, half of the rows a tree', ...aucsOf(half, problem), bar: AUC_BAR },
  ];
}

/** Medians, and the fastest of each, which other work on the machine has disturbed least. */
function timesOf(ours: Trained[], theirs: Trained[]): Pick<Figure, 'measured'> {
  const [our, their] = [ours, theirs].map((trainings) => trainings.map(({ ms }) => ms)) as [
    number[],
    number[],
  ];
  const reported = (q: number) => {
    const [mine, other] = [quantile(our, q), quantile(their, q)];
    return `${mine.toFixed(0)} / ${other.toFixed(0)} ms = ${(mine / other).toFixed(2)}`;
  };
  return { measured: `${reported(0.5)}; the fastest of ${ROUNDS} each ${reported(0)}` };
}

/** Means over the rounds, because each round trains on another sample of the rows. */
function aucsOf({ ours, theirs }: Contest, { heldOut }: Problem): Pick<Figure, 'measured'> {
  const [our, their] = [ours, theirs].map((trainings) => {
    const areas = trainings.map(({ scores }) => auc(scores, heldOut.labels));
    return areas.reduce((sum, area) => sum + area, 0) / areas.length;
  }) as [number, number];
  const rows = heldOut.labels.length.toLocaleString('en');
  return {
    measured: `${our.toFixed(4)} / ${their.toFixed(4)} on ${rows} later rows, Δ ${(our - their).toFixed(4)}`,
  };
}

const THREADS = 2;
const BINS = 64;
const PARAMETERS = { ...DEFAULT_PARAMETERS, rounds: 100, depth: 6, learningRate: 0.1, lambda: 1 };
/** The trainers alternate, so that other work of the machine affects both alike. */
const ROUNDS = 7;

/** Trainings on a share of the rows, one entry per round. */
interface Contest {
  /** The share of the rows on which each tree trains. */
  subsample: number;
  ours: Trained[];
  theirs: Trained[];
}

/**
 * Both train on the same rows with the same parameters, threads and bins: with all rows, and with half of them for each tree.
 */
async function holdContests(
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
