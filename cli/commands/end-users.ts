import { open, rm, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Erasure } from '#proto/saring/end_users/v1/end_users.ts';
import { jakartaDateTime } from '#foundation/jakarta-time.ts';
import { EXIT } from '#platform/process/exit-codes.ts';
import { textTable } from '#foundation/text/text-table.ts';
import { terminalJson } from '#foundation/text/terminal-text.ts';
import { requireConsent } from '../terminal/ask.ts';
import { CommandFailure } from '../terminal/command-failure.ts';
import { withFleet, type OperatorSession } from '../fleet/operator-session.ts';
import { answer, note, type OutputOptions } from '../terminal/output.ts';

/** The word for the end users of this id under every key. */
const EVERY_KEY = 'all';
const KEY_HELP = `id of the key that the end user belongs to, or ${EVERY_KEY}: ids of end users are those of one application`;
/** The document holds everything about a person. */
const ONLY_THE_OPERATOR = 0o600;
const EXPORT_TIMEOUT_MS = 600_000;
const ERASE_TIMEOUT_MS = 60_000;
/** How long the runs of an end user may take to stop. A worker notices a cancellation within a second. */
const PENDING_FOR_MS = 60_000;
const PENDING_PAUSE_MS = 500;

const EXPORT_HELP = `
The document holds acceptances, schedules, runs with the results that are still held, backfills, screens, watchlists, usage
events and events, each with every stored field.

Example:
  saring end-users export key_0123456789abcdef01234567 alice --out alice.json`;

const ERASE_HELP = `
It cancels unfinished runs and erases schedules, runs and results, backfills, screens (shared ones too) and watchlists, and takes
the end user out of events. Acceptances
stay on record but no longer count, and usage events stay until they expire: the answer names what is kept, and why. It can be
repeated, and cannot be undone. At a terminal it asks for confirmation; elsewhere it needs --yes.

Example:
  saring end-users erase key_0123456789abcdef01234567 alice --yes`;

/** `saring end-users …` */
export function addEndUsersCommands(program: Command): void {
  const endUsers = program
    .command('end-users')
    .description('export and erase what is stored about an end user of an application');
  endUsers
    .command('export')
    .argument('<key>', KEY_HELP)
    .argument('<end-user>', 'id of the end user, as the application asserts it')
    .description('everything that is stored about an end user, as one JSON document')
    .option('--out <file>', 'write it to a new file instead of standard output')
    .addHelpText('after', EXPORT_HELP)
    .action(exportEndUser);
  endUsers
    .command('erase')
    .argument('<key>', KEY_HELP)
    .argument('<end-user>', 'id of the end user, as the application asserts it')
    .description('erase what is stored about an end user, but for what must stay')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', ERASE_HELP)
    .action(eraseEndUser);
}

/** Only these commands need the rules of messages, which take a while to load. */
async function requireEndUserId(text: string): Promise<void> {
  const { rulesOfKind } = await import('#platform/wire/descriptors.ts');
  const { pattern, form } = rulesOfKind('END_USER');
  if (!new RegExp(pattern).test(text))
    throw new CommandFailure(EXIT.usage, `the id of an end user must be ${form}`);
}

interface EndUser {
  api_key_id?: string;
  end_user: string;
}

const endUserOf = (key: string, endUser: string): EndUser =>
  key === EVERY_KEY ? { end_user: endUser } : { api_key_id: key, end_user: endUser };

async function exportEndUser(key: string, endUser: string, { out }: { out?: string }): Promise<void> {
  await requireEndUserId(endUser);
  const file = out === undefined ? undefined : await newFile(out);
  try {
    await withFleet((session) =>
      pipeline(documentOf(session, endUserOf(key, endUser)), file?.createWriteStream() ?? process.stdout, {
        end: file !== undefined,
      }),
    );
  } catch (error) {
    // Half a document could be taken for everything that is stored.
    if (out !== undefined) await rm(out);
    throw error;
  }
  if (out !== undefined) note(`Everything that is stored about ${endUser} is in ${out}.`);
}

