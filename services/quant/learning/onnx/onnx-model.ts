/**
 * The part of an ONNX model that the exporter uses; names follow the format's own (onnx/onnx.proto). Floats are 32-bit,
 * integers 64-bit.
 */
export interface OnnxModel {
  irVersion: number;
  /** Versions by domain; '' is the standard one. */
  opsets: Readonly<Record<string, number>>;
  producer: string;
  graph: OnnxGraph;
  metadata: Readonly<Record<string, string>>;
}

export interface OnnxGraph {
  name: string;
  nodes: readonly OnnxNode[];
  initializers: readonly OnnxTensor[];
  inputs: readonly OnnxValueInfo[];
  outputs: readonly OnnxValueInfo[];
}

export interface OnnxNode {
  opType: string;
  domain?: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes?: Readonly<Record<string, OnnxAttribute>>;
}

export type OnnxAttribute =
  | { kind: 'int'; value: number }
  | { kind: 'string'; value: string }
  | { kind: 'floats'; values: ArrayLike<number> }
  | { kind: 'ints'; values: ArrayLike<number> }
  | { kind: 'strings'; values: readonly string[] };

export interface OnnxTensor {
  name: string;
  type: 'float' | 'int64';
  /** None for a scalar. */
  dims: readonly number[];
  values: ArrayLike<number>;
}

/** A tensor of floats; a dimension is a number, or the name of one that varies. */
export interface OnnxValueInfo {
  name: string;
  dims: readonly (number | string)[];
}
