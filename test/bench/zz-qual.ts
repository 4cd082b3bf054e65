import { writeFileSync } from 'node:fs';
import { realPanel } from '../../services/model-worker/screens/market-fixtures.ts';
import { derivedMarket } from '../../services/model-worker/derived-market.ts';
import { Trainer } from '../../services/quant/learning/boosting/trainer.ts';
import { learn } from '../../services/quant/learning/walk-forward/learn.ts';
import { exportOnnx } from '../../services/quant/learning/onnx/export-onnx.ts';
import { LOGISTIC } from '../../services/quant/learning/calibration/calibration.ts';
import { tripleBarrier } from '../../services/quant/labels/triple-barrier.ts';
import { isReference } from '../../services/quant/features/reference-names.ts';
import { featureMatrix, trainingRows, trainingSet } from '../../services/model-worker/screens/learnt/training-set.ts';
import { BINNING, boostingOf, walkForward } from '../../services/model-worker/screens/learnt/learning-plan.ts';
import { score } from '../../services/model-worker/screens/scoring/score.ts';

const panel = await realPanel('/work/shared/data/idx-daily.tar.gz', '2018-10-01');
const market = derivedMarket(panel);
const table = market.features();
const trainer = await Trainer.start(2);
const out: unknown[] = [];
const DATES = ['2021-08-31','2022-03-31', '2022-09-30', '2023-03-31','2023-09-29', '2024-01-31', '2024-05-31'];
for (const [target, stop] of [[0.08, 0.05], [0.1, 0.05]] as const) for (const date of DATES) for (const [folds, foldDays] of [[4, 60], [5, 50]] as const) {
  const day = panel.dayOnOrBefore(date);
  const wish = { modelId: 'x', version: 'x', analysisDate: date, targetGain: target, stopLoss: stop, horizonDays: 20, trainDays: 500 };
  const rows = trainingRows(table, day, wish);
  const set = trainingSet(table, rows, day, wish);
  const started = performance.now();
  const learnt = learn(trainer, { matrix: set.matrix, classes: 2, labels: set.outcomes.won, weights: set.weights, days: set.days,
    walkForward: { ...walkForward(500, 20), folds, foldDays }, parameters: boostingOf({}), binning: BINNING });
  const ms = performance.now() - started;
  const onnx = exportOnnx(learnt.ensemble, LOGISTIC, {});
  const { from, to } = table.rowsOf(day);
  const today = Uint32Array.from({ length: to - from }, (_, i) => from + i);
  const p = await score(onnx, featureMatrix(table, today));
  const panelRow = today.map((r) => table.columns.panelRow[r]!);
  const ticker = Uint16Array.from(today, (r) => table.columns.ticker[r]!);
  const truth = tripleBarrier(panel, { ticker, panelRow }, wish, panel.dayCount - 1);
  const winRate = (a: number, b: number) => { let [w, t] = [1, 2]; for (let i = a; i < b; i++) { t += set.weights[i]!; if (set.outcomes.won[i]) w += set.weights[i]!; } return w / t; };
  out.push({ target, date, folds, ms, rounds: learnt.rounds, pi: winRate(0, rows.length),
    f: learnt.folds.map((f) => ({ pi: winRate(f.train.from, f.train.to), days: [...set.days.subarray(f.validation.from, f.validation.to)], scores: [...f.scores], labels: [...f.labels], weights: [...f.weights] })),
    today: { scores: [...p].map((x) => Math.log(x / (1 - x))), won: [...truth.won], ref: [...panelRow].map((r, i) => isReference(panel.columns.close[r]!, table.columns.averageValue[today[i]!]!) ? 1 : 0) } });
  console.log(target, date, folds, Math.round(ms), learnt.rounds, process.memoryUsage().rss >> 20);
}
await trainer.stop();
writeFileSync('/tmp/qual/folds.json', out.map((o) => JSON.stringify(o)).join('\n'));
