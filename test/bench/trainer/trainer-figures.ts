import { Trainer } from '#quant/learning/boosting/trainer.ts';
import { DEFAULT_PARAMETERS } from '#quant/learning/boosting/parameters.ts';
import { rawScores } from '#quant/learning/ensemble/raw-scores.ts';
import { auc } from '#quant/learning/validation/auc.ts';
import { quantile } from '../quantiles.ts';
import type { Figure } from '../report.ts';
import type { Problem } from './problem.ts';
import { pythonWith } from './python-with.ts';
import { XgboostHist, type Trained } from './xgboost-hist.ts';

const THREADS = 2;
const BINS = 64;
const PARAMETERS = { ...DEFAULT_PARAMETERS, rounds: 100, depth: 6, learningRate: 0.1, lambda: 1 };
/** In turn, so that what else the machine does meanwhile meets both. */
const ROUNDS = 5;
const SETTINGS = `${PARAMETERS.rounds} trees of depth ${PARAMETERS.depth}, ${BINS} bins, ${THREADS} threads`;
const AUC_BAR = '|ΔAUC| ≤ .004';

interface Contest {
  subsample: number;
  bar: string;
  ours: Trained[];
  theirs: Trained[];
}

/** The trainer against XGBoost's `hist` on the same rows with the same parameters, threads and bins. */
export async function trainerFigures(problem: Problem): Promise<Figure[]> {
  const python = pythonWith('xgboost');
  if (!python) {
    const measured = 'skipped: no python3 with xgboost (Debian: apt-get install python3-xgboost)';
    return [{ what: 'trainer / XGBoost hist', measured }];
  }
  const trainer = await Trainer.start(THREADS);
  const job = { bins: BINS, threads: THREADS, parameters: PARAMETERS };
  const xgboost = await XgboostHist.start(python, problem, job);
  const contests: Contest[] = [
    { subsample: 1, bar: '≤ 0.50', ours: [], theirs: [] },
    { subsample: 0.5, bar: '≤ 0.40', ours: [], theirs: [] },
  ];
  try {
    // The first round warms both up.
    for (let round = -1; round < ROUNDS; round++) {
      for (const { subsample, ours, theirs } of contests) {
        console.log(
          `  ${round < 0 ? 'warming up' : `round ${round + 1} of ${ROUNDS}`}, ${shareOf(subsample)} …`,
        );
        const pair = [trained(trainer, problem, subsample), await xgboost.train(subsample)] as const;
        if (round < 0) continue;
        ours.push(pair[0]);
        theirs.push(pair[1]);
      }
    }
  } finally {
    await Promise.all([trainer.stop(), xgboost.stop()]);
  }
  const allRowsMs = medianMs(contests[0]!.theirs);
  return contests.flatMap((contest) => figuresOf(problem, contest, { version: xgboost.version, allRowsMs }));
}

function trained(trainer: Trainer, { learnt, heldOut }: Problem, subsample: number): Trained {
  const begun = performance.now();
  const { ensemble } = trainer.train(trainer.bin(learnt.matrix, { bins: BINS }), {
    ...{ classes: 2, labels: learnt.labels, rows: learnt.matrix.allRows },
    parameters: { ...PARAMETERS, subsample },
  });
  const ms = performance.now() - begun;
  return { ms, scores: rawScores(ensemble, heldOut.matrix) };
}

function figuresOf(
  { title, learnt, heldOut }: Problem,
  { subsample, bar, ours, theirs }: Contest,
  { version, allRowsMs }: { version: string; allRowsMs: number },
): Figure[] {
  const [ourMs, theirMs] = [medianMs(ours), medianMs(theirs)];
  const [ourAuc, theirAuc] = [ours, theirs].map(([first]) => auc(first!.scores, heldOut.labels));
  const rows = learnt.matrix.rowCount.toLocaleString('en');
  const size = `${rows} rows × ${learnt.matrix.names.length} of the ${title}`;
  const share = shareOf(subsample);
  const ratios = ours.map(({ ms }, i) => ms / theirs[i]!.ms);
  const against = subsample === 1 ? '' : `; ${(ourMs / allRowsMs).toFixed(2)} of its time for all rows`;
  return [
    {
      what: `trainer / XGBoost ${version} hist, ${share}: ${size}, ${SETTINGS}, cuts and binning included`,
      measured: `${ourMs.toFixed(0)} / ${theirMs.toFixed(0)} ms = ${(ourMs / theirMs).toFixed(2)}, of ${ROUNDS} rounds ${quantile(ratios, 0).toFixed(2)} to ${quantile(ratios, 1).toFixed(2)}${against}`,
      bar,
    },
    {
      what: `AUC of the trainer / of XGBoost, ${share}, on ${heldOut.labels.length.toLocaleString('en')} later rows`,
      measured: `${ourAuc!.toFixed(4)} / ${theirAuc!.toFixed(4)}, Δ ${(ourAuc! - theirAuc!).toFixed(4)}`,
      bar: AUC_BAR,
    },
  ];
}

function shareOf(subsample: number): string {
  return subsample === 1 ? 'all rows' : 'half of the rows a tree, both';
}

const medianMs = (trainings: Trained[]) =>
  quantile(
    trainings.map(({ ms }) => ms),
    0.5,
  );
