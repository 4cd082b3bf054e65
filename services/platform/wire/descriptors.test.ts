import { expect, test } from 'vitest';
import { EVERY_SERVICE } from '#support/grpc/every-service.ts';
import { commentOf, descriptorSet, messageNamed, methodAt, routesOf, rulesOfMessage } from './descriptors.ts';
import { descriptionOf } from './message-schema.ts';

const files = descriptorSet().file.filter((file) => file.package.startsWith('saring.'));
const messages = files.flatMap((file) =>
  file.messageType.map(({ name }) => messageNamed(`${file.package}.${name}`)),
);
const methods = Object.values(EVERY_SERVICE).flatMap(({ definition }) =>
  Object.values(definition).map(({ path }) => methodAt(path)!),
);

test('every field says what it is, or its kind does, or the message that it holds', () => {
  const fields = messages.flatMap((message) => message.fields);
  const silent = fields.filter(
    (field) =>
      descriptionOf(field) === '' && !(field.fieldKind === 'message' && commentOf(field.message) !== ''),
  );
  expect(silent.map((field) => field.toString())).toEqual([]);
});

test('every message says what it is, but for requests and responses of which REST shows nothing but their fields', () => {
  const ofCalls = new Set(methods.flatMap(({ input, output }) => [input, output]));
  const answered = new Set(
    methods.filter((method) => routesOf(method).length > 0).map(({ output }) => output),
  );
  const silent = messages.filter(
    (message) =>
      commentOf(message) === '' &&
      (!ofCalls.has(message) || answered.has(message) || rulesOfMessage(message).schema !== ''),
  );
  expect(silent.map(({ typeName }) => typeName)).toEqual([]);
});
