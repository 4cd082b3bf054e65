import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BoostingParameters } from '#quant/learning/boosting/trainer.ts';
import type { Problem } from './problem.ts';

const SCRIPT = fileURLToPath(new URL('xgboost-hist.py', import.meta.url));

/**
 * Makes threads that wait for each other sleep. By default they spin. On two idle processors that gains under 2 %, but beside
 * other work it takes up to twenty times as long, because a thread spins while the thread that it waits for has no processor.
 */
const PATIENT_THREADS = { OMP_WAIT_POLICY: 'PASSIVE' };

type SharedParameters = Pick<
  BoostingParameters,
  'rounds' | 'depth' | 'learningRate' | 'lambda' | 'gamma' | 'minChildWeight'
>;
export type Sampling = Pick<BoostingParameters, 'subsample' | 'seed'>;

export interface Trained {
  /** Time from the matrix in memory to the trained model, including cuts and binning. */
  ms: number;
  /** Raw scores of the held-out rows. */
  scores: Float32Array;
}

/** XGBoost in a separate process, which keeps the matrix between trainings. */
export class XgboostHist {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  readonly #dir: string;
  readonly version: string;

  private constructor(child: ChildProcess, responses: AsyncIterator<string>, dir: string, version: string) {
    this.#child = child;
    this.#answers = responses;
    this.#dir = dir;
    this.version = version;
  }

  static async start(
    python: string,
    { learnt, heldOut }: Problem,
    { bins, threads, parameters }: { bins: number; threads: number; parameters: SharedParameters },
  ): Promise<XgboostHist> {
    const dir = await mkdtemp(path.join(tmpdir(), 'saring-xgboost-'));
    const files = { learnt: 'learnt.f32', held_out: 'held-out.f32', labels: 'labels.u8' };
    await writeFile(path.join(dir, files.learnt), learnt.matrix.values);
    await writeFile(path.join(dir, files.held_out), heldOut.matrix.values);
    await writeFile(path.join(dir, files.labels), learnt.labels);
    const env = { ...process.env, ...PATIENT_THREADS };
    const child = spawn(python, [SCRIPT], { cwd: dir, env, stdio: ['pipe', 'pipe', 'inherit'] });
    const lines: Interface = createInterface(child.stdout);
    const responses = lines[Symbol.asyncIterator]();
    const { rounds } = parameters;
    const job = { ...files, features: learnt.matrix.names.length, threads, rounds };
    const settings = { ...settingsOf(parameters), max_bin: bins, nthread: threads };
    child.stdin.write(`${JSON.stringify({ ...job, parameters: settings })}\n`);
    const { version } = await nextResponse<{ version: string }>(responses);
    return new XgboostHist(child, responses, dir, version);
  }

  async train(sampling: Sampling): Promise<Trained> {
    this.#child.stdin!.write(`${JSON.stringify({ ...sampling, scores: 'scores.f32' })}\n`);
    const { ms } = await nextResponse<{ ms: number }>(this.#answers);
    const bytes = await readFile(path.join(this.#dir, 'scores.f32'));
    return { ms, scores: new Float32Array(Uint8Array.from(bytes).buffer) };
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.stdin!.end();
    await exited;
    await rm(this.#dir, { recursive: true });
  }
}

/** The parameters under their names in XGBoost. */
function settingsOf(parameters: SharedParameters): Record<string, unknown> {
  const { depth, learningRate, lambda, gamma, minChildWeight } = parameters;
  return {
    tree_method: 'hist',
    grow_policy: 'depthwise',
    objective: 'binary:logistic',
    max_depth: depth,
    eta: learningRate,
    lambda,
    gamma,
    min_child_weight: minChildWeight,
  };
}

async function nextResponse<Answer>(responses: AsyncIterator<string>): Promise<Answer> {
  const next = await responses.next();
  if (next.done === true) throw new Error('XGBoost ended before it answered');
  return JSON.parse(next.value) as Answer;
}
