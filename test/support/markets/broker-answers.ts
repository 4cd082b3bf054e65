import { expect } from 'vitest';
import { errorCode, type RestAnswer } from '../fleets/rest.ts';

export const codes = (rows: { broker: string }[]) => rows.map(({ broker }) => broker);

export const sum = <T>(rows: T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0);

/** Status and code of a refused request. */
export const refusal = (answer: RestAnswer<unknown>) => [answer.status, errorCode(answer as RestAnswer)];

export function expectDescending(values: number[]): void {
  expect(values).toEqual(values.toSorted((one, other) => other - one));
}
