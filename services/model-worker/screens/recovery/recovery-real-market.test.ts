import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Panel } from '#quant/panel/panel.ts';
import { realPanel } from '../market-fixtures.ts';
import { compactOf, fullOf } from './recovery-fixture.ts';

/** From the repository's root. Real bars are not part of the project; without them these tests are shown as skipped. */
const ARCHIVE = '../shared/data/idx-daily.tar.gz';
const archive = path.join(fileURLToPath(new URL('../../../..', import.meta.url)), ARCHIVE);
const DATES = ['2022-06-15', '2023-03-15', '2023-10-16', '2024-06-28'];
const positions = ['BBCA', 'TLKM', 'BBRI', 'ADRO', 'GOTO'].map((ticker) => ({ ticker, pnl_input: -7 }));

describe.skipIf(!existsSync(archive))(`on the real market of ${ARCHIVE}`, () => {
  let panel: Panel;
  beforeAll(async () => {
    panel = await realPanel(archive, '2019-07-29');
  }, 120_000);

  test.each([10, 20, 30, 40] as const)(
    'over %d days, forecasts of days that were not learnt from beat climatology at every date',
    async (horizon) => {
      for (const analysis_date of DATES) {
        const { model_quality } = await fullOf(panel, { analysis_date, horizon, positions });
        expect(model_quality.candidates).toBeGreaterThan(3_000);
        expect(model_quality.brier_skill).toBeGreaterThan(0);
        // More than a tenth would be a leak: direction cannot be foreseen, only how far prices will spread.
        expect(model_quality.brier_skill).toBeLessThan(0.1);
        expect(model_quality.log_loss).toBeLessThan(model_quality.climatology_log_loss);
      }
    },
    120_000,
  );

  test('a calm bank is likelier to stay where it is than a wild stock', async () => {
    const result = await compactOf(panel, { analysis_date: '2024-06-28', positions });
    const trajectoryOf = (ticker: string) =>
      result.positions.find((position) => position.ticker === ticker)!.trajectory;
    expect(trajectoryOf('BBCA').SIDEWAYS).toBeGreaterThan(trajectoryOf('GOTO').SIDEWAYS + 10);
    expect(trajectoryOf('GOTO').CRASH).toBeGreaterThan(trajectoryOf('BBCA').CRASH + 10);
  });
});
