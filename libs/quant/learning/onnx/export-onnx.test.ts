import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noiseMatrix, plantedLabels } from '../boosting/planted-fixture.ts';
import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';
import { type Calibration, calibrated, LOGISTIC, SOFTMAX } from '../calibration/calibration.ts';
import { fitIsotonic } from '../calibration/isotonic.ts';
import { fitPlatt } from '../calibration/platt.ts';
import { fitTemperature } from '../calibration/temperature.ts';
import { stumps } from '../tree-ensemble-fixture.ts';
import { rawScores, type TreeEnsemble } from '../tree-ensemble.ts';
import type { RowRange } from '#quant/panel/ranges.ts';
import type { FeatureMatrix } from '../feature-matrix.ts';
import { exportOnnx } from './export-onnx.ts';
import { needing } from '#support/needing.ts';
import { pythonWith } from '#support/python-with.ts';

const matrix = noiseMatrix(6_000, 8, 1);
const binaryLabels = plantedLabels(matrix, 3, 2);
const classLabels = matrix
  .column(5)
  .map((value, row) => Math.floor(4.99 * ((value + matrix.column(6)[row]!) / 2)));
const rows = { from: 0, to: 4_000 };
const validation = { from: 4_000, to: 6_000 };

interface Model {
  ensemble: TreeEnsemble;
  validationScores: Float32Array;
}
let binary: Model;
let multiclass: Model;
beforeAll(async () => {
  const trainer = await ThreadedTrainer.start(1);
  const binned = trainer.bin(matrix);
  const parameters = { rounds: 120 };
  binary = trainer.train(binned, { classes: 2, labels: binaryLabels, rows, validation, parameters });
  multiclass = trainer.train(binned, {
    classes: 5,
    labels: classLabels,
    rows,
    validation,
    parameters: { rounds: 40 },
  });
  await trainer.stop();
});

/** Probabilities computed by the runtime, and their dimensions. */
async function runtime(model: Uint8Array, on: FeatureMatrix, of: RowRange) {
  const session = await InferenceSession.create(model);
  const features = new Tensor('float32', on.rowMajor(of), [of.to - of.from, on.names.length]);
  const { probability } = await session.run({ features });
  return { dims: probability!.dims, probabilities: probability!.data as Float32Array };
}

async function expectParity(
  ensemble: TreeEnsemble,
  calibration: Calibration,
  on = matrix,
  of: RowRange = validation,
) {
  const { dims, probabilities } = await runtime(exportOnnx(ensemble, calibration), on, of);
  const expected = calibrated(calibration, rawScores(ensemble, on, of), ensemble.scores);
  const count = of.to - of.from;
  expect(dims).toEqual(ensemble.scores === 1 ? [count] : [count, ensemble.scores]);
  let largest = 0;
  for (const [i, p] of expected.entries()) largest = Math.max(largest, Math.abs(p - probabilities[i]!));
  expect(largest).toBeLessThan(1e-6);
}

const labelsOf = (labels: ArrayLike<number>) => Array.from(labels).slice(validation.from, validation.to);
const binaryCalibrations: [string, () => Calibration][] = [
  ['no calibration', () => LOGISTIC],
  ['Platt calibration', () => fitPlatt(binary.validationScores, labelsOf(binaryLabels))],
  [
    'Platt calibration within bounds that some scores exceed',
    () => ({ kind: 'platt', slope: 3, intercept: 0.5, bounds: { lowest: -0.5, highest: 0.7 } }),
  ],
  ['isotonic calibration', () => fitIsotonic(binary.validationScores, labelsOf(binaryLabels))],
  [
    'an isotonic calibration of one point',
    () => ({ kind: 'isotonic', scores: [0.3], probabilities: [0.25] }),
  ],
];
const multiclassCalibrations: [string, () => Calibration][] = [
  ['no calibration', () => SOFTMAX],
  ['temperature', () => fitTemperature(multiclass.validationScores, 5, labelsOf(classLabels))],
];

