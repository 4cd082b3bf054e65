import { readFileSync } from 'node:fs';
import {
  createFileRegistry,
  fromBinary,
  getOption,
  hasOption,
  toBinary,
  type DescEnumValue,
  type DescExtension,
  type DescField,
  type DescMessage,
  type DescMethod,
  type FileRegistry,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, type FileDescriptorSet } from '@bufbuild/protobuf/wkt';
import { FieldRules, MessageRules } from '#proto/saring/wire/v1/rules.ts';

const GENERATED = new URL('../../../proto/gen/', import.meta.url);

let registry: FileRegistry | undefined;
let commented: FileDescriptorSet | undefined;

/**
 * The descriptors that `make proto` built from proto/: every file with its comments. Loaded on first use. Comments are three
 * quarters of it, and most processes never read them.
 */
export function descriptorSet(): FileDescriptorSet {
  return (commented ??= read('descriptor.binpb'));
}

/** @throws Error for a message that proto/ does not declare */
export function messageNamed(typeName: string): DescMessage {
  const message = descriptors().getMessage(typeName);
  if (!message) throw new Error(`proto/ declares no message ${typeName}: run make proto`);
  return message;
}

/** @throws Error for a field that its message does not have */
export function fieldNamed(typeName: string, fieldName: string): DescField {
  const field = messageNamed(typeName).fields.find(({ name }) => name === fieldName);
  if (!field) throw new Error(`${typeName} has no field ${fieldName}`);
  return field;
}

/** The method with this path, for example `/saring.keys.v1.KeysService/ListKeys`. Undefined if proto/ does not declare it. */
export function methodAt(path: string): DescMethod | undefined {
  const [, serviceName, methodName] = path.split('/');
  const service = descriptors().getService(serviceName ?? '');
  return service?.methods.find(({ name }) => name === methodName);
}

const rules = new WeakMap<DescField, FieldRules>();

/** The rules of a field: its own, and the rules of its kind where it has none. */
export function rulesOf(field: DescField): FieldRules {
  let known = rules.get(field);
  if (!known) rules.set(field, (known = readRulesOf(field)));
  return known;
}

function readRulesOf(field: DescField): FieldRules {
  const own = optionOf(field, 'rules', FieldRules);
  const kind = descriptors().getEnum('saring.wire.v1.Kind')!.value[own.kind]!;
  const common = optionOf(kind, 'of_kind', FieldRules);
  const isSet = ([, value]: [string, unknown]) =>
    value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  return { ...common, ...(Object.fromEntries(Object.entries(own).filter(isSet)) as Partial<FieldRules>) };
}

/** The rules shared by all fields of a kind, given its name without `KIND_`. */
export function rulesOfKind(name: string): FieldRules {
  const kinds = descriptors().getEnum('saring.wire.v1.Kind')!.values;
  return optionOf(
    kinds.find((kind) => kind.name === `KIND_${name}`)!,
    'of_kind',
    FieldRules,
  );
}

export function rulesOfMessage(message: DescMessage): MessageRules {
  return optionOf(message, 'message', MessageRules);
}

interface Codec<T> {
  decode: (bytes: Uint8Array) => T;
}

/** The value of an option that rules.proto declares; an empty message if it is not set. */
function optionOf<T>(of: DescField | DescMessage | DescEnumValue, name: string, codec: Codec<T>): T {
  const option = descriptors().getExtension(`saring.wire.v1.${name}`) as DescExtension;
  const bytes = hasOption(of, option) ? toBinary(option.message!, getOption(of, option) as never) : [];
  return codec.decode(Uint8Array.from(bytes));
}

/** Field numbers in a file's descriptor, which form the path of a comment. */
const [MESSAGE_FIELD, FIELD_FIELD] = [4, 2];

/** The comment above a message or one of its fields, as one line. */
export function commentOf(described: DescMessage | DescField): string {
  const message = described.kind === 'message' ? described : described.parent;
  const { proto } = message.file;
  const path = [MESSAGE_FIELD, proto.messageType.indexOf(message.proto)];
  if (described.kind === 'field') path.push(FIELD_FIELD, message.fields.indexOf(described));
  return commentsOf(message.file.name).get(path.join()) ?? '';
}

const comments = new Map<string, Map<string, string>>();

/** The comments of a file by their path. */
function commentsOf(fileName: string): Map<string, string> {
  let known = comments.get(fileName);
  if (known) return known;
  const locations =
    descriptorSet().file.find(({ name }) => name === `${fileName}.proto`)?.sourceCodeInfo?.location ?? [];
  known = new Map(
    locations.map(({ path, leadingComments }) => [
      path.join(),
      leadingComments.replaceAll(/\s+/g, ' ').trim(),
    ]),
  );
  comments.set(fileName, known);
  return known;
}

/** Every file without its comments. */
function descriptors(): FileRegistry {
  return (registry ??= createFileRegistry(read('descriptor-without-comments.binpb')));
}

function read(file: string): FileDescriptorSet {
  return fromBinary(FileDescriptorSetSchema, readFileSync(new URL(file, GENERATED)));
}
