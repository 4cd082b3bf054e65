/** `make chaos`: a fleet that is killed, frozen, crashed and cut from power under load, and whether it kept its promises. */
import { integer, loadConfig } from '#shared/config/config.ts';
import { machineLine } from '../bench/machine.ts';
import { markdownTable } from '../bench/report.ts';
import { whyPowerStaysOn } from '../support/servers/power.ts';
import { chaos, type ChaosOutcome } from './chaos.ts';

const count = (desc: string, fallback: number) =>
  integer({ min: 0, max: 10_000 })({ default: fallback, desc });
const config = loadConfig({
  KILLS: count('random kills and freezes of single processes', 200),
  CRASHES: count('kills of the whole fleet at once', 5),
  POWER_CUTS: count('power cuts; they need root', 5),
  CLIENTS: count('clients that submit, record consents and read', 8),
  SEED: count('seed of the blows', 1),
});

const plan = `${config.KILLS} kills and freezes, ${config.CRASHES} crashes, ${config.POWER_CUTS} power cuts, ${config.CLIENTS} clients, seed ${config.SEED}`;
const powerStaysOn = config.POWER_CUTS > 0 ? await whyPowerStaysOn() : undefined;
if (powerStaysOn !== undefined) console.log(`No power is cut: ${powerStaysOn}.`);
console.log(`${plan}\nMachine: ${machineLine()}\nStarting a fleet …`);
const outcome = await chaos({
  kills: config.KILLS,
  crashes: config.CRASHES,
  powerCuts: powerStaysOn === undefined ? config.POWER_CUTS : 0,
  clients: config.CLIENTS,
  seed: config.SEED,
  progress: (line) => console.log(line),
});
console.log(`\n## make chaos: ${plan}\n\nOn ${machineLine()}\n\n${report(outcome)}`);
const broken = brokenPromises(outcome);
console.log(
  broken.length === 0
    ? '\nEvery promise held.'
    : `\nBROKEN:\n${broken.map((line) => `- ${line}`).join('\n')}`,
);
if (broken.length > 0) process.exitCode = 1;

function report({
  clients,
  blows,
  readyAfterMs,
  states,
  ledger,
  lostConsents,
  failures,
}: ChaosOutcome): string {
  const seconds = (all: number[]) => all.map((ms) => (ms / 1_000).toFixed(1)).join(', ');
  return [
    markdownTable(
      ['Blow', 'Times'],
      [...blows].toSorted().map(([blow, times]) => [blow, String(times)]),
    ),
    markdownTable(
      ['Answer', 'Times'],
      [...clients.outcomes].toSorted().map(([what, times]) => [what, String(times)]),
    ),
    markdownTable(
      ['What', 'How many'],
      [
        ...[...readyAfterMs].map(([phase, all]) => [
          `seconds until a run completed after: ${phase}`,
          seconds(all),
        ]),
        ['runs accepted', String(clients.runs.size)],
        ...[...states].map(([state, times]) => [`... ${state}`, String(times)]),
        ...[...failures].map(([why, jobId]) => [`... failed, as ${jobId}`, why]),
        ['ledger rows missing, doubled, open, in another state', Object.values(ledger).join(', ')],
        ['consents recorded; lost', `${clients.consents.size}; ${lostConsents}`],
      ],
    ),
  ].join('\n\n');
}

/** One sentence for each promise that did not hold. */
function brokenPromises({ clients, states, ledger, lostConsents }: ChaosOutcome): string[] {
  const wrong = [...states].filter(([state]) => !['succeeded', 'interrupted'].includes(state));
  return [
    ...wrong.map(([state, times]) => `${times} accepted runs are ${state}`),
    ...Object.entries(ledger)
      .filter(([, rows]) => rows > 0)
      .map(([what, rows]) => `${rows} ledger rows: ${what}`),
    ...(lostConsents > 0 ? [`${lostConsents} recorded consents are lost`] : []),
    ...[...clients.breaches].map(([outcome, example]) => `unexpected answer ${outcome}: ${example}`),
    ...(clients.runs.size === 0 ? ['no run was accepted, so nothing was tried'] : []),
  ];
}