/** @throws CommandFailure if it exists or cannot be made */
async function newFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', ONLY_THE_OPERATOR);
  } catch (error) {
    throw new CommandFailure(EXIT.usage, `${file} cannot be written: ${(error as Error).message}`);
  }
}

/** The document piece by piece, since results make it large: a list of each kind. */
async function* documentOf(session: OperatorSession, of: EndUser): AsyncGenerator<string> {
  const head = {
    api_key_id: of.api_key_id ?? null,
    end_user: of.end_user,
    exported_at: jakartaDateTime(new Date()),
  };
  yield terminalJson(head).replace(/\s*\}$/, '');
  let kind: string | undefined;
  for (const service of Object.values(session.endUserData)) {
    const stored = service.exportEndUser(of, { ...session.call, timeoutMs: EXPORT_TIMEOUT_MS });
    for await (const { item } of stored) {
      const { kind: next, json } = item!;
      if (next !== kind) yield `${kind === undefined ? '' : '\n]'},\n"${next}": [\n`;
      else yield ',\n';
      kind = next;
      yield terminalJson(JSON.parse(json));
    }
  }
  yield kind === undefined ? '\n}\n' : '\n]\n}\n';
}

async function eraseEndUser(
  key: string,
  endUser: string,
  { yes, ...options }: OutputOptions & { yes?: boolean },
): Promise<void> {
  await requireEndUserId(endUser);
  const of = endUserOf(key, endUser);
  if (!yes) {
    const whose = key === EVERY_KEY ? 'every key' : key;
    await requireConsent({
      question: `Erase what is stored about ${endUser} of ${whose} for good, and cancel its runs?`,
      refusal: `erasing an end user cannot be undone: add --yes to erase ${endUser} of ${whose}.`,
      declined: 'nothing was erased.',
    });
  }
  const { erased, kept, pending } = await withFleet((session) => eraseEverywhere(session, of));
  const document = { api_key_id: of.api_key_id ?? null, end_user: endUser, erased, kept, pending };
  answer(options, document, () => erasureText(endUser, document));
  if (pending > 0)
    throw new CommandFailure(
      EXIT.unavailable,
      `${pending} runs of ${endUser} have not stopped yet. Everything else is erased: repeat the command.`,
    );
}

/** Sums what every service erased. Runs that are still ending are waited for. */
async function eraseEverywhere(session: OperatorSession, of: EndUser): Promise<Erasure> {
  const whole: Erasure = { erased: {}, kept: [], pending: 0 };
  const call = { ...session.call, timeoutMs: ERASE_TIMEOUT_MS };
  for (const service of Object.values(session.endUserData)) {
    const endsAtMs = Date.now() + PENDING_FOR_MS;
    for (;;) {
      const { erased, kept, pending } = (await service.eraseEndUser(of, call)).erasure!;
      for (const [kind, count] of Object.entries(erased))
        whole.erased[kind] = (whole.erased[kind] ?? 0) + count;
      for (const one of kept) addKept(whole.kept, one);
      if (pending === 0) break;
      if (Date.now() > endsAtMs) {
        whole.pending += pending;
        break;
      }
      await sleep(PENDING_PAUSE_MS);
    }
  }
  return whole;
}

function addKept(all: Erasure['kept'], one: Erasure['kept'][number]): void {
  const known = all.find(({ kind }) => kind === one.kind);
  if (known) known.count += one.count;
  else all.push({ ...one });
}

function erasureText(endUser: string, { erased, kept }: Pick<Erasure, 'erased' | 'kept'>): string {
  const counts = Object.entries(erased);
  if (counts.length === 0 && kept.length === 0) return `Nothing is stored about ${endUser}.`;
  const rows = [
    ...counts.map(([kind, count]) => [words(kind), 'erased', String(count), '']),
    ...kept.map(({ kind, count, reason }) => [words(kind), 'kept', String(count), reason]),
  ];
  return textTable(['what', '', 'count', 'why'], rows).join('\n');
}

const words = (kind: string) => kind.replaceAll('_', ' ');
