import type { Job } from '#proto/saring/models/v1/runs.ts';
import { withReplacements, type Language } from '#screens/reasons/localised.ts';
import { jakartaDateTime } from '#shared/jakarta-time.ts';
import { JsonText } from '../answers/send-json.ts';

const NO_REASON_KNOWN = 'Proses terhenti sebelum selesai.';

/** A job in the contract's shape and order, without its result. Members that are undefined are not sent. */
export function renderJob(job: Job) {
  if (!job.created_at) throw new Error('the models service did not say when the job was accepted');
  return {
    job_id: job.job_id,
    kind: job.kind,
    target: job.target,
    status: job.status,
    params: job.params ?? {},
    created_at: jakartaDateTime(job.created_at),
    started_at: job.started_at ? jakartaDateTime(job.started_at) : null,
    finished_at: job.finished_at ? jakartaDateTime(job.finished_at) : null,
    duration_seconds: job.duration_seconds,
    poll_url: `/api/v1/jobs/${job.job_id}`,
    source: job.source,
    result_available: job.result_available,
    summary: job.summary,
    end_user: job.end_user,
    error: hasFailed(job) ? { message: job.error_message ?? NO_REASON_KNOWN } : undefined,
  };
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
