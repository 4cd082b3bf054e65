import type { Command } from 'commander';
import type { KeyAction } from '#proto/saring/keys/v1/keys.ts';
import { jakartaSecond } from '#shared/jakarta-time.ts';
import { textTable } from '#shared/text/text-table.ts';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';
import { numberFromOne } from '../commands/numbers.ts';

/** `saring keys audit` */
export function addAuditCommand(keys: Command): void {
  keys
    .command('audit [id]')
    .description('what was done to keys, or to one, newest first; deleted ones included')
    .option('--limit <n>', 'at most this many, 1 to 1000', numberFromOne, 50)
    .option('--json', 'one JSON document')
    .addHelpText(
      'after',
      '\nOf all keys, or of the one that is named, actions before the newest 1,000 cannot be listed.' +
        '\n\nExample:\n  saring keys audit key_0123456789abcdef01234567 --limit 10',
    )
    .action(audit);
}

async function audit(
  id: string | undefined,
  { limit, ...options }: OutputOptions & { limit: number },
): Promise<void> {
  const { actions } = await withFleet(({ keys, call }) => keys.listKeyActions({ key_id: id, limit }, call));
  answer(options, { actions: actions.map(actionDocument) }, () =>
    actions.length === 0 ? 'No action is recorded.' : textTable(COLUMNS, actions.map(row)).join('\n'),
  );
}

function actionDocument({ changes, ...action }: KeyAction) {
  return { ...action, changes: changes ?? null };
}

const COLUMNS = ['when (Jakarta)', 'key', 'action', 'by', 'request', 'changes'];

function row({ ts, key_id, action, actor, request_id, changes }: KeyAction): string[] {
  const when = ts ? jakartaSecond(ts) : '';
  return [when, key_id, action, actor || '-', request_id, JSON.stringify(changes ?? {})];
}
