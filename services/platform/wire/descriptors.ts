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
  type DescService,
  type FileRegistry,
  type Message,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, type FileDescriptorSet } from '@bufbuild/protobuf/wkt';
import { Call, Rest } from '#proto/saring/wire/v1/calls.ts';
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

/** The facts of the call with this path: its own, and those of its service. Undefined if proto/ does not declare it. */
export function callAt(path: string): Call | undefined {
  const method = methodAt(path);
  if (!method) return undefined;
  const common = optionOf(method.parent, 'calls', Call);
  return { ...common, ...saidBy(optionOf(method, 'call', Call)) };
}

/** The routes by which REST offers a call, each with what the routes of its service have in common. */
export function routesOf(method: DescMethod): Rest[] {
  const common = optionOf(method.parent, 'routes', Rest);
  return optionsOf(method, 'rest', Rest).map((own) => ({ ...common, ...saidBy(own) }));
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
  return { ...common, ...saidBy(own) };
}

/** The members of an option that are set. One that is not `optional` cannot take back what is common. */
function saidBy<T extends object>(option: T): Partial<T> {
  const isSet = ([, value]: [string, unknown]) =>
    value !== undefined &&
    value !== '' &&
    value !== false &&
    !(typeof value === 'object' && Object.keys(value!).length === 0);
  return Object.fromEntries(Object.entries(option).filter(isSet)) as Partial<T>;
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

type Described = DescField | DescMessage | DescEnumValue | DescMethod | DescService;

/** The value of an option that `saring.wire.v1` declares; an empty message if it is not set. */
function optionOf<T>(of: Described, name: string, codec: Codec<T>): T {
  return optionsOf(of, name, codec)[0] ?? codec.decode(new Uint8Array());
}

/** The values of an option that may be repeated. */
function optionsOf<T>(of: Described, name: string, { decode }: Codec<T>): T[] {
  const option = descriptors().getExtension(`saring.wire.v1.${name}`) as DescExtension;
  if (!hasOption(of, option)) return [];
  const values = [getOption(of, option)].flat() as Message[];
  return values.map((value) => decode(toBinary(option.message!, value)));
}

/** Field numbers in a file's descriptor, which form the path of a comment. */
const [MESSAGE, FIELD, SERVICE, METHOD] = [4, 2, 6, 2];

/** The comment above a message, one of its fields or a call: each of its paragraphs as one line. */
export function commentOf(described: DescMessage | DescField | DescMethod): string {
  const within = described.kind === 'message' ? described : described.parent;
  return commentsOf(within.file.name).get(pathOf(described).join()) ?? '';
}

function pathOf(described: DescMessage | DescField | DescMethod): number[] {
  switch (described.kind) {
    case 'message':
      return [MESSAGE, described.file.proto.messageType.indexOf(described.proto)];
    case 'field':
      return [...pathOf(described.parent), FIELD, described.parent.fields.indexOf(described)];
    case 'rpc': {
      const { file, proto, methods } = described.parent;
      return [SERVICE, file.proto.service.indexOf(proto), METHOD, methods.indexOf(described)];
    }
  }
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
      leadingComments
        .split(/\n\s*\n/)
        .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
        .join('\n\n'),
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
