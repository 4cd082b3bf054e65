import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import type { ServiceMethods } from '#platform/grpc/method-types.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { messageNamed, methodAt, rulesOf } from '#platform/wire/descriptors.ts';
import { isLeftOut, isTimestamp, mayBeNull } from '#platform/wire/message-schema.ts';

const DAY = '2024-06-28';
export const NOON = new Date(`${DAY}T05:00:00Z`);

/** A message as ts-proto decodes it, with values that proto/ allows, and with all of its optional fields or none. */
export function exampleOf(message: DescMessage, { isFull }: { isFull: boolean }): Record<string, unknown> {
  const isPresent = (field: DescField) => isFull || !(mayBeNull(field) || isLeftOut(field));
  // Decoded lists are never absent.
  const present = message.fields.filter((field) => field.fieldKind === 'list' || isPresent(field));
  return Object.fromEntries(
    present.map((field) => [field.name, isPresent(field) ? valueOf(field, isFull) : []]),
  );
}

/** The example of a message without its optional fields. @param name as in `models.v1.Job` */
export function exampleNamed<Message>(name: string): Message {
  return exampleOf(messageNamed(`saring.${name}`), { isFull: false }) as Message;
}

function valueOf(field: DescField, isFull: boolean): unknown {
  const value = itemOf(field, isFull);
  if (field.fieldKind === 'map') return { BBCA: value };
  return field.fieldKind === 'list' ? [value] : value;
}

function itemOf(field: DescField, isFull: boolean): unknown {
  const { words, minimum, format, always, example } = rulesOf(field);
  const byForm: Record<string, string> = { date: DAY, 'date-time': NOON.toISOString() };
  const day = byForm[format] ?? 'BBCA';
  const text = words[0] ?? [always, field.fieldKind === 'scalar' ? example : ''].find(Boolean) ?? day;
  const values: Record<number, unknown> = {
    [ScalarType.STRING]: text,
    [ScalarType.BOOL]: true,
    [ScalarType.BYTES]: Buffer.alloc(0),
  };
  if (isTimestamp(field)) return NOON;
  if (field.message?.typeName.startsWith('google.protobuf.'))
    return example ? (JSON.parse(example) as unknown) : {};
  return field.message ? exampleOf(field.message, { isFull }) : (values[field.scalar!] ?? minimum ?? 1);
}

/**
 * Handlers of calls with one response: the example of its message without optional fields, and with the values of the request
 * that it repeats.
 */
export function answeringByExample<S extends ServiceMethods>(service: S): Handlers<S> {
  const answering = ({ path }: { path: string }) => {
    const { output } = methodAt(path)!;
    // A request may say `today`, which no response does.
    const repeated = (name: string) =>
      output.fields.some((field) => field.name === name && rulesOf(field).format !== 'date');
    return async (request: object) => ({
      ...exampleOf(output, { isFull: false }),
      ...Object.fromEntries(Object.entries(request).filter(([name]) => repeated(name))),
    });
  };
  const handlers: object = Object.fromEntries(
    Object.entries<{ path: string }>(service).map(([name, method]) => [name, answering(method)]),
  );
  return handlers as Handlers<S>;
}
