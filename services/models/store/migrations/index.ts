import { run } from './001-run.ts';
import { cancellationAndIdempotency } from './002-cancellation-and-idempotency.ts';
import { runTradingDay } from './003-run-trading-day.ts';

export const migrations = {
  '001_run': run,
  '002_cancellation_and_idempotency': cancellationAndIdempotency,
  '003_run_trading_day': runTradingDay,
};
