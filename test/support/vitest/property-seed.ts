/**
 * Properties use the same seed every time, so that a failure repeats. FUZZ_SEED=2 selects another seed, FUZZ_SEED=random
 * explores. A failure prints its seed.
 */
import fc from 'fast-check';

const { FUZZ_SEED = '1' } = process.env;
if (!/^(random|-?\d+)$/.test(FUZZ_SEED))
  throw new Error(`FUZZ_SEED is a whole number or "random", not ${JSON.stringify(FUZZ_SEED)}`);
if (FUZZ_SEED !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(FUZZ_SEED) });
