/**
 * `make chaos`: kills, freezes and crashes a fleet under load, cuts its power, and slows, holds and cuts its connections. Then
 * checks whether the fleet kept its promises.
 */
import { bool } from 'envalid';
import { integer, loadConfig } from '#platform/configuration/config.ts';
import { machineLine, markdownTable, verdict } from '#support/measuring/report.ts';
import { whyPowerStaysOn } from '#support/servers/power.ts';
import { brokenPromises, chaos, type ChaosOutcome, lateRecoveries } from './chaos.ts';

const count = (desc: string, fallback: number) =>
  integer({ min: 0, max: 10_000 })({ default: fallback, desc });
const config = loadConfig({
  KILLS: count('random kills and freezes of single processes, and faults of single connections', 200),
  MINUTES: count('for how long they go on, however many that are; 0 ends them with their number', 0),
  CRASHES: count('kills of the whole fleet at once', 5),
  POWER_CUTS: count('power cuts; they need root, and no REDUNDANT', 5),
  REDUNDANT: bool({
    default: false,
    desc: 'two of every service and gateway, on three NATS nodes of which one is dead',
  }),
  CLIENTS: count('clients that submit, cancel, record consents, read and page', 8),
  SEED: count('seed of the blows', 1),
});

/** The supervisor replaces a process that answers nothing for longer than this. */
const MAX_MS = 15_000;

const blows = config.MINUTES > 0 ? `${config.MINUTES} minutes of` : String(config.KILLS);
const powerStaysOn = config.REDUNDANT
  ? 'the NATS nodes of a redundant fleet are on a disk of their own'
  : await whyPowerStaysOn();
const powerCuts = powerStaysOn === undefined ? config.POWER_CUTS : 0;
const plan = `${blows} kills, freezes and faults of connections, ${config.CRASHES} crashes, ${powerCuts} power cuts, ${config.CLIENTS} clients, seed ${config.SEED}${config.REDUNDANT ? ', redundant' : ''}`;
if (powerCuts < config.POWER_CUTS) console.log(`No power is cut: ${powerStaysOn}.`);
console.log(`${plan}\nMachine: ${machineLine()}\nStarting a fleet …`);
const outcome = await chaos({
  kills: config.KILLS,
  minutes: config.MINUTES,
  longestMs: MAX_MS,
  crashes: config.CRASHES,
  powerCuts,
  redundant: config.REDUNDANT,
  clients: config.CLIENTS,
  seed: config.SEED,
  progress: (line) => console.log(line),
});
console.log(`\n## make chaos: ${plan}\n\nOn ${machineLine()}\n\n${report(outcome)}`);
const broken = [...brokenPromises(outcome), ...lateRecoveries(outcome)];
console.log(`\n${verdict(broken)}`);
if (broken.length > 0) process.exitCode = 1;

function report(outcome: ChaosOutcome): string {
  const { importer, blows, readyAfterMs, states, differences, unlisted, failures } = outcome;
  const { accepted, client } = outcome.clients;
  const { missing, doubled: twice, open, otherState, invented, untold, lostConsents } = differences;
  const outcomes = [...client.tally.outcomes].map(([outcome, kinds]): [string, number] => [
    outcome,
    [...kinds.values()].reduce((sum, times) => sum + times, 0),
  ]);
  const { fired, doubled, undecided } = outcome.schedules;
  const { told } = outcome;
  const seconds = (all: number[]) => all.map((ms) => (ms / 1_000).toFixed(1)).join(', ');
  const counted = (all: Iterable<[string, number]>) =>
    [...all].toSorted().map(([what, times]) => [what, String(times)]);
  const isFailure = ([outcome]: [string, number]) => outcome.startsWith('5');
  return [
    markdownTable(['Blow', 'Times'], counted(blows)),
    markdownTable(['5xx code that clients saw', 'Times'], counted(outcomes.filter(isFailure))),
    markdownTable(['Other answer', 'Times'], counted(outcomes.filter((one) => !isFailure(one)))),
    markdownTable(
      ['What', 'How many'],
      [
        ...[...readyAfterMs].map(([phase, all]) => [
          `seconds until a run completed after: ${phase}`,
          seconds(all),
        ]),
        ['runs accepted', String(accepted.runs.size)],
        ...[...states].map(([state, times]) => [`... ${state}`, String(times)]),
        ...[...failures].map(([why, jobId]) => [`... failed, as ${jobId}`, why]),
        [
          'ledger rows missing, doubled, open, in another state',
          [missing, twice, open, otherState].join(', '),
        ],
        ['ledger rows of no run; runs of which nobody was told', `${invented}; ${untold}`],
        ['walks through usage; runs on no page', `${accepted.walks}; ${unlisted}`],
        ['consents recorded; lost', `${accepted.consents.size}; ${lostConsents}`],
        ['firings of schedules; doubled; of which nothing came', `${fired}; ${doubled}; ${undecided}`],
        [
          'ended runs told to a receiver; told again; untold; of other keys; with a wrong signature',
          `${told.runs}; ${told.repeated}; ${told.untold.length}; ${told.foreign}; ${told.forged}`,
        ],
        ...(config.REDUNDANT ? [['NATS nodes killed, one at a time', String(outcome.nodesKilled)]] : []),
        [
          'imports acknowledged; failed before; lost',
          `${importer.versions.length}; ${importer.failures}; ${outcome.lostImports.length}`,
        ],
      ],
    ),
  ].join('\n\n');
}
