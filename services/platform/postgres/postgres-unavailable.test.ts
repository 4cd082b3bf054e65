import pg from 'pg';
import { expect, test } from 'vitest';
import { isPostgresUnavailable } from './postgres-unavailable.ts';

function databaseError(code: string): Error {
  return Object.assign(new pg.DatabaseError('said the server', 0, 'error'), { code });
}

function socketError(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}

test.each([
  ['a refused connection', socketError('ECONNREFUSED')],
  ['a server that starts up', databaseError('57P03')],
  ['too many connections', databaseError('53300')],
  ['a standby that only reads', databaseError('25006')],
  ['a lost connection', new Error('Connection terminated unexpectedly')],
  ['a server that hangs', new Error('PostgreSQL timeout: nothing came for 6000 ms')],
  ['refusals on every address', new AggregateError([socketError('ECONNREFUSED')])],
])('%s means that PostgreSQL is unavailable', (_, error) => expect(isPostgresUnavailable(error)).toBe(true));

test.each([
  ['a wrong statement', databaseError('42601')],
  ['a violated constraint', databaseError('23505')],
  ['a mistake in the code', new TypeError('x is not a function')],
  ['something that is no error', 'timeout'],
])('%s does not mean that PostgreSQL is unavailable', (_, error) =>
  expect(isPostgresUnavailable(error)).toBe(false),
);
