import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { auc } from '#quant/learning/validation/scoring.ts';
import { pythonWith } from '#support/python-with.ts';
import { DEFAULT_PARAMETERS, type BoostingParameters } from '#quant/learning/boosting/trainer.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { rawScores } from '#quant/learning/tree-ensemble.ts';
import { quantile, type Figure } from '#support/measuring/report.ts';
import type { Problem } from './problem.ts';
import { trainXgboost, writeRows, type Trained } from './xgboost-hist.ts';

const NO_XGBOOST = 'skipped: no python3 with xgboost (Debian: apt-get install python3-xgboost)';
const AUC_BAR = '|Δ| ≤ .004';

const THREADS = 2;
const BINS = 64;
const PARAMETERS = { ...DEFAULT_PARAMETERS, rounds: 100, depth: 6, learningRate: 0.1, lambda: 1 };
/** The trainers alternate, so that other work of the machine affects both alike. */
const ROUNDS = 7;

/** Trainings on a share of the rows for each tree, one entry per round. */
interface Contest {
  ours: Trained[];
  theirs: Trained[];
}

/**
 * Compares the trainer with XGBoost's `hist`: time, including cuts and binning, and AUC on later rows. Both train on the same rows
 * with the same parameters, threads and bins: with all rows, and with half of them for each tree.
 */
export async function trainerFigures(problem: Problem): Promise<Figure[]> {
  const python = pythonWith('xgboost');
  if (!python) return [{ what: 'trainer / XGBoost hist', measured: NO_XGBOOST }];
  const { rowCount, names } = problem.trained.matrix;
  const { rounds, depth } = PARAMETERS;
  const settings = `${rowCount.toLocaleString('en')} rows × ${names.length} features of the market, ${rounds} trees of depth ${depth}, ${BINS} bins, ${THREADS} threads`;
  console.log(`Training on ${settings} …`);
  const all: Contest = { ours: [], theirs: [] };
  const half: Contest = { ours: [], theirs: [] };
  let version = '';
  const trainer = await ThreadedTrainer.start(THREADS);
  const folder = await mkdtemp(path.join(tmpdir(), 'saring-xgboost-'));
  try {
    await writeRows(problem, folder);
    // Before the first round the trainer warms up.
    for (let round = -1; round < ROUNDS; round++) {
      console.log(`  ${round < 0 ? 'warming up' : `round ${round + 1} of ${ROUNDS}`} …`);
      for (const [{ ours, theirs }, subsample] of [
        [all, 1],
        [half, 0.5],
      ] as const) {
        const parameters = { ...PARAMETERS, subsample, seed: round + 1 };
        const our = trained(trainer, problem, parameters);
        if (round < 0) continue;
        ours.push(our);
        const how = { features: names.length, bins: BINS, threads: THREADS };
        const their = await trainXgboost([python, folder], parameters, how);
        theirs.push(their);
        ({ version } = their);
      }
    }
  } finally {
    await Promise.all([trainer.stop(), rm(folder, { recursive: true })]);
  }
  return [
    { what: `trainer / XGBoost ${version} hist, all rows (${settings})`, ...timesOf(all), bar: '≤ 0.40' },
    { what: 'the same, both with half of the rows a tree', ...timesOf(half), bar: '≤ 0.30' },
    { what: 'AUC of both, all rows', ...aucsOf(all, problem), bar: AUC_BAR },
    { what: 'AUC of both, half of the rows a tree', ...aucsOf(half, problem), bar: AUC_BAR },
  ];
}

function trained(
  trainer: ThreadedTrainer,
  { trained, heldOut }: Problem,
  parameters: BoostingParameters,
): Trained {
  const begun = performance.now();
  const { ensemble } = trainer.train(trainer.bin(trained.matrix, { bins: BINS }), {
    classes: 2,
    labels: trained.labels,
    rows: trained.matrix.allRows,
    parameters,
  });
  const ms = performance.now() - begun;
  return { ms, scores: rawScores(ensemble, heldOut.matrix) };
}

/** Medians, and the fastest of each, which other work on the machine has disturbed least. */
function timesOf({ ours, theirs }: Contest): Pick<Figure, 'measured'> {
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
