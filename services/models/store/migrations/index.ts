import { run } from './001-run.ts';
import { cancellationAndIdempotency } from './002-cancellation-and-idempotency.ts';
import { runTradingDay } from './003-run-trading-day.ts';
import { runByTime } from './004-run-by-time.ts';
import { submission } from './005-submission.ts';
import { record } from './006-record.ts';
import { backfill } from './007-backfill.ts';
import { traceparent } from './008-traceparent.ts';
import { errorEnglish } from './009-error-english.ts';
import { closedIdempotencyKey } from './010-closed-idempotency-key.ts';
import { datasetKindAndErrorCode } from './011-dataset-kind-and-error-code.ts';

export const migrations = {
  '001_run': run,
  '002_cancellation_and_idempotency': cancellationAndIdempotency,
  '003_run_trading_day': runTradingDay,
  '004_run_by_time': runByTime,
  '005_submission': submission,
  '006_record': record,
  '007_backfill': backfill,
  '008_traceparent': traceparent,
  '009_error_english': errorEnglish,
  '010_closed_idempotency_key': closedIdempotencyKey,
  '011_dataset_kind_and_error_code': datasetKindAndErrorCode,
};

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = ['backfill', 'backfill_page', 'idempotency_key', 'record_entry', 'run', 'submission'];
