import { expect, test } from 'vitest';
import { ServiceError, type FieldError } from '#foundation/errors/service-error.ts';
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

test('a mistake found by a service is located in the request part that contains the field', async () => {
  expect(await places('getQuotes', ['tickers'])).toEqual([['query', 'tickers']]);
  expect(await places('compareStocks', ['tickers', 3], ['days'])).toEqual([
    ['body', 'tickers', 3],
    ['body', 'days'],
  ]);
  expect(await places('getStock', ['ticker'])).toEqual([['path', 'ticker']]);
});

test('a mistake with a full location, or in no field of the request, stays unchanged', async () => {
  const locs = [['body', 'params', 'lookback'], ['query', 'view'], ['elsewhere'], ['constructor'], []];
  expect(await places('submitRun', ...locs)).toEqual(locs);
});

test('answers and all other errors pass through unchanged', async () => {
  const route = routeOf('getQuotes');
  expect(await placingMistakes(route, () => 5)).toBe(5);
  const failure = new ServiceError('not_found', 'nothing there');
  await expect(placingMistakes(route, () => Promise.reject(failure))).rejects.toBe(failure);
});
