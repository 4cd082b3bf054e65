import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Panel } from '#quant/panel/panel.ts';
import { realPanel } from '../market-fixtures.ts';
import { FUNNEL, gannResultOf } from './gann-fixture.ts';

/** From the repository's root. Real bars are not part of the project; without them these tests are shown as skipped. */
const ARCHIVE = '../shared/data/idx-daily.tar.gz';
const archive = path.join(fileURLToPath(new URL('../../../..', import.meta.url)), ARCHIVE);

describe.skipIf(!existsSync(archive))(`on the real market of ${ARCHIVE}`, () => {
  let panel: Panel;
  beforeAll(async () => {
    panel = await realPanel(archive, '2021-06-01');
  }, 120_000);

  test.each(['2023-09-15', '2024-05-15'])(
    'a run of %s with the defaults picks a few names of the hundred or so that are liquid',
    async (date) => {
      const { diag, model_quality } = await gannResultOf(panel, {}, date);
      const counts = FUNNEL.map((stage) => diag[stage]);
      expect(counts).toEqual(counts.toSorted((a, b) => b - a));
      expect(diag.total_liquid).toBeGreaterThan(60);
      expect(diag.total_liquid).toBeLessThan(250);
      expect(diag.after_cycle / diag.total_liquid).toBeGreaterThan(0.02);
      expect(diag.after_cycle / diag.total_liquid).toBeLessThan(0.3);
      // Higher would be a leak: unselected names win a quarter of the time.
      expect(model_quality.win_rate).toBeLessThan(50);
      expect(model_quality.candidates).toBeGreaterThan(30);
    },
    120_000,
  );

  test('without learning the cycle score alone wins no more often than any name would', async () => {
    const chosen = await gannResultOf(panel, { use_ml: false }, '2024-05-15');
    const all = await gannResultOf(panel, { use_ml: false, min_cycle_score: 0 }, '2024-05-15');
    expect(all.model_quality.candidates).toBeGreaterThan(30_000);
    expect(Math.abs(chosen.model_quality.win_rate! - all.model_quality.win_rate!)).toBeLessThan(4);
  });
});
