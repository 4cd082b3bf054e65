import { expect, test } from 'vitest';
import { ServiceError, type FieldError } from '#shared/service-error.ts';
import { routes } from '../routes/index.ts';
import { placingMistakes } from './validation.ts';

const routeOf = (operationId: string) => routes.find((route) => route.operationId === operationId)!;

async function places(operationId: string, ...locs: FieldError['loc'][]): Promise<unknown> {
  const detail = locs.map((loc): FieldError => ({ loc, msg: 'is wrong', type: 'value_error' }));
  const work = () => Promise.reject(new ServiceError('too_many_tickers', 'too many', { detail }));
  const thrown: unknown = await placingMistakes(routeOf(operationId), work).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: 'too_many_tickers', message: 'too many' });
  return (thrown as ServiceError).detail.map(({ loc }) => loc);
}

test('a mistake that a service found is placed in the part of the request that the field came in', async () => {
  expect(await places('getQuotes', ['tickers'])).toEqual([['query', 'tickers']]);
  expect(await places('compareStocks', ['tickers', 3], ['days'])).toEqual([
    ['body', 'tickers', 3],
    ['body', 'days'],
  ]);
  expect(await places('getStock', ['ticker'])).toEqual([['path', 'ticker']]);
});

test('what is placed already, or is no field of the request, stays as it is', async () => {
  const locs = [['body', 'params', 'lookback'], ['query', 'view'], ['elsewhere'], ['constructor'], []];
  expect(await places('submitRun', ...locs)).toEqual(locs);
});

test('answers and all other failures pass through', async () => {
  const route = routeOf('getQuotes');
  expect(await placingMistakes(route, () => 5)).toBe(5);
  const failure = new ServiceError('not_found', 'nothing there');
  await expect(placingMistakes(route, () => Promise.reject(failure))).rejects.toBe(failure);
});
