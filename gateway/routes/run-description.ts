/** The run endpoint, for application developers. */
export const RUN_DESCRIPTION = `
Accepts a run and answers its job. Runs retrain the model and are asynchronous: **implement both answers**, 200 with
an inline \`result\` when the run ended within \`wait\`, and 202 with a job to poll; a cold start can exceed any wait.
A failed run is not an HTTP error: \`status\` is then \`failed\` and \`error.message\` says why. A client that
disconnects while waiting loses only the wait; the job goes on and is listed at /api/v1/jobs.

An empty body, \`{}\` and \`{"params": null}\` all run the model with its defaults. The analysis date may be pinned by
the operator; a later or omitted \`analysis_date\` is then clamped to the pinned day. Once a run
has succeeded, \`params\` and the result (\`target_date\`, \`as_of\`) name the trading day analysed, which users must be shown.

**Results, full view** (the default): \`df_result\` (one object per pick, numbers and display-formatted strings mixed:
parse defensively), \`diag\` (how the universe was narrowed), \`target_date\` (YYYY-MM-DD).

**Compact view** (\`view=compact\`; numbers are numbers):
- \`model_f_combined\`: \`model_id\`, \`view\`, \`as_of\`, \`pick_count\`, \`levels\` (\`target_gain_pct\`, \`stop_loss_pct\`,
  \`entry_spread_pct\`, percent), \`picks\` (\`ticker\`, \`close\`, \`probability\` in percent, \`signals\` 0 to 4, \`entry_low\`,
  \`entry_high\`, \`stop\`, \`target\`, IDR), \`model_quality\` (\`win_rate\`, \`payoff\`, \`candidates\`), \`funnel\`, and \`empty\`
  when \`pick_count\` is 0: an empty result is a success. \`probability\` is relative: 50 is as likely as the market's
  average name; the true out-of-sample win rate stands in \`model_quality\`.
- \`recovery_v4\`: \`model_id\`, \`view\`, \`as_of\`, \`horizon_days\`, \`summary\`, \`positions\`. Without positions the run fails.
`.trim();
