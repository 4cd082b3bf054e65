import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/**
 * The part of an ONNX model that the exporter uses. Names follow the format (onnx/onnx.proto). Floats are 32-bit, integers
 * 64-bit.
 */
interface OnnxModel {
  irVersion: number;
  /** Versions by domain; '' is the standard domain. */
  opsets: Readonly<Record<string, number>>;
  producer: string;
  graph: OnnxGraph;
  metadata: Readonly<Record<string, string>>;
}

interface OnnxGraph {
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
  /** Empty for a scalar. */
  dims: readonly number[];
  values: ArrayLike<number>;
}

/** A tensor of floats. A dimension is a number, or a name when it varies. */
interface OnnxValueInfo {
  name: string;
  dims: readonly (number | string)[];
}

/** Values of AttributeProto.AttributeType and TensorProto.DataType. */
const ATTRIBUTE_TYPES = { int: 2, string: 3, floats: 6, ints: 7, strings: 8 } as const;
const TENSOR_TYPES = { float: 1, int64: 7 } as const;

/** Encodes an ONNX model as protobuf. Field numbers are those of onnx/onnx.proto. */
export function encodeModel({ irVersion, opsets, producer, graph, metadata }: OnnxModel): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.Varint).int64(irVersion);
  text(writer, 2, producer);
  message(writer, 7, () => writeGraph(writer, graph));
  for (const [domain, version] of Object.entries(opsets)) {
    message(writer, 8, () => {
      text(writer, 1, domain);
      writer.tag(2, WireType.Varint).int64(version);
    });
  }
  for (const [key, value] of Object.entries(metadata)) {
    message(writer, 14, () => {
      text(writer, 1, key);
      text(writer, 2, value);
    });
  }
  return writer.finish();
}

function writeGraph(writer: BinaryWriter, { name, nodes, initializers, inputs, outputs }: OnnxGraph): void {
  for (const node of nodes) message(writer, 1, () => writeNode(writer, node));
  text(writer, 2, name);
  for (const tensor of initializers) message(writer, 5, () => writeTensor(writer, tensor));
  for (const input of inputs) message(writer, 11, () => writeValueInfo(writer, input));
  for (const output of outputs) message(writer, 12, () => writeValueInfo(writer, output));
}

function writeNode(writer: BinaryWriter, { opType, domain, inputs, outputs, attributes }: OnnxNode): void {
  for (const input of inputs) text(writer, 1, input);
  for (const output of outputs) text(writer, 2, output);
  text(writer, 3, outputs[0]!);
  text(writer, 4, opType);
  for (const [name, attribute] of Object.entries(attributes ?? {})) {
    message(writer, 5, () => {
      text(writer, 1, name);
      writeAttribute(writer, attribute);
      writer.tag(20, WireType.Varint).int32(ATTRIBUTE_TYPES[attribute.kind]);
    });
  }
  if (domain !== undefined) text(writer, 7, domain);
}

function writeAttribute(writer: BinaryWriter, attribute: OnnxAttribute): void {
  switch (attribute.kind) {
    case 'int':
      writer.tag(3, WireType.Varint).int64(attribute.value);
      return;
    case 'string':
      text(writer, 4, attribute.value);
      return;
    case 'floats':
      writer.tag(7, WireType.LengthDelimited).bytes(bytesOf(Float32Array.from(attribute.values)));
      return;
    case 'ints':
      message(writer, 8, () => {
        for (let i = 0; i < attribute.values.length; i++) writer.int64(attribute.values[i]!);
      });
      return;
    case 'strings':
      for (const value of attribute.values) text(writer, 9, value);
  }
}

function writeTensor(writer: BinaryWriter, { name, type, dims, values }: OnnxTensor): void {
  message(writer, 1, () => dims.forEach((dim) => writer.int64(dim)));
  writer.tag(2, WireType.Varint).int32(TENSOR_TYPES[type]);
  text(writer, 8, name);
  const data = type === 'float' ? Float32Array.from(values) : BigInt64Array.from(Array.from(values), BigInt);
  writer.tag(9, WireType.LengthDelimited).bytes(bytesOf(data));
}

function writeValueInfo(writer: BinaryWriter, { name, dims }: OnnxValueInfo): void {
  text(writer, 1, name);
  const writeShape = () => {
    for (const dim of dims) {
      message(writer, 1, () => {
        if (typeof dim === 'number') writer.tag(1, WireType.Varint).int64(dim);
        else text(writer, 2, dim);
      });
    }
  };
  message(writer, 2, () =>
    message(writer, 1, () => {
      writer.tag(1, WireType.Varint).int32(TENSOR_TYPES.float);
      message(writer, 2, writeShape);
    }),
  );
}

function message(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write();
  writer.join();
}

function text(writer: BinaryWriter, field: number, value: string): void {
  writer.tag(field, WireType.LengthDelimited).string(value);
}

/** Both protobuf and the machines that run this code are little-endian. */
function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | BigInt64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
