import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { jakartaDateTime } from '#foundation/jakarta-time.ts';
import { rulesOf, rulesOfMessage } from './descriptors.ts';
import {
  innerName,
  isForOperator,
  isLeftOut,
  isTimestamp,
  jsonName,
  mayBeNull,
  shownFields,
  STRUCT,
  VALUE,
} from './message-schema.ts';

type Fields = Record<string, unknown>;
type ToJson = (value: unknown) => unknown;

const asItIs: ToJson = (value) => value;
const known = { everybody: new Map<DescMessage, ToJson>(), operator: new Map<DescMessage, ToJson>() };

/**
 * How a decoded message becomes the JSON that its `responseSchema` describes: absent fields become null, and inlined or renamed
 * fields move to their place. Computed once for each message; a message that needs no change costs nothing.
 */
export function jsonOf(message: DescMessage, isReadByOperator = false): ToJson {
  const forOperator = isForOperator(message, isReadByOperator);
  const ofReader = known[forOperator ? 'operator' : 'everybody'];
  let toJson = ofReader.get(message);
  if (!toJson) {
    toJson = rulesOfMessage(message).list ? onlyField(message) : members(message, forOperator);
    ofReader.set(message, toJson);
  }
  return toJson;
}

function onlyField(message: DescMessage): ToJson {
  const { name } = message.fields[0]!;
  return (value) => (value as Fields)[name];
}

/** How one field becomes a member of the JSON. */
interface Member {
  field: string;
  name: string;
  inner: string | undefined;
  isInline: boolean;
  orNull: boolean;
  isLeftOut: boolean;
  isMoment: boolean;
  toJson: ToJson;
}

function members(message: DescMessage, forOperator: boolean): ToJson {
  const shown = shownFields(message, forOperator).map((field): Member => ({
    field: field.name,
    name: jsonName(field),
    inner: innerName(field),
    isInline: rulesOf(field).inline,
    orNull: mayBeNull(field),
    isLeftOut: isLeftOut(field),
    isMoment: isTimestamp(field),
    toJson: fieldJson(field, forOperator),
  }));
  if (shown.length === message.fields.length && shown.every(goesOutAsItIs)) return asItIs;
  return (value) => {
    const json: Fields = {};
    for (const member of shown) putInto(json, member, (value as Fields)[member.field]);
    return json;
  };
}

function goesOutAsItIs({ field, name, isInline, orNull, isLeftOut, toJson }: Member): boolean {
  return field === name && !isInline && !orNull && !isLeftOut && toJson === asItIs;
}

function putInto(json: Fields, { field, name, inner, ...member }: Member, value: unknown): void {
  if (member.isLeftOut && isEmpty(value)) return;
  if (value === undefined) {
    if (member.orNull) json[name] = null;
    // As text this would be a moment in 1970.
    else if (member.isMoment) throw new Error(`the service did not say when: ${field}`);
  } else if (member.isInline) Object.assign(json, member.toJson(value));
  else json[name] = inner ? { [inner]: member.toJson(value) } : member.toJson(value);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function fieldJson(field: DescField, forOperator: boolean): ToJson {
  if (isTimestamp(field)) {
    return rulesOf(field).format === 'unix-seconds'
      ? (moment) => (moment as Date).getTime() / 1_000
      : (moment) => jakartaDateTime(moment as Date);
  }
  const isMessage = field.message && ![STRUCT, VALUE].includes(field.message.typeName);
  const ofMessage = isMessage ? jsonOf(field.message, forOperator) : asItIs;
  if (ofMessage === asItIs) return asItIs;
  if (field.fieldKind === 'list') return (items) => (items as unknown[]).map(ofMessage);
  if (field.fieldKind !== 'map') return ofMessage;
  return (entries) =>
    Object.fromEntries(Object.entries(entries as Fields).map(([key, value]) => [key, ofMessage(value)]));
}