describe('the exported graph gives the probabilities of the model', () => {
  test.each(binaryCalibrations)('of two classes, with %s', async (_, calibration) => {
    await expectParity(binary.ensemble, calibration());
    for (const count of [1, 7])
      await expectParity(binary.ensemble, calibration(), matrix, { from: 0, to: count });
  });

  test.each(multiclassCalibrations)('of five classes, with %s', async (_, calibration) => {
    await expectParity(multiclass.ensemble, calibration());
    for (const count of [1, 7])
      await expectParity(multiclass.ensemble, calibration(), matrix, { from: 0, to: count });
  });

  test.each<[string, [number, number]]>([
    ['all positive', [0.5, 1.5]],
    ['all negative', [-0.5, -1.5]],
    ['all zero', [0, 0]],
  ])('when its leaves are %s', async (_, leaves) => {
    await expectParity(stumps(8, 0.5, leaves), LOGISTIC);
  });

  test('for values on a cut and next to it', async () => {
    const cuts = noiseMatrix(3, 8, 3);
    for (let feature = 0; feature < 8; feature++)
      cuts.column(feature).set([0.1, Math.fround(0.1) + 2 ** -27, Math.fround(0.1) - 2 ** -27]);
    await expectParity(stumps(8, 0.1, [-1, 1]), LOGISTIC, cuts, cuts.allRows);
  });

  test('when a tree is a single leaf', async () => {
    const leaf = {
      ...stumps(8, 0, [0, 0]),
      treeStarts: Uint32Array.of(0, 1),
      feature: Int32Array.of(-1),
      cut: Float32Array.of(0),
      left: Int32Array.of(-1),
      value: Float32Array.of(0.75),
    };
    await expectParity(leaf, LOGISTIC);
  });
});

test('a binary model is exported with NONE and votes for class 0 alone', () => {
  const bytes = Buffer.from(exportOnnx(stumps(2, 0.5, [0.5, 1.5]), LOGISTIC)).toString('latin1');
  expect(bytes).toContain('NONE');
  expect(bytes).not.toContain('LOGISTIC');
  // Field 8, 4 bytes long: the classes of the four leaves.
  expect(bytes).toContain('class_ids\x42\x04\0\0\0\0');
});

test('a curve that ends at 1 gives no chance above 1, as a sum of 32-bit floats could', async () => {
  for (let points = 2; points <= 40; points++) {
    const share = (i: number) => (i / (points - 1)) ** 1.3;
    const curve = {
      scores: Array.from({ length: points }, (_, i) => Math.fround(3 * share(i) - 2)),
      probabilities: Array.from({ length: points }, (_, i) => share(i) ** 0.7),
    };
    const graph = exportOnnx(stumps(8, 0.5, [-9, 9]), { kind: 'isotonic', ...curve });
    const { probabilities } = await runtime(graph, matrix, { from: 0, to: 20 });
    expect(Math.max(...probabilities)).toBeCloseTo(1, 6);
    expect(Math.max(...probabilities)).toBeLessThanOrEqual(1);
    expect(Math.min(...probabilities)).toBe(0);
  }
});

test('the same model gives the same bytes', () => {
  expect(exportOnnx(binary.ensemble, LOGISTIC)).toEqual(exportOnnx(binary.ensemble, LOGISTIC));
});

test('a multiclass calibration of a binary model is refused', () => {
  expect(() => exportOnnx(binary.ensemble, SOFTMAX)).toThrow(RangeError);
});

const python = pythonWith('onnx');

describe('the public checker', needing("Debian's python3-onnx", python !== undefined), () => {
  const folder = mkdtempSync(join(tmpdir(), 'onnx-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const script = `
import onnx, sys
model = onnx.load(sys.argv[1])
onnx.checker.check_model(model, full_check=True)
print(model.ir_version, sorted((o.domain, o.version) for o in model.opset_import), {p.key: p.value for p in model.metadata_props})
`;

  test.each([
    ...binaryCalibrations.map(([name, of]) => [name, 'two', of] as const),
    ...multiclassCalibrations.map(([name, of]) => [name, 'five', of] as const),
  ])('accepts a model with %s of %s classes', (_, classes, calibration) => {
    const { ensemble } = classes === 'two' ? binary : multiclass;
    const file = join(folder, 'model.onnx');
    writeFileSync(file, exportOnnx(ensemble, calibration(), { seed: '1' }));
    const printed = execFileSync(python!, ['-c', script, file], { encoding: 'utf8' });
    const names = JSON.stringify(matrix.names);
    expect(printed.trim()).toBe(`8 [('', 15), ('ai.onnx.ml', 3)] {'feature_names': '${names}', 'seed': '1'}`);
  });
});
