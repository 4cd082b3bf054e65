import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { endUserOf } from './end-user.ts';

const ALLOWED = /^[A-Za-z0-9._-]{1,64}$/;
const letters = fc.constantFrom(...'aZ09._-');
const anyId = fc.oneof(
  fc.string({ unit: letters, minLength: 1, maxLength: 70 }),
  fc.string({ unit: fc.constantFrom('.', '.', '.', 'a', '/', '\n'), minLength: 1, maxLength: 5 }),
);

test('an id of allowed characters is an end user, unless a path would take it for a step: . and ..', () => {
  fc.assert(
    fc.property(anyId, (id) => {
      if (ALLOWED.test(id) && id !== '.' && id !== '..') expect(endUserOf(id)).toBe(id);
      else expect(() => endUserOf(id)).toThrow(ServiceError);
    }),
    { examples: [['.'], ['..'], ['...'], ['.a'], ['a..'], ['..\n'], ['../a']] },
  );
});
