import { defaultsOf } from '../inputs/parameters.ts';
import { expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { LOW_FLOORS } from '../model/model.ts';
import { params as declared } from './params.ts';
import { screen } from './screen.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';

const AS_OF = '2026-08-28';
const panel = panelOf(syntheticBars({ seed: 11, tickers: 100, days: 440 }));
const PARAMS = { ...defaultsOf(declared), ...LOW_FLOORS, train_days: 250 };

test('model A trains on the given number of days and for the given horizon', async () => {
  const training = async (change: object) => {
    const params = { ...PARAMS, ...change };
    const { result } = await screen.run(screenInput({ panel, params, analysisDate: AS_OF }));
    return (result['diag'] as { model: { training: { days: number; to: string } } }).model.training;
  };
  const [few, more, longer] = [
    await training({}),
    await training({ train_days: 260 }),
    await training({ horizon_days: 30 }),
  ];
  // From the oldest to the newest. Every second day is used, counted back from the newest, so an even number drops the oldest.
  expect([few.days, more.days]).toEqual([249, 259]);
  expect(longer.to < few.to).toBe(true);
});
