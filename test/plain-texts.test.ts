import { describe, expect, test } from 'vitest';
import { ApiKeys } from '#services/keys/api-keys.ts';
import { initiatorOf } from '#services/keys/store/key-action.ts';
import { KEYS_SERVICE } from '#services/keys/server.ts';
import { Upload } from '#services/market-data/import/request/upload.ts';
import { messageNamed } from '#platform/wire/descriptors.ts';
import { requestCheck } from '#platform/wire/request-check.ts';
import { headerOf } from '#support/services/dataset-client.ts';

const NEW_KEY = { name: 'a', scopes: ['data:read'], labels: {} };
const BY = { actor: 'tester', request_id: 'req_test' };

/** Keys whose store is never reached, because the request is refused first. */
const keys = new ApiKeys({ clock: () => new Date(0) } as ConstructorParameters<typeof ApiKeys>[0]);
const checked = (message: string, request: object) =>
  requestCheck(messageNamed(`saring.${message}`))!(request);

/** Each text that people read, taken from a request. */
const TEXTS: Record<string, (text: string) => unknown> = {
  'name of a new key': (name) => checked('keys.v1.CreateKeyRequest', { ...NEW_KEY, name }),
  'new name of a key': (name) =>
    checked('keys.v1.UpdateKeyRequest', { id: 'a', name, scopes: [], labels: {} }),
  'name of a label': (label) => keys.create({ ...NEW_KEY, labels: { [label]: 'x' } }, BY),
  'value of a label': (value) => keys.create({ ...NEW_KEY, labels: { team: value } }, BY),
  'reason to use a dataset': (reason) =>
    checked('market_data.v1.UseDatasetRequest', { version: 'a', reason }),
  'source of an import': (source) =>
    Upload.begin(
      (async function* () {
        yield { part: { $case: 'header' as const, value: headerOf(source) } };
      })(),
    ),
};

/** The code of the refusal, and the message. */
async function refusal(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'accepted';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `${code}: ${message}`;
  }
}

const HOSTILE: Record<string, string> = {
  'U+202E, right to left': '\u202e',
  'U+2066, isolate': '\u2066',
  'U+200F, mark': '\u200f',
  'U+061C, mark': '\u061c',
  ESC: '\x1b',
  'the 8-bit CSI': '\x9b',
  'a line feed': '\n',
  NUL: '\0',
};

describe.each(Object.entries(HOSTILE))('%s', (_, character) => {
  const text = `a${character}b`;

  test.each(Object.entries(TEXTS))('is refused in the %s', async (_name, take) => {
    expect(await refusal(() => take(text))).toMatch(
      /^invalid_request: (name|labels\.(a.b|team)|reason|source): must be .*control characters or direction marks/s,
    );
  });

  test('is left out of the recorded actor', () => {
    expect(initiatorOf({ actor: text, requestId: 'req_test' })).toEqual({
      actor: 'ab',
      request_id: 'req_test',
    });
  });
});

test.each(Object.entries(TEXTS))(
  'letters of any language and signs are accepted in the %s',
  async (_, take) => {
    // The keys have no store here, so that an accepted label ends in another error.
    expect(await refusal(() => take('Ünï 日本 مرحبا 👨‍👩‍👧 a=b'))).not.toMatch(/^invalid_request/);
  },
);

test('a label called __proto__ arrives with the request and is refused', async () => {
  const labels = { team: 'mobile', ['__proto__']: 'x' };
  const { createKey, updateKey } = KEYS_SERVICE;
  const created = createKey.requestDeserialize(createKey.requestSerialize({ ...NEW_KEY, labels }));
  expect(await refusal(() => keys.create(created, BY))).toBe(
    'invalid_request: labels.__proto__: must have another name than __proto__',
  );
  const change = { id: 'a', scopes: [], never_expires: false, labels };
  const updated = updateKey.requestDeserialize(updateKey.requestSerialize(change));
  expect(Object.keys(updated.labels)).toEqual(['team', '__proto__']);
});
