/** `make evaluate`: compares what the models said with the outcomes, week after week. See evaluation.ts for the output. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withImportedMarket } from './command.ts';
import { evaluate } from './evaluate.ts';
import type { Evaluation } from './evaluation.ts';
import { PastRuns } from './past-runs.ts';
import { repeatCommand } from './settings.ts';
import { evaluationPage } from './report/page.ts';
import { summaryTable } from './report/summary-table.ts';

const evaluated_at = new Date().toISOString();

await withImportedMarket(async ({ settings, dataset, sql, progress, signal }) => {
  const runs = await PastRuns.start(sql, dataset);
  try {
    const figures = await evaluate(runs, dataset, settings, { progress, signal });
    const duration_seconds = progress.elapsedMs / 1000;
    const command = repeatCommand(settings, figures.span);
    const evaluation = { ...figures, command, evaluated_at, duration_seconds };
    await write(settings.out, evaluation);
    console.log(summaryTable(evaluation));
    console.log(`\n${path.join(settings.out, 'evaluation.html')}`);
  } finally {
    await runs.stop();
  }
});

async function write(out: string, evaluation: Evaluation): Promise<void> {
  await mkdir(out, { recursive: true });
  await writeFile(path.join(out, 'evaluation.json'), `${JSON.stringify(evaluation, null, 1)}\n`);
  await writeFile(path.join(out, 'evaluation.html'), evaluationPage(evaluation));
}
