import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { rulesOf, rulesOfMessage } from './descriptors.ts';
import { mayBeNull, STRUCT } from './message-schema.ts';

type Fields = Record<string, unknown>;
type ToJson = (value: unknown) => unknown;

const asItIs: ToJson = (value) => value;
const known = new Map<DescMessage, ToJson>();

/**
 * How a decoded message becomes what its `answerSchema` describes: what it leaves out is null, and what stands in place
 * of something else is put there. Worked out once; a message that goes out as it is costs nothing.
 */
export function jsonOf(message: DescMessage): ToJson {
  let toJson = known.get(message);
  if (!toJson) {
    toJson = rulesOfMessage(message).list ? onlyField(message) : members(message);
    known.set(message, toJson);
  }
  return toJson;
}

function onlyField(message: DescMessage): ToJson {
  const { name } = message.fields[0]!;
  return (value) => (value as Fields)[name];
}

function members(message: DescMessage): ToJson {
  const fields = message.fields.map((field) => ({
    name: field.name,
    isInline: rulesOf(field).inline,
    orNull: mayBeNull(field),
    toJson: fieldJson(field),
  }));
  if (fields.every(({ isInline, orNull, toJson }) => !isInline && !orNull && toJson === asItIs))
    return asItIs;
  return (value) => {
    const json: Fields = {};
    for (const { name, isInline, orNull, toJson } of fields) {
      const member = (value as Fields)[name];
      if (member === undefined) {
        if (orNull) json[name] = null;
      } else if (isInline) Object.assign(json, toJson(member));
      else json[name] = toJson(member);
    }
    return json;
  };
}

function fieldJson(field: DescField): ToJson {
  const isStruct = field.message?.typeName === STRUCT;
  const ofMessage = field.message && !isStruct ? jsonOf(field.message) : asItIs;
  if (ofMessage === asItIs) return asItIs;
  if (field.fieldKind === 'list') return (items) => (items as unknown[]).map(ofMessage);
  if (field.fieldKind !== 'map') return ofMessage;
  return (entries) =>
    Object.fromEntries(Object.entries(entries as Fields).map(([key, value]) => [key, ofMessage(value)]));
}
