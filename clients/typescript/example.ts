import { resultOf, SaringClient, SaringError } from './index.ts';

const { SARING_URL = 'http://127.0.0.1:8080', SARING_KEY = '' } = process.env;
const saring = new SaringClient({ baseUrl: SARING_URL, apiKey: SARING_KEY, endUser: 'user-42' });

const job = await saring.runAndWait('model_f_combined', { view: 'compact' });
if (job.status === 'succeeded') {
  const { as_of, picks } = resultOf(job);
  console.log(`As of ${as_of}, best first, with the chance to win and the usual one:`);
  for (const { rank, ticker, win_chance_pct, base_rate_pct, score } of picks)
    console.log(`${rank}. ${ticker} ${win_chance_pct}%, usually ${base_rate_pct}%; score ${score}`);
} else console.log('No picks:', job.error.message);

const { top_gainers } = await saring.data.overview();
const { quotes } = await saring.data.quotes(top_gainers.map(({ ticker }) => ticker));
for (const [ticker, { close }] of Object.entries(quotes)) console.log(ticker, close);

for await (const { ts, model_id } of saring.usage.events({ status: 'succeeded' })) {
  console.log(`The last run that succeeded: ${model_id} at ${ts}`);
  break;
}

try {
  await saring.jobs.get('job_of_somebody_else');
} catch (error) {
  if (!(error instanceof SaringError && error.code === 'job_not_found')) throw error;
  console.log('No such job; ask about', error.requestId);
}
