import { Localised } from '#foundation/text/localised.ts';
import type { Job } from '#proto/saring/models/v1/runs.ts';
import { withReplacements } from '#models/reasons/localised-json.ts';
import type { Language } from '#foundation/text/languages.ts';
import { messageNamed } from '#platform/wire/descriptors.ts';
import { jsonOf } from '#platform/wire/message-json.ts';
import { errorIn } from '../responses/error-language.ts';
import { JsonText } from '../responses/send-json.ts';
import type { FollowedDataset } from '../response-cache/followed-dataset.ts';
import { renderFreshness } from './render-freshness.ts';

const NO_REASON_KNOWN = new Localised('Proses terhenti sebelum selesai.', 'The run stopped before its end.');

const json = jsonOf(messageNamed('saring.models.v1.Job'));
const evidenceJson = jsonOf(messageNamed('saring.models.v1.Evidence'));

/** Says how fresh the dataset is that a job rests on. */
export type JudgeFreshness = Pick<FollowedDataset, 'freshnessOf'>;

/** A job without its result, in the shape and order of the contract, and how fresh its market is. */
export function renderJob(job: Job, language: Language, dataset: JudgeFreshness): object {
  const error_message = hasFailed(job) ? (errorIn(language, job) ?? NO_REASON_KNOWN.in[language]) : undefined;
  const freshness = dataset.freshnessOf(job.dataset_version);
  return {
    ...(json({ ...job, error_message }) as object),
    freshness: freshness ? renderFreshness(freshness, language) : null,
  };
}

/**
 * The same with its result. The result's text is inserted as the worker wrote it, with its sentences in this
 * language: it can be large, and nothing here reads it. Names the dataset version if there is a result.
 */
export function renderJobWithResult(job: Job, language: Language, dataset: JudgeFreshness): JsonText {
  const text = JSON.stringify(renderJob(job, language, dataset));
  if (!job.result_json || job.source !== 'live' || job.status !== 'succeeded')
    return new JsonText(text, undefined, hasFailed(job) ? language : undefined);
  const result = withReplacements(job.result_json, language === 'en' ? job.result_english : []);
  const worth = job.evidence ? `,"evidence":${JSON.stringify(evidenceJson(job.evidence))}` : '';
  return new JsonText(`${text.slice(0, -1)}${worth},"result":${result}}`, job.dataset_version, language);
}

function hasFailed({ status }: Job): boolean {
  return status === 'failed' || status === 'interrupted';
}
