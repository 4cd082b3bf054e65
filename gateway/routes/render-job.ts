import type { Job } from '#proto/saring/models/v1/runs.ts';
import { withReplacements, type Language } from '#screens/reasons/localised.ts';
import { messageNamed } from '#shared/wire/descriptors.ts';
import { jsonOf } from '#shared/wire/message-json.ts';
import { JsonText } from '../answers/send-json.ts';

const NO_REASON_KNOWN = 'Proses terhenti sebelum selesai.';

const json = jsonOf(messageNamed('saring.models.v1.Job'));

/** A job in the contract's shape and order, without its result. */
export function renderJob(job: Job): object {
  const error_message = hasFailed(job) ? (job.error_message ?? NO_REASON_KNOWN) : undefined;
  return json({ ...job, error_message }) as object;
}

/**
 * The same with its result, whose text is put in as the worker wrote it, with its sentences in this language: it can be
 * large and nothing reads it here. With a result goes the dataset version it rests on.
 */
export function renderJobWithResult(job: Job, language: Language): JsonText {
  const text = JSON.stringify(renderJob(job));
  if (!job.result_json || job.source !== 'live' || job.status !== 'succeeded') return new JsonText(text);
  const result = withReplacements(job.result_json, language === 'en' ? job.result_english : []);
  return new JsonText(`${text.slice(0, -1)},"result":${result}}`, job.dataset_version, language);
}

function hasFailed({ status }: Job): boolean {
  return status === 'failed' || status === 'interrupted';
}
