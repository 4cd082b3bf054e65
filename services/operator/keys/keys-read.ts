import type { Command } from 'commander';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';
import { given } from './keys-options.ts';
import { keyDocument, keyText, keysText } from './keys-text.ts';

/** `saring keys list` and `show` */
export function addReadCommands(keys: Command): void {
  keys
    .command('list')
    .description('every key, oldest first, without secrets')
    .option('--json', 'one JSON document')
    .action(list);
  keys
    .command('show <id>')
    .description('all there is to say of one key, without its secret')
    .option('--json', 'one JSON document')
    .addHelpText('after', '\nExample:\n  saring keys show key_0123456789abcdef01234567')
    .action(show);
}

async function list(options: OutputOptions): Promise<void> {
  const { api_keys } = await withFleet(({ keys, call }) => keys.listKeys({}, call));
  answer(options, { keys: api_keys.map(keyDocument) }, () =>
    api_keys.length === 0 ? 'There is no key yet.' : keysText(api_keys),
  );
}

async function show(id: string, options: OutputOptions): Promise<void> {
  const { api_key } = await withFleet(({ keys, call }) => keys.getKey({ id }, call));
  const key = given(api_key);
  answer(options, keyDocument(key), () => keyText(key));
}
