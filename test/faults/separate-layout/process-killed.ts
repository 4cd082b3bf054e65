import { describe, test } from 'vitest';
import { losesNothing } from '#support/fleets/loses-nothing.ts';
import { own } from './fleet.ts';

describe('where each service has a process of its own', () => {
  test.each(['models', 'usage', 'keys'])(
    'kill -9 of %s alone loses no accepted run, records each once and duplicates no usage row',
    (name) => losesNothing(own, name),
  );
});
